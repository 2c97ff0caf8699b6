/** Game and board together: shows what the game is at, and takes a person's choice to it. */

/**
 * Join the board to the game.
 * @param {object} app
 */
export function mountTable(app) {
  const { game, board, turns, actions, setup } = app;
  const now = () => (setup.on ? setup : game);
  actions.add({ id: "undo", label: "Undo", key: "u", icon: "undo", order: 10,
    help: "Take back your last move", run: () => now().undo() });
  actions.add({ id: "redo", label: "Redo", key: "r", icon: "redo", order: 11,
    help: "Play it again", run: () => now().redo() });

  const show = (what) => {
    const move = game.played.at(-1);
    const drop = what === "move";
    board.show(game.position, { last: move?.column ?? null, drop, sink: drop && move?.fell,
      sweep: what === "new" });
  };
  const showSteps = () => {
    actions.enable("undo", setup.on ? setup.canUndo : game.place > 0);
    actions.enable("redo", setup.on ? setup.canRedo : !game.atEnd);
  };
  game.addEventListener("change", (event) => {
    app.calm();
    if (!setup.on) show(event.detail.what);
    showSteps();
  });
  setup.addEventListener("change", showSteps);
  turns.addEventListener("change", () => board.enable(turns.stand === "person"));
  board.addEventListener("choose", (event) => turns.choose(event.detail.column));
  show("place");
}

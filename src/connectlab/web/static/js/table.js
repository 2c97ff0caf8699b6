/** Game and board together: shows what the game is at, and takes a person's choice to it. */

/**
 * Join the board to the game.
 * @param {object} app
 */
export function mountTable(app) {
  const { game, board, turns, actions } = app;
  actions.add({ id: "undo", label: "Undo", key: "u", icon: "undo", order: 10,
    help: "Take back your last move", run: () => game.undo() });
  actions.add({ id: "redo", label: "Redo", key: "r", icon: "redo", order: 11,
    help: "Play it again", run: () => game.redo() });

  const show = (what) => {
    const move = game.played.at(-1);
    const drop = what === "move";
    board.show(game.position, { last: move?.column ?? null, drop, sink: drop && move?.fell,
      sweep: what === "new" });
  };
  game.addEventListener("change", (event) => {
    app.calm();
    show(event.detail.what);
    actions.enable("undo", game.place > 0);
    actions.enable("redo", !game.atEnd);
  });
  turns.addEventListener("change", () => board.enable(turns.stand === "person"));
  board.addEventListener("choose", (event) => turns.choose(event.detail.column));
  show("place");
}

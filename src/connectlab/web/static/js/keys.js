/** The keys of the page: columns drop, letters run actions; never while somebody types. */

/**
 * Listen to the keyboard.
 * @param {object} app
 */
export function mountKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    if (press(app, event.key, event.shiftKey)) event.preventDefault();
  });
}

/**
 * A letter that names a column of a wide board drops there; with Shift it is an action all the same.
 */
function press(app, key, shift) {
  const { game, board } = app;
  const column = shift ? -1 : game.geometry.columnNamed(key);
  if (column >= 0) {
    if (!board.enabled || !game.position.legal.includes(column)) return false;
    app.turns.choose(column);
    return true;
  }
  return app.actions.runKey(key.toLowerCase());
}

function typing(target) {
  return target.isContentEditable
    || target.matches?.("textarea, select, input:not([type=checkbox], [type=radio], [type=range])");
}

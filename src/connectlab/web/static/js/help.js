/** The help: what the keys do, and what is what on the page. */

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";

/**
 * Add the help.
 * @param {object} app
 */
export function mountHelp(app) {
  app.actions.add({ id: "help", label: "Help", key: "?", place: "none", order: 99,
    help: "This list", run: () => openHelp(app) });
}

/**
 * Show the help.
 * @param {object} app
 */
export function openHelp(app) {
  const rows = [
    ["1 – 9", "Drop a disc; on wide boards a, b, c … for the columns after 9"],
    ["← → Enter", "Choose a column on the board and drop"],
    ...app.actions.all.filter((action) => action.key)
      .map((action) => [action.key, action.help ?? action.label]),
    ["Shift", "With a letter: the action, also where the letter names a column"],
  ];
  openDialog({
    title: "Keys", test: "help-dialog",
    body: [
      h("dl", { class: "keys" }, ...rows.flatMap(([keys, text]) => [
        h("dt", {}, ...keys.split(" ").map((key) =>
          (key === "–" ? h("span", { text: " – " }) : h("kbd", { text: key })))),
        h("dd", { text })])),
      h("p", { class: "soft" }, "The first player's discs carry a cross, the second player's a "
        + "ring. Four in a row win: across, up, or slanting."),
    ],
  });
}

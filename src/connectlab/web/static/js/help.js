/** The help: what the keys do, and what is what on the page. */

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";

const LEGEND = [
  ["+7", "Perfect play wins in 7 plies, counted from here; a ply is one disc"],
  ["=", "With perfect play of both sides it ends in a draw"],
  ["−12", "It loses in 12 plies, however well it goes on"],
  ["?", "Not solved yet"],
  ["Frame", "Round a verdict: as good as any. Round a bar: what the player would choose"],
  ["Bars", "What a player thinks of each column: up is good for who moves, down is bad"],
  ["!", "The player is wrong there: perfect play says otherwise"],
  ["Side bar", "Who is winning: the share of the first player grows from below"],
];

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
    title: "Help", test: "help-dialog",
    body: [
      h("p", { class: "soft" }, "The first player's discs carry a cross, the second player's a "
        + "ring. So many in a row win as the board says, mostly four: across, up, or slanting."),
      h("h3", { text: "Analysis" }),
      termList(LEGEND),
      h("h3", { text: "Keys" }),
      h("dl", { class: "keys" }, ...rows.flatMap(([keys, text]) => [
        h("dt", {}, ...keys.split(" ").map((key) =>
          (key === "–" ? h("span", { text: " – " }) : h("kbd", { text: key })))),
        h("dd", { text })])),
    ],
  });
}

function termList(terms) {
  return h("dl", { class: "keys" }, ...terms.flatMap(([term, text]) => [
    h("dt", {}, h("strong", { text: term })), h("dd", { text })]));
}

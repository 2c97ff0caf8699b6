/** The bar on top: board, new game, theme, help. */

import { button } from "./dom.js";
import { mountBoards } from "./boards.js";
import { openHelp } from "./help.js";
import { changeTheme } from "./theme.js";

/**
 * Furnish the bar.
 * @param {object} app
 */
export function mountBar(app) {
  const place = document.querySelector("#bar-tools");
  mountBoards(app, place);
  app.actions.add({ id: "new", label: "New game", key: "n", place: "none", order: 5,
    run: () => app.game.newGame() });
  app.actions.add({ id: "theme-more", label: "Light or dark", icon: "theme", place: "more",
    order: 90, run: changeTheme });
  place.append(
    button("New game", () => app.game.newGame(), { icon: "new", test: "new", key: "n" }),
    button("Light or dark", changeTheme, { icon: "theme", test: "theme", title: "Light or dark",
      class: "button button-quiet button-icon" }),
    button("Help", () => openHelp(app), { icon: "help", test: "help", title: "Help (?)",
      class: "button button-quiet button-icon" }),
  );
}

/** What players are called on the page. */

import { HUMAN } from "./game.js";

/**
 * Name a player shortly: "You", "Champion", "Minimax, depth 4".
 * @param {string} spec
 * @returns {string}
 */
export function nameOf(spec) {
  if (spec === HUMAN) return "You";
  const [name, ...rest] = spec.split(":");
  const settings = rest.join(":");
  if (settings === "champion") return "Champion";
  const said = settings.split(",").filter(Boolean)
    .map((setting) => setting.replace(/^source=/, "").replaceAll("_", " ").replace("=", " "));
  return [name.charAt(0).toUpperCase() + name.slice(1), ...said].join(", ");
}

/**
 * Name both players so that they can be told apart.
 * @param {string[]} players
 * @returns {[string, string]}
 */
export function seatNames(players) {
  const [first, second] = players.map(nameOf);
  if (first !== second) return [first, second];
  return first === "You" ? ["First player", "Second player"] : [`${first} (1st)`, `${second} (2nd)`];
}

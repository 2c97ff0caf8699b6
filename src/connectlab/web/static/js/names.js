/** What players are called on the page. */

import { HUMAN } from "./game.js";

const KINDS = {
  ntuple: "N-tuple", mcts: "MCTS", dqn: "DQN", mlp: "MLP", qtable: "Q-table", openspiel: "OpenSpiel",
};
/** What a run has saved last, or its best. */
const RUN_FILE = /^(source=)?([^,]*\/)?(?<name>[^/,]+)\/(?<file>latest|best)\.safetensors$/;
/** Folders before the name of a file: where things lie is no part of what they are called. */
const FOLDERS = /[^\s:,=]*\//g;
const titles = new Map();

/**
 * Remember what trained players are called.
 * @param {{spec: string, title: string}[]} trained
 */
export function learnTitles(trained) {
  for (const { spec, title } of trained) if (title !== spec) titles.set(spec, title);
}

/**
 * Name a player shortly: "You", "Champion", "Minimax, depth 4".
 * @param {string} spec
 * @returns {string}
 */
export function nameOf(spec) {
  if (spec === HUMAN) return "You";
  if (spec === "unknown") return "Unknown";
  if (spec === "ntuple:champion") return "Champion";
  if (titles.has(spec)) return titles.get(spec);
  const [name, ...rest] = spec.split(":");
  const run = RUN_FILE.exec(rest.join(":"));
  if (run) return `${run.groups.name}${run.groups.file === "latest" ? " (now)" : ""}`;
  const said = rest.join(":").split(",").filter(Boolean)
    .map((setting) => setting.replace(/^source=/, "").replaceAll(FOLDERS, "")
      .replaceAll("_", " ").replace("=", " "));
  return [KINDS[name] ?? name.charAt(0).toUpperCase() + name.slice(1), ...said].join(", ");
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

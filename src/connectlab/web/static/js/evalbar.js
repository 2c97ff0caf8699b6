/** The evaluation bar beside the board: who wins with perfect play, and how soon. */

import { h } from "./dom.js";
import { outcomeOf, verdictText } from "./words.js";

/** How far a win at the very end fills the bar beyond its middle; a win at once fills it. */
const LEAST_LEAD = 0.2;
const LEADS = { win: "wins", draw: "draws", loss: "loses" };

/**
 * Draw the bar.
 * @param {import("./rules.js").Position} position
 * @param {object|null} verdicts
 * @returns {HTMLElement}
 */
export function evaluationBar(position, verdicts) {
  const found = position.result ? ended(position) : standing(position, verdicts);
  const bar = h("div", { class: "evaluation", role: "img", "aria-label": found.words,
    title: found.words, data: { test: "evaluation", known: found.share === null ? null : "" } },
  h("div", { class: "evaluation-first" }),
  h("span", { class: "evaluation-text", "aria-hidden": "true", text: found.text }));
  bar.style.setProperty("--share", String(found.share ?? 0.5));
  bar.dataset.side = found.share > 0.5 ? "first" : found.share < 0.5 ? "second" : "even";
  return bar;
}

function ended(position) {
  const share = { first: 1, second: 0, draw: 0.5 }[position.result];
  const words = { first: "The first player has won", second: "The second player has won",
    draw: "A draw" }[position.result];
  return { share, words, text: position.result === "draw" ? "=" : "" };
}

function standing(position, verdicts) {
  const names = verdicts ? Object.keys(verdicts.scores) : [];
  if (!verdicts?.outcome) {
    return { share: null, text: "?", words: "Who wins with perfect play is not known" };
  }
  const known = names.filter((name) => verdicts.scores[name] !== null);
  const best = known.reduce((a, b) => (verdicts.scores[b] > verdicts.scores[a] ? b : a));
  const [score, distance] = [verdicts.scores[best], verdicts.distances[best]];
  const side = position.side === 0 ? 1 : -1;
  const left = position.geometry.cells - position.stones;
  const lead = LEAST_LEAD + (1 - LEAST_LEAD) * (1 - Math.min(1, distance / Math.max(1, left)));
  // A column that is not solved may win sooner, so only who wins is known.
  const settled = !verdicts.unknown.length;
  const who = position.side === 0 ? "The first player" : "The second player";
  const does = settled ? verdicts.words[best] : LEADS[outcomeOf(score)];
  return {
    share: 0.5 + 0.5 * side * Math.sign(score) * lead,
    text: verdictText(score * side, settled ? distance : null),
    words: `${who} is to move and ${does}${settled && score ? "" : " with perfect play"}`,
  };
}

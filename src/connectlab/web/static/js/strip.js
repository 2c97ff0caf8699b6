/** The strip under the columns: what perfect play says of each, and what players think of it. */

import { h, icon } from "./dom.js";
import { short } from "./figures.js";
import { barHeights } from "./scale.js";
import { capital, compact, outcomeOf, percent, verdictText, withMinus } from "./words.js";

/** Values from here on are written shortly, such as "+2M"; pointing at the bar tells all digits. */
const LARGE = 10_000;

/**
 * @typedef {object} Seen a player whose values are shown
 * @property {string} spec
 * @property {string} name
 * @property {import("./insight.js").View} view
 */

/**
 * Draw what stands below each column.
 * @param {import("./rules.js").Position} position
 * @param {{verdicts: object|null, judged: boolean, waiting: boolean, seen: Seen[]}} known
 * @returns {HTMLElement[]} one for each column
 */
export function stripCells(position, known) {
  const { geometry } = position;
  const names = Array.from({ length: geometry.columns }, (_, column) => geometry.columnName(column));
  const heights = known.seen.map(({ view }) => heightsOf(view.analysis, names));
  return names.map((name, column) => {
    const open = position.legal.includes(column);
    return h("div", {
      class: "strip-cell", data: { test: `strip-${name}`, wrong: wrongIn(known.seen, name) ? "" : null },
      role: "group", "aria-label": `Column ${name}`,
    }, ...(open ? [verdictChip(name, known), ...barsOf(name, column, known.seen, heights)]
      : [h("span", { class: "verdict verdict-full", text: "·", title: "full" })]));
  });
}

function verdictChip(name, known) {
  const { verdicts } = known;
  const score = verdicts?.scores[name];
  const outcome = outcomeOf(score);
  const best = Boolean(verdicts?.best.includes(name));
  const said = verdictWords(name, known, best);
  return h("span", {
    class: `verdict verdict-${outcome}`, title: said,
    data: { test: `verdict-${name}`, best: best ? "" : null, waiting: said ? null : "" },
  },
  h("span", { "aria-hidden": "true",
    text: known.judged ? (verdicts || !known.waiting ? verdictText(score, verdicts?.distances[name]) : "…") : "–" }),
  h("span", { class: "unseen", text: said }));
}

/** A verdict in words, for those who listen or point at it. */
function verdictWords(name, known, best) {
  const { verdicts, judged, waiting } = known;
  if (!judged) return "perfect play knows only the plain game";
  if (!verdicts) return waiting ? "being solved" : "not known";
  if (verdicts.scores[name] === null) {
    return waiting ? "not solved yet" : "not solved in time: the position is too hard";
  }
  return `Column ${name} ${verdicts.words[name]}${best ? ", the best there is" : ""}`;
}

function barsOf(name, column, seen, heights) {
  if (!seen.length) return [];
  const bars = seen.map((each, index) => bar(name, each, heights[index]?.[column] ?? null, index));
  return [h("div", { class: "bars" }, ...bars), ...(seen.length === 1 ? [valueText(name, seen[0])] : [])];
}

function bar(name, seen, height, index) {
  const { analysis } = seen.view;
  const plays = analysis?.policy[name] > 0;
  const element = h("div", {
    class: `bar-well bar-${index + 1}`, title: barWords(name, seen, plays),
    data: { test: `bar-${index + 1}-${name}`, plays: plays ? "" : null,
      height: height === null ? null : height.toFixed(3) },
  }, h("div", { class: "bar-fill", data: { sign: height < 0 ? "minus" : "plus" } }),
  h("span", { class: "unseen", text: barWords(name, seen, plays) }));
  element.style.setProperty("--height", String(Math.abs(height ?? 0)));
  if (height === null) element.dataset.empty = "";
  if (isWrong(analysis, name)) element.append(h("span", { class: "bar-wrong", "aria-hidden": "true",
    data: { at: height > 0 ? "foot" : "head" } }, icon("warn")));
  return element;
}

function valueText(name, { view }) {
  return h("span", { class: "bar-value", "aria-hidden": "true",
    text: inLittleRoom(view.analysis?.values?.[name]),
    data: { plays: view.analysis?.policy[name] > 0 ? "" : null } });
}

function inLittleRoom(value) {
  if (!(Math.abs(value) >= LARGE)) return compact(value);
  return `${value > 0 ? "+" : ""}${short(Number(value.toPrecision(3)))}`;
}

function barWords(name, { name: player, view }, plays) {
  const { analysis } = view;
  if (!analysis) return view.failure ?? `${player} is asked`;
  const value = analysis.value_texts[name];
  const chance = analysis.policy[name];
  return [
    `${player}: ${value ? `value ${withMinus(value)}` : "no value"}`,
    withMinus(analysis.column_notes[name] ?? ""),
    plays ? (chance >= 1 ? "would play it" : `would play it with chance ${percent(chance)}`) : "",
    ...complaints(analysis, name),
  ].filter(Boolean).join("; ");
}

function heightsOf(analysis, names) {
  if (!analysis?.values) return null;
  return barHeights(names.map((name) => analysis.values[name]), analysis.win_value);
}

function wrongIn(seen, name) {
  return seen.some(({ view }) => isWrong(view.analysis, name));
}

function isWrong(analysis, name) {
  return Boolean(analysis?.wrong_columns.includes(name));
}

/** What the server says of a column that a player sees otherwise than perfect play. */
function complaints(analysis, name) {
  return analysis.disagreements.filter(({ columns }) => columns.includes(name))
    .map(({ sentence }) => withMinus(sentence));
}

/**
 * Sentences about a player: where it is wrong, else that it is right.
 * @param {Seen} seen
 * @returns {{text: string, kind: "wrong"|"slow"|"right"|"wait"|"fail"}[]}
 */
export function opinions({ name, view }) {
  if (view.failure) return [{ text: `${name}: ${view.failure}`, kind: "fail" }];
  if (!view.analysis) return view.waiting ? [{ text: `${name} is asked …`, kind: "wait" }] : [];
  const found = view.analysis.disagreements.map(({ kind, sentence }) => ({
    text: withMinus(sentence), kind: kind === "speed" ? "slow" : "wrong",
  }));
  const said = view.analysis.reassurance;
  if (said) found.push({ text: said, kind: "right" });
  return found.map((each) => ({ ...each, text: capital(each.text.replace(/^It\b/, name)) }));
}

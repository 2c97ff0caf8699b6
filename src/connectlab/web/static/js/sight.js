/** What a player sees in the position: words, columns, facts and groups, whatever it offers. */

import { h } from "./dom.js";
import { groupList } from "./groups.js";
import { nameOf } from "./names.js";
import { barHeights, isSteep } from "./scale.js";
import { opinions } from "./strip.js";
import { capital, outcomeOf, percent, tableFigure, verdictText, withMinus, wordsOf } from "./words.js";

/** Shows the explanation of one player. */
export class SightView {
  /**
   * @param {object} app
   * @param {import("./inside.js").Inside} inside
   */
  constructor(app, inside) {
    this._app = app;
    this._inside = inside;
    this.element = h("div", { class: "sight", data: { test: "sight" } });
    for (const each of [app.insight, app.setup]) {
      each.addEventListener("change", () => { if (this._shown) this._draw(); });
    }
  }

  /** @param {string|null} spec */
  show(spec) {
    this._spec = spec;
    this._shown = true;
    this._draw();
  }

  _draw() {
    if (!this.element.isConnected || this._inside.spec !== this._spec) return;
    const { game, insight, setup } = this._app;
    const view = insight.view(this._spec);
    const key = JSON.stringify([this._spec, game.over, view, insight.verdicts, insight.busy, setup.on]);
    if (key === this._key) return;
    this._key = key;
    this.element.replaceChildren(...this._parts(view));
  }

  _parts(view) {
    const { game, insight, setup } = this._app;
    const name = nameOf(this._spec);
    if (setup.on) return [line("A position is being set up; play from it to see more.", "soft")];
    if (game.over) return [line("The game is over, so there is nothing to think about.", "soft")];
    if (view.failure) return [line(view.failure, "fail")];
    if (!view.analysis) return [line(`${name} is asked what it sees …`, "wait")];
    const { analysis } = view;
    return [
      h("div", { class: "sentences", data: { test: "sentences" } },
        ...analysis.sentences.map((text) => line(withMinus(text), "plain")),
        ...opinions({ name, view }).map(({ text, kind }) => line(text, kind))),
      columnTable(game.position, analysis, insight.verdicts),
      ...this._groups(analysis),
      ...factList(analysis.facts),
    ];
  }

  _groups(analysis) {
    if (!analysis.groups.length) return [];
    return [
      h("h3", { text: "What decides" }),
      h("p", { class: "soft small", text: `${capital(withMinus(analysis.legend))}.` }),
      groupList(this._app, analysis.groups, { geometry: this._app.game.geometry,
        open: (part) => this._inside.openPart(part), whole: analysis.win_value }),
    ];
  }
}

function line(text, kind) {
  return h("p", { class: `said said-${kind}`, text });
}

/** Every column: how likely it is played, its value beside the verdict, what is to be said of it. */
function columnTable(position, analysis, verdicts) {
  const { geometry } = position;
  const names = position.legal.map((column) => geometry.columnName(column));
  const heights = analysis.values
    ? barHeights(names.map((name) => analysis.values[name]), analysis.win_value) : [];
  const counts = sameCounts(names.map((name) => analysis.column_notes[name] ?? ""));
  const headings = ["column", "plays", ...(analysis.values ? ["value"] : []),
    ...(verdicts ? ["perfect"] : []), ...(counts ? [counts.noun] : [])];
  const steep = analysis.values && isSteep(names.map((name) => analysis.values[name]), analysis.win_value);
  const caption = [analysis.unit ? `value: ${withMinus(analysis.unit)}` : "columns",
    ...(steep ? ["bars are logarithmic"] : [])].join("; ");
  const best = (name) => (analysis.best.includes(name) ? "" : null);
  const rows = names.flatMap((name, index) => [h("tr", { data: { best: best(name) } },
    h("th", { scope: "row", text: name }),
    h("td", { text: analysis.policy[name] > 0 ? percent(analysis.policy[name]) : "" }),
    ...(analysis.values ? [h("td", { class: "has-bar" }, sideBar(heights[index]),
      h("span", { text: withMinus(analysis.value_texts[name]) }))] : []),
    ...(verdicts ? [verdictCell(name, verdicts)] : []),
    ...(counts ? [countCell(counts, index)] : [])),
  ...(counts ? [] : noteRow(analysis.column_notes[name], headings.length, best(name)))]);
  return h("div", { class: "scroll" }, h("table", { class: "figures", data: { test: "sight-columns" } },
    h("caption", { class: "small soft", text: caption }),
    h("thead", {}, h("tr", {}, ...headings.map((text) => h("th", { scope: "col", text })))),
    h("tbody", {}, ...rows)));
}

function verdictCell(name, verdicts) {
  const score = verdicts.scores[name];
  return h("td", {}, h("span", { class: `verdict verdict-${outcomeOf(score)}`,
    title: verdicts.words[name] || "not solved", data: { best: verdicts.best.includes(name) ? "" : null },
    text: verdictText(score, verdicts.distances[name]) }));
}

/** What is said of a column, in a row of its own below its figures. */
function noteRow(note, width, best) {
  if (!note) return [];
  return [h("tr", { class: "noted", data: { best } },
    h("td", { class: "note", colspan: String(width), text: withMinus(note) }))];
}

function countCell(counts, index) {
  return h("td", { class: "has-bar" }, sideBar(counts.heights[index], "count"),
    h("span", { text: tableFigure(counts.numbers[index]) }));
}

/** Notes that all count the same thing, such as "302 visits", are drawn as bars. */
function sameCounts(notes) {
  const found = notes.map((note) => /^([\d,]+) (\p{L}+)$/u.exec(note));
  if (!found.length || found.some((each) => !each)) return null;
  const nouns = new Set(found.map((each) => each[2].replace(/s$/, "")));
  if (nouns.size > 1) return null;
  const numbers = found.map((each) => Number(each[1].replaceAll(",", "")));
  return { noun: `${[...nouns][0]}s`, numbers, heights: barHeights(numbers, Math.max(...numbers)) };
}

function sideBar(height, kind) {
  if (height === null || height === undefined) return null;
  const tone = kind ?? (height < 0 ? "minus" : "plus");
  const bar = h("span", { class: `side-bar ${tone}`, "aria-hidden": "true" });
  bar.style.setProperty("--height", String(Math.abs(height)));
  return bar;
}

/**
 * List facts by name.
 * @param {Record<string, unknown>} facts
 * @returns {HTMLElement[]}
 */
export function factList(facts) {
  const names = Object.keys(facts).filter((name) => facts[name] !== null);
  if (!names.length) return [];
  return [h("dl", { class: "facts", data: { test: "facts" } }, ...names.map((name) => h("div", {},
    h("dt", { text: wordsOf(name) }), h("dd", { text: tableFigure(facts[name]) }))))];
}

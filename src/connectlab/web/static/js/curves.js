/** The plot of several runs: which figure, over games or seconds, and a legend. */

import { button, h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { count, duration, short } from "./figures.js";
import { nameOf } from "./names.js";
import { MOST_LINES, Plot, swatch } from "./plot.js";
import { wordsOf } from "./words.js";

const AXES = {
  games: { x: "games of training", tell: (value) => `${count(value)} games`, tick: short },
  seconds: { x: "time of training", tell: (value) => duration(value), tick: duration },
};
const OWN = new Set(["games", "seconds", "evaluation"]);
const OVER = new Set(["stopped", "finished", "failed", "damaged"]);
const NOTHING = JSON.stringify([[], []]);

/** Draws the runs that were chosen; the choice itself is the list's. Fires "chosen". */
export class Curves extends EventTarget {
  /** @param {import("./feed.js").RunsFeed} feed */
  constructor(feed) {
    super();
    this.feed = feed;
    /** @type {Map<string, number>} the slot of every chosen run */
    this.chosen = new Map();
    this.plot = new Plot();
    this.key = null;
    this.figures = h("select", { id: "plot-figure", data: { test: "plot-figure" },
      on: { change: () => { this._picked = true; this.key = this.figures.value; this.draw(); } } });
    this.axis = h("select", { id: "plot-axis", data: { test: "plot-axis" },
      on: { change: () => this.draw() } },
    h("option", { value: "games", text: "over games" }), h("option", { value: "seconds", text: "over time" }));
    this.legend = h("ul", { class: "plot-legend", "aria-label": "Lines" });
    this.note = h("p", { class: "soft small" });
    this.tools = h("div", { class: "curves-tools" },
      h("label", { class: "unseen", for: "plot-figure", text: "Figure" }), this.figures,
      h("label", { class: "unseen", for: "plot-axis", text: "Horizontal axis" }), this.axis,
      button("Larger", () => this._enlarge(), { class: "button button-small", test: "plot-larger" }));
    this.element = h("section", { class: "curves", "aria-label": "Curves" },
      this.tools, this.plot.element, this.legend, this.note);
  }

  /**
   * Choose a run for the plot, or take it out; the oldest gives way to one too many.
   * @param {string} name
   * @param {boolean} wanted
   */
  choose(name, wanted) {
    if (!wanted) this.chosen.delete(name);
    else if (!this.chosen.has(name)) {
      if (this.chosen.size >= MOST_LINES) this.chosen.delete(this.chosen.keys().next().value);
      const taken = new Set(this.chosen.values());
      this.chosen.set(name, [...Array(MOST_LINES).keys()].find((slot) => !taken.has(slot)));
    }
    this.feed.watch([...this.chosen.keys()]);
    this.draw();
    this.dispatchEvent(new CustomEvent("chosen"));
  }

  /** Draw what is known now. */
  draw() {
    const runs = this.feed.runs.filter((run) => this.chosen.has(run.name));
    this._listFigures(runs);
    const axis = this.axis.value;
    const lines = runs.map((run) => this._line(run, axis));
    this.element.hidden = !runs.length;
    this.element.dataset.figure = this.key ?? "";
    const drawn = lines.filter((line) => line.points.length);
    this.tools.hidden = !this._listed || this._listed === NOTHING;
    this.plot.element.hidden = this.legend.hidden = !drawn.length;
    const values = drawn.flatMap((line) => line.points.map((point) => point.y ?? 0));
    const share = /rate|accuracy/.test(this.key ?? "") && values.every((value) => value <= 1);
    const labels = { ...AXES[axis], y: this._label(this.key ?? "") };
    this.plot.show(drawn, labels, { share });
    this._larger?.show(drawn, labels, { share });
    this._explain(runs, drawn);
    this.legend.replaceChildren(...drawn.map((line) => h("li", {}, swatch(line.slot),
      h("span", { text: line.name }))));
  }

  _explain(runs, drawn) {
    const opponent = runs.map((run) => run.last).find((last) => last?.key === this.key)?.opponent;
    const against = opponent && !opponent.startsWith("perfect") ? `Against ${nameOf(opponent)}. ` : "";
    const band = drawn.some((line) => line.points.some((point) => point.low !== undefined))
      ? "The band holds the 95 % interval." : "";
    this.note.textContent = drawn.length ? against + band
      : this.key ? "Nothing of this was measured yet." : beforeFirst(runs);
    this.note.hidden = !this.note.textContent;
  }

  _line(run, axis) {
    const points = this.feed.rowsOf(run.name)
      .filter((row) => this.key in row)
      .map((row) => {
        const interval = row[`${this.key}_interval`];
        const point = { x: row[axis], y: row[this.key] };
        return interval ? { ...point, low: interval[0], high: interval[1] } : point;
      })
      .sort((a, b) => a.x - b.x);
    return { name: run.name, slot: this.chosen.get(run.name), points };
  }

  /**
   * Offer every figure that a chosen run has. The first evaluation figure is the usual one: while
   * it is still to come, nothing else is drawn unless somebody picks it.
   */
  _listFigures(runs) {
    const measured = [...new Set(runs.flatMap((run) => run.figures))];
    const told = new Set(runs.flatMap((run) => run.metrics));
    for (const run of runs) {
      for (const key of Object.keys(this.feed.rowsOf(run.name)[0] ?? {})) {
        if (!OWN.has(key) && !key.endsWith("_interval") && !measured.includes(key)) told.add(key);
      }
    }
    const all = [...measured, ...told];
    const awaited = !measured.length && runs.some(isJudgedLater);
    if (!all.includes(this.key) || (!this._picked && (awaited || !measured.includes(this.key)))) {
      this.key = (awaited ? null : all[0]) ?? null;
    }
    const listed = JSON.stringify([measured, [...told]]);
    if (listed !== this._listed) {
      this._listed = listed;
      this.figures.replaceChildren(this._group("Measured", measured),
        this._group("Told by the learner", [...told]));
    }
    this.figures.value = this.key ?? "";
  }

  _group(label, keys) {
    return h("optgroup", { label, hidden: !keys.length },
      ...keys.map((key) => h("option", { value: key, text: this._label(key) })));
  }

  /** What a figure is called: the server knows, unless the learner made it up. */
  _label(key) {
    return this.feed.runs.find((run) => key in run.labels)?.labels[key] ?? wordsOf(key);
  }

  _enlarge() {
    this._larger = new Plot({ height: 0.56 });
    const dialog = openDialog({ title: this._label(this.key ?? ""), wide: true, test: "plot-dialog",
      body: [this._larger.element, this.legend.cloneNode(true)] });
    dialog.classList.add("dialog-plot");
    dialog.addEventListener("close", () => { this._larger = null; });
    this.draw();
  }
}

/** Whether a run goes on and will be measured for the first time. */
function isJudgedLater(run) {
  return !OVER.has(run.state) && run.measures.length > 0 && run.evaluations === 0;
}

/** Why nothing is drawn yet, or never will be. */
function beforeFirst(runs) {
  if (runs.every((run) => OVER.has(run.state))) return "Nothing was measured in this run.";
  const awaited = runs.find((run) => isJudgedLater(run) && run.evaluation_every);
  const when = awaited ? `The first measurement comes after ${count(awaited.evaluation_every)} games.`
    : "The curve begins with the first games.";
  return runs.some((run) => run.games > 0) ? when
    : `${when} A first run has to compile its kernels before.`;
}

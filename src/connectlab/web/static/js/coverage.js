/** What a set of tuples covers, measured while it is edited. */

import { boardOf, named } from "./cells.js";
import { h } from "./dom.js";
import { groupList } from "./groups.js";
import { heatPicture } from "./miniboard.js";
import { sentenceOf } from "./say.js";
import { tableFigure } from "./words.js";

const SETTLES_MS = 150;
/** Lines out of sight that are drawn. */
const MOST_LINES = 24;
const BYTES = 4;

/** Shows cells, lines and weights of the set in the editor; fires "change" when they are known. */
export class CoverageView extends EventTarget {
  /**
   * @param {object} app
   * @param {import("./tuples.js").TupleEditor} editor
   */
  constructor(app, editor) {
    super();
    Object.assign(this, { _app: app, _editor: editor, found: null });
    this.element = h("div", { class: "coverage", data: { test: "coverage" } });
  }

  /** Measure the set that stands now; an older answer is thrown away. */
  measure() {
    const { set, geometry } = this._editor;
    const key = JSON.stringify([boardOf(geometry), set.tuples]);
    if (key === this._key) return;
    this._key = key;
    this._asking?.abort();
    clearTimeout(this._timer);
    if (!set.tuples.length) {
      this.found = null;
      this.element.replaceChildren();
      return;
    }
    this._timer = setTimeout(() => this._ask(key), SETTLES_MS);
  }

  async _ask(key) {
    const { set, geometry } = this._editor;
    const asking = new AbortController();
    this._asking = asking;
    try {
      const found = await this._app.api.post("/tuples/coverage",
        { board: boardOf(geometry), tuples: set.tuples }, { signal: asking.signal });
      if (key !== this._key) return;
      this.found = found;
      this._draw();
      this.dispatchEvent(new CustomEvent("change"));
    } catch (error) {
      if (error.name === "AbortError" || key !== this._key) return;
      this._key = null;
      this.element.replaceChildren(h("p", { class: "said said-fail", text: sentenceOf(error) }));
    }
  }

  _draw() {
    const { cells, lines, seen, unseen, weights, duplicates, problem } = this.found;
    const { geometry } = this._editor;
    const words = "How many tuples look at each cell";
    this.element.replaceChildren(
      h("h3", { text: "What the set covers" }),
      ...(problem ? [h("p", { class: "said said-wrong", text: sentenceOf(problem),
        data: { test: "tuple-problem" } })] : []),
      h("div", { class: "coverage-figures" },
        h("figure", { class: "heat-figure" }, heatPicture(geometry, cells, words),
          h("figcaption", { class: "small soft", text: `${words}.` })),
        h("dl", { class: "facts" },
          fact("lines seen whole", `${seen} of ${lines}`, "lines-seen"),
          fact("weights", tableFigure(weights), "weights"),
          fact("memory of the weights", megabytes(BYTES * weights)),
          fact("duplicates", tableFigure(duplicates.length), "duplicates"))),
      ...this._unseen(unseen, geometry));
  }

  _unseen(unseen, geometry) {
    if (!unseen.length) return [];
    const shown = unseen.slice(0, MOST_LINES).map((cells) => ({ ...named(cells, geometry),
      title: lineName(cells, geometry), weight: null, note: "" }));
    const more = unseen.length > shown.length ? `, the first ${shown.length}` : "";
    return [h("details", { class: "unseen-lines" },
      h("summary", { text: `${unseen.length} lines that no tuple sees whole${more}` }),
      groupList(this._app, shown, { geometry }))];
  }
}

function fact(name, value, test) {
  return h("div", {}, h("dt", { text: name }), h("dd", { text: value, data: { test: test ?? null } }));
}

function megabytes(bytes) {
  const size = bytes / 1e6;
  return size < 0.1 ? "less than 0.1 MB" : `${size < 10 ? size.toFixed(1) : tableFigure(Math.round(size))} MB`;
}

function lineName(cells, geometry) {
  const [from, to] = [cells[0], cells.at(-1)]
    .map(([column, row]) => `${geometry.columnName(column)}/${row + 1}`);
  return `${from} to ${to}`;
}

/** What a player is made of: figures of the whole, what it covers, and a table of its parts. */

import { boardOf } from "./cells.js";
import { button, h } from "./dom.js";
import { groupPicture, heatPicture } from "./miniboard.js";
import { PartView } from "./part.js";
import { sentenceOf } from "./say.js";
import { factList } from "./sight.js";
import { capital, tableFigure, wordsOf } from "./words.js";

/** Rows of the table that are drawn at first, and with every wish for more. */
const ROWS = 40;

/** Shows what a player consists of, and one part of it when asked. */
export class ContentsView {
  /**
   * @param {object} app
   * @param {import("./inside.js").Inside} inside
   */
  constructor(app, inside) {
    this._app = app;
    this._inside = inside;
    this.element = h("div", { class: "contents", data: { test: "contents" } });
    this._sort = { column: "number", down: false };
    this._rows = ROWS;
    this._key = null;
    this._part = null;
    app.insight.addEventListener("forgotten", ({ detail }) => this._forget(detail.spec));
  }

  /** @param {string|null} spec */
  show(spec) {
    const geometry = this._app.game.geometry;
    const key = `${spec} ${geometry} ${geometry.variant}`;
    if (key === this._key) return;
    this._asking?.abort();
    Object.assign(this, { _key: key, _spec: spec, _geometry: geometry, _found: null, _part: null,
      _rows: ROWS, _sort: { column: "number", down: false } });
    this._load(key);
  }

  /**
   * Show one part.
   * @param {number} number
   */
  openPart(number) {
    this._part = number;
    this._draw();
    this.element.closest(".panels")?.scrollTo({ top: 0 });
  }

  /** Go back from a part to the table. */
  closePart() {
    const number = this._part;
    this._part = null;
    this._app.board.overlay(null);
    this._draw();
    this.element.querySelector(`[data-part="${number}"]`)?.focus();
  }

  /** Look again at a player that has learned. */
  _forget(spec) {
    if (spec !== this._spec) return;
    this._key = null;
    if (this.element.isConnected) this.show(spec);
  }

  async _load(key) {
    const asking = new AbortController();
    this._asking = asking;
    this.element.replaceChildren(line("Looking inside …", "wait"));
    try {
      const body = { player: this._spec, board: boardOf(this._geometry) };
      const found = await this._app.api.post("/contents", body, { signal: asking.signal });
      if (key !== this._key) return;
      this._found = found;
      this._draw();
    } catch (error) {
      if (error.name === "AbortError" || key !== this._key) return;
      this._key = null;
      this.element.replaceChildren(line(sentenceOf(error), "fail"));
    }
  }

  _draw() {
    if (!this._found) return;
    if (this._part !== null) {
      const view = new PartView(this._app, { spec: this._spec, geometry: this._geometry,
        number: this._part, noun: this._found.noun, total: this._found.total,
        close: () => this.closePart(), go: (number) => this.openPart(number) });
      this.element.replaceChildren(view.element);
      view.element.querySelector("h3").focus();
      return;
    }
    this.element.replaceChildren(...(this._found.learned ? this._parts()
      : [line("It has learned nothing that could be listed: it plays by rules and search alone.",
        "soft")]));
  }

  _parts() {
    const { facts, parts, noun } = this._found;
    const covering = parts.some((part) => part.cells.length > 1);
    return [
      ...factList(facts),
      ...(covering ? [this._heat()] : []),
      ...(parts.length ? [h("h3", { text: `Its ${parts.length} ${noun}s` }), this._table()] : []),
    ];
  }

  _heat() {
    const { parts, noun } = this._found;
    const counts = Array.from({ length: this._geometry.columns },
      () => Array(this._geometry.rows).fill(0));
    for (const part of parts) {
      for (const [name, row] of part.cells) counts[this._geometry.columnNamed(name)][row - 1] += 1;
    }
    const words = `How many ${noun}s look at each cell`;
    return h("figure", { class: "heat-figure", data: { test: "heat" } },
      heatPicture(this._geometry, counts, words),
      h("figcaption", { class: "small soft" }, h("span", { text: `${words}.` }),
        ...(noun === "tuple" ? [button("Edit this set", () => this._edit(),
          { class: "button button-small", test: "edit-set" })] : [])));
  }

  _edit() {
    const geometry = this._geometry;
    this._inside.edit(this._found.parts.map((part) =>
      part.cells.map(([name, row]) => [geometry.columnNamed(name), row - 1])));
  }

  _table() {
    const { columns, noun, parts } = this._found;
    const names = ["number", ...Object.keys(columns)];
    const sorted = this._sorted();
    const shown = sorted.slice(0, this._rows);
    const pictured = parts.some((part) => part.cells.length);
    const table = h("table", { class: "figures parts", data: { test: "parts" } },
      h("thead", {}, h("tr", {}, ...(pictured ? [h("th", { scope: "col" },
        h("span", { class: "unseen", text: "cells" }))] : []),
      ...names.map((name) => this._heading(name, name === "number" ? noun : name, columns[name])))),
      h("tbody", {}, ...shown.map((part) => this._row(part, names, pictured))));
    const wrapped = h("div", { class: "scroll" }, table);
    if (shown.length === sorted.length) return wrapped;
    return h("div", {}, wrapped, button(`Show more (${sorted.length - shown.length} left)`, () => {
      this._rows += 3 * ROWS;
      this._draw();
    }, { class: "button button-small", test: "more-parts" }));
  }

  _heading(name, title, meaning) {
    const { column, down } = this._sort;
    const chosen = column === name;
    return h("th", { scope: "col", "aria-sort": chosen ? (down ? "descending" : "ascending") : null },
      h("button", { type: "button", class: "sort", title: meaning ?? null, data: { test: `sort-${name}` },
        on: { click: () => this._sortBy(name) } },
      wordsOf(title), h("span", { "aria-hidden": "true", class: "sort-mark",
        text: chosen ? (down ? "▼" : "▲") : "" })));
  }

  _sortBy(name) {
    const { column, down } = this._sort;
    this._sort = { column: name, down: column === name ? !down : name !== "number" };
    this._draw();
    this.element.querySelector(`[data-test="sort-${name}"]`)?.focus();
  }

  _sorted() {
    const { column, down } = this._sort;
    const valueOf = (part) => (column === "number" ? part.number : part.figures[column]);
    const sign = down ? -1 : 1;
    return [...this._found.parts].sort((a, b) =>
      sign * (valueOf(a) - valueOf(b)) || a.number - b.number);
  }

  _row(part, names, pictured) {
    const light = (on) => {
      if (!this._app.board.position.geometry.equals(this._geometry)) return;
      this._app.board.overlay(on && part.cells.length ? [part] : null);
    };
    const title = `${capital(this._found.noun)} ${part.number}`;
    return h("tr", { on: { pointerenter: () => light(true), pointerleave: () => light(false) } },
      ...(pictured ? [h("td", { class: "has-tiny" }, groupPicture(this._geometry, part))] : []),
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", text: String(part.number),
        "aria-label": title, data: { part: String(part.number), test: `part-${part.number}` },
        on: { click: () => this.openPart(part.number), focus: () => light(true), blur: () => light(false) } })),
      ...names.slice(1).map((name) => h("td", { text: tableFigure(part.figures[name]) })));
  }
}

function line(text, kind) {
  return h("p", { class: `said said-${kind}`, text });
}

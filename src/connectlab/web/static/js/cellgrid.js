/** A board of switches, one for each cell: the tuple that is edited. */

import { h } from "./dom.js";

/** Lets a person put cells into the tuple that is edited, by mouse, touch or keys. */
export class CellGrid {
  /** @param {import("./tuples.js").TupleEditor} editor */
  constructor(editor) {
    this._editor = editor;
    this._at = [0, 0];
    this.element = h("div", { class: "cell-grid", role: "group", data: { test: "cell-grid" },
      "aria-label": "Cells of the tuple; arrow keys move, space adds or removes" });
    this.element.addEventListener("keydown", (event) => this._onKey(event));
  }

  /** Put the focus on the cell that was last at hand. */
  focus() {
    this._button(...this._at)?.focus();
  }

  /** Show the tuple that is edited. */
  draw() {
    const { geometry, set } = this._editor;
    if (!this._geometry?.equals(geometry)) this._build(geometry);
    for (const element of this.element.children) {
      const [column, row] = placeOf(element);
      element.setAttribute("aria-pressed", String(set.has(column, row)));
    }
  }

  _build(geometry) {
    this._geometry = geometry;
    this._at = [Math.floor(geometry.columns / 2), 0];
    this.element.style.setProperty("--columns", String(geometry.columns));
    const cells = [];
    for (let row = geometry.rows - 1; row >= 0; row -= 1) {
      for (let column = 0; column < geometry.columns; column += 1) {
        cells.push(this._cell(geometry, column, row));
      }
    }
    this.element.replaceChildren(...cells);
  }

  _cell(geometry, column, row) {
    const name = `${geometry.columnName(column)}/${row + 1}`;
    const here = column === this._at[0] && row === this._at[1];
    return h("button", { type: "button", class: "cell", tabindex: here ? "0" : "-1",
      "aria-label": `column ${geometry.columnName(column)}, row ${row + 1}`, "aria-pressed": "false",
      data: { place: `${column},${row}`, test: `cell-${name}` },
      on: { click: () => { this._rove([column, row]); this._editor.set.toggle(column, row); } } });
  }

  _button(column, row) {
    return this.element.querySelector(`[data-place="${column},${row}"]`);
  }

  _onKey(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const { columns, rows } = this._geometry;
    this._rove([clamp(this._at[0] + step[0], columns), clamp(this._at[1] + step[1], rows)]);
    this.focus();
  }

  _rove(to) {
    this._button(...this._at)?.setAttribute("tabindex", "-1");
    this._at = to;
    this._button(...to)?.setAttribute("tabindex", "0");
  }
}

function placeOf(element) {
  return element.dataset.place.split(",").map(Number);
}

function clamp(value, size) {
  return Math.min(size - 1, Math.max(0, value));
}

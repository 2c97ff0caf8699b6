/** The board on the page: discs that fall behind a frame, and a button for each column. */

import { Columns } from "./columns.js";
import { h, svg } from "./dom.js";
import { boardFrame, discDrawing, lineThrough, overlayDrawing, CELL, LIP, PAD, ROOM }
  from "./drawing.js";
import { appearAfter, dropDisc, sinkDiscs, sweepDiscs } from "./motion.js";

const LEAST_CELL = 4;
/** Share of a column that what stands below it may take. */
const ROOM_BELOW = 0.9;

/**
 * Shows a position and lets a person choose a column: fires "choose" with `detail.column`, and
 * "cell" with `detail.column` and `detail.row` while `editing` is on.
 *
 * `under` is a grid with a place below each column, `side` a slim place beside the board.
 */
export class BoardView extends EventTarget {
  /** @param {HTMLElement} element where the board goes */
  constructor(element) {
    super();
    this.element = element;
    this.side = h("div", { class: "board-side", data: { test: "board-side" } });
    this.under = h("div", { class: "board-under", data: { test: "board-under" } });
    this.columns = new Columns();
    this.drawing = svg("svg", { class: "board-drawing", "aria-hidden": "true" });
    this.face = h("div", { class: "board-face" }, this.drawing, this.columns.element);
    element.append(this.side, this.face, this.under);
    this.editing = false;
    this.enabled = false;
    this.columns.addEventListener("press", ({ detail }) =>
      this._onPress(detail.column, detail.clientY));
    this.columns.addEventListener("over", () => this._preview());
    this._fitting();
  }

  /**
   * Show a position.
   * @param {import("./rules.js").Position} position
   * @param {{last?: number|null, drop?: boolean, sink?: boolean, sweep?: boolean}} [options]
   *   `last`: the column of the last move; `drop`: let its disc fall; `sink`: let a fallen row sink;
   *   `sweep`: let what lies there fall out below
   */
  show(position, options = {}) {
    if (!this.position || !this.position.geometry.equals(position.geometry)) {
      this._build(position.geometry);
    } else if (options.sweep) sweepDiscs(this._discs, this.drawing.viewBox.baseVal.height);
    this.position = position;
    this._last = options.last ?? null;
    this._drawDiscs();
    this._drawMarks();
    this._nameColumns();
    if (options.drop && this._last !== null) this._drop(options.sink);
  }

  /**
   * Whether a person may choose a column now.
   * @param {boolean} on
   */
  enable(on) {
    if (this.enabled === on) return;
    this.enabled = on;
    this.face.toggleAttribute("data-open", on);
    this._nameColumns();
    this._preview();
  }

  /**
   * Light columns that are worth a look; none takes the light away.
   * @param {number[]} columns
   */
  light(columns) {
    this._lights.replaceChildren(...columns.map((column) => svg("rect", {
      class: "board-light", x: PAD + column * CELL + 4, y: ROOM + 6, width: CELL - 8,
      height: this.position.geometry.rows * CELL + PAD, rx: 18,
    })));
  }

  /**
   * Outline groups of cells with their marks; null takes them away.
   * @param {{title?: string, cells: [string, number][], marks?: string[], note?: string}[]|null}
   *   groups as an Analysis has them: columns as people name them, rows from 1
   */
  overlay(groups) {
    const { geometry } = this.position;
    this._overlay.replaceChildren(...(groups ?? []).map((g) => overlayDrawing(g, geometry)));
    this.face.toggleAttribute("data-overlaid", Boolean(groups?.length));
  }

  /** Put the focus on the column that was chosen last. */
  focus() {
    this.columns.focus();
  }

  _build(geometry) {
    const { columns, rows } = geometry;
    const width = columns * CELL + 2 * PAD;
    const height = ROOM + rows * CELL + 2 * PAD + LIP;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this._discs = svg("g", { class: "discs" });
    this._well = svg("g", { "clip-path": "url(#board-clip)" }, this._discs);
    this._ghost = svg("g", { class: "ghost" });
    this._lights = svg("g");
    this._marks = svg("g", { class: "marks" });
    this._overlay = svg("g", { class: "overlay" });
    this.drawing.replaceChildren(
      svg("clipPath", { id: "board-clip" },
        svg("rect", { x: 0, y: 0, width, height: height - LIP - PAD / 2 })),
      svg("rect", { class: "board-back", x: PAD / 2, y: ROOM + PAD / 2, width: width - PAD,
        height: height - ROOM - PAD, rx: 24 }),
      this._well, this._ghost, boardFrame(geometry), this._lights, this._marks, this._overlay,
    );
    this.element.style.setProperty("--columns", columns);
    this.element.style.setProperty("--pad", `${(100 * PAD) / width}%`);
    this.element.style.setProperty("--cell", `${100 / columns}%`);
    this._ratio = width / height;
    this.columns.make(columns);
    this._fit();
  }

  _nameColumns() {
    const { geometry, legal } = this.position;
    this.columns.label((column) => ({
      name: `column ${geometry.columnName(column)}, `
        + `${this.position.height(column)} of ${geometry.rows} filled`,
      closed: !this.editing && (!this.enabled || !legal.includes(column)),
    }));
  }

  _drawDiscs() {
    const { columns, rows } = this.position.geometry;
    const won = new Set(this.position.winningCells.map(String));
    const discs = [];
    for (let column = 0; column < columns; column += 1) {
      for (let row = 0; row < rows; row += 1) {
        const stone = this.position.at(column, row);
        if (!stone) continue;
        const disc = discDrawing(stone, this._x(column), this._y(row));
        disc.dataset.cell = `${column},${row}`;
        disc.toggleAttribute("data-faded", won.size > 0 && !won.has(`${column},${row}`));
        discs.push(disc);
      }
    }
    this._discs.replaceChildren(...discs);
  }

  _drawMarks() {
    const won = this.position.winningCells;
    const marks = [];
    const row = this._last === null ? -1 : this.position.height(this._last) - 1;
    if (row >= 0) {
      marks.push(svg("circle", { class: "mark-last", cx: this._x(this._last), cy: this._y(row),
        r: CELL * 0.43 }));
    }
    marks.push(...lineThrough(won, (column) => this._x(column), (r) => this._y(r)));
    this._marks.replaceChildren(...marks);
    this._lights.replaceChildren();
    this._preview();
  }

  _drop(sink) {
    const row = this.position.height(this._last) - 1;
    const disc = this._discs.querySelector(`[data-cell="${this._last},${row}"]`);
    if (disc) appearAfter(this._marks, dropDisc(disc, this._y(row) - ROOM / 2));
    if (sink) sinkDiscs(this._discs, CELL);
  }

  _preview() {
    const { over } = this.columns;
    const open = this.enabled && !this.editing && over !== null
      && this.position.legal.includes(over);
    this._ghost.replaceChildren(
      ...(open ? [discDrawing(this.position.side + 1, this._x(over), ROOM / 2)] : []),
    );
  }

  _x(column) {
    return PAD + (column + 0.5) * CELL;
  }

  _y(row) {
    return ROOM + PAD + (this.position.geometry.rows - row - 0.5) * CELL;
  }

  _onPress(column, clientY) {
    if (this.editing) {
      const row = clientY === null ? null : this._rowAt(clientY);
      this.dispatchEvent(new CustomEvent("cell", { detail: { column, row } }));
    } else if (this.enabled && this.position.legal.includes(column)) {
      this.dispatchEvent(new CustomEvent("choose", { detail: { column } }));
    }
  }

  _rowAt(clientY) {
    const box = this.drawing.getBoundingClientRect();
    const { rows } = this.position.geometry;
    const y = (clientY - box.top) * (this.drawing.viewBox.baseVal.height / box.height);
    return Math.min(rows - 1, Math.max(0, rows - 1 - Math.floor((y - ROOM - PAD) / CELL)));
  }

  _fitting() {
    const observer = new ResizeObserver(() => this._fit());
    for (const element of [this.element.parentElement, this.under, this.side]) {
      observer.observe(element);
    }
  }

  /** Make the board as large as its place allows. */
  _fit() {
    if (!this._ratio) return;
    const place = this.element.parentElement;
    place.style.setProperty("--under", `${this.under.offsetHeight}px`);
    const tall = (place.clientHeight - this.under.offsetHeight) * this._ratio;
    const wide = place.clientWidth - this.side.offsetWidth;
    const cells = this.drawing.viewBox.baseVal.width / CELL;
    const width = Math.floor(Math.max(LEAST_CELL * cells, Math.min(wide, tall)));
    place.parentElement.style.setProperty("--board-width", `${width}px`);
    this._fitBelow();
  }

  /** Let what stands below the columns know how wide they are, and turn what is wider. */
  _fitBelow() {
    const { under } = this;
    if (!under.childElementCount) return;
    const column = under.firstElementChild.offsetWidth;
    under.style.setProperty("--cell-width", `${column}px`);
    under.removeAttribute("data-narrow");
    const wide = [...under.querySelectorAll(".bar-value")].some((value) =>
      value.offsetWidth > ROOM_BELOW * column);
    under.toggleAttribute("data-narrow", wide);
  }
}

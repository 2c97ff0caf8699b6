/** The board on the page: discs that fall behind a frame, and a button for each column. */

import { h, svg } from "./dom.js";
import { boardFrame, discDrawing, lineThrough, overlayDrawing, CELL, LIP, PAD, ROOM }
  from "./drawing.js";
import { appearAfter, dropDisc, sinkDiscs } from "./motion.js";

const LEAST_WIDTH = 160;

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
    this.buttons = h("div", { class: "board-columns", role: "group", "aria-label": "Board" });
    this.drawing = svg("svg", { class: "board-drawing", "aria-hidden": "true" });
    this.face = h("div", { class: "board-face" }, this.drawing, this.buttons);
    element.append(this.side, this.face, this.under);
    this.editing = false;
    this.enabled = false;
    this._column = 0;
    this._listen();
    this._fitting();
  }

  /**
   * Show a position.
   * @param {import("./rules.js").Position} position
   * @param {{last?: number|null, drop?: boolean, sink?: boolean}} [options] `last`: the column of
   *   the last move; `drop`: let its disc fall; `sink`: let a fallen row sink
   */
  show(position, options = {}) {
    if (!this.position || !this.position.geometry.equals(position.geometry)) {
      this._build(position.geometry);
    }
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
      height: this.position.geometry.rows * CELL + 2 * PAD - 12, rx: 18,
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
    this.buttons.children[this._column]?.focus();
  }

  _build(geometry) {
    const { columns, rows } = geometry;
    const width = columns * CELL + 2 * PAD;
    const height = ROOM + rows * CELL + 2 * PAD + LIP;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this._discs = svg("g", { class: "discs", "clip-path": "url(#board-clip)" });
    this._ghost = svg("g", { class: "ghost" });
    this._lights = svg("g");
    this._marks = svg("g", { class: "marks" });
    this._overlay = svg("g", { class: "overlay" });
    this.drawing.replaceChildren(
      svg("clipPath", { id: "board-clip" },
        svg("rect", { x: 0, y: 0, width, height: height - LIP - PAD / 2 })),
      svg("rect", { class: "board-back", x: PAD / 2, y: ROOM + PAD / 2, width: width - PAD,
        height: height - ROOM - PAD, rx: 24 }),
      this._discs, this._ghost, boardFrame(geometry), this._lights, this._marks, this._overlay,
    );
    this.element.style.setProperty("--columns", columns);
    this.element.style.setProperty("--pad", `${(100 * PAD) / width}%`);
    this.element.style.setProperty("--cell", `${100 / columns}%`);
    this._ratio = width / height;
    this._column = Math.floor(columns / 2);
    this._makeButtons(columns);
    this._fit();
  }

  _makeButtons(columns) {
    const made = Array.from({ length: columns }, (_, column) => h("button", {
      type: "button", class: "board-column", tabindex: column === this._column ? "0" : "-1",
      data: { column: String(column), test: `column-${column + 1}` },
    }));
    this.buttons.replaceChildren(...made);
  }

  _nameColumns() {
    const { geometry } = this.position;
    const legal = this.position.legal;
    [...this.buttons.children].forEach((element, column) => {
      const filled = `${this.position.height(column)} of ${geometry.rows} filled`;
      element.setAttribute("aria-label", `column ${geometry.columnName(column)}, ${filled}`);
      const closed = !this.editing && (!this.enabled || !legal.includes(column));
      element.setAttribute("aria-disabled", String(closed));
    });
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
    const over = this._hovered ?? (this._focused ? this._column : null);
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

  _listen() {
    const columnOf = (event) => {
      const found = event.target.closest?.("[data-column]");
      return found ? Number(found.dataset.column) : null;
    };
    this.buttons.addEventListener("click", (event) => this._onClick(event, columnOf(event)));
    this.buttons.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this._hover(columnOf(event));
    });
    this.buttons.addEventListener("pointerleave", () => this._hover(null));
    this.buttons.addEventListener("focusin", (event) => {
      this._focused = event.target.matches(":focus-visible");
      this._rove(columnOf(event) ?? this._column);
    });
    this.buttons.addEventListener("focusout", () => { this._focused = false; this._preview(); });
    this.buttons.addEventListener("keydown", (event) => this._onKey(event));
  }

  _onClick(event, column) {
    if (column === null) return;
    if (this.editing) {
      const row = event.detail === 0 ? null : this._rowAt(event.clientY);
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

  _onKey(event) {
    const last = this.position.geometry.columns - 1;
    const to = { ArrowLeft: this._column - 1, ArrowRight: this._column + 1, Home: 0, End: last };
    if (!(event.key in to) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this._rove(Math.min(last, Math.max(0, to[event.key])));
    this._focused = true;
    this.focus();
  }

  _rove(column) {
    this.buttons.children[this._column]?.setAttribute("tabindex", "-1");
    this._column = column;
    this.buttons.children[column]?.setAttribute("tabindex", "0");
    this._preview();
  }

  _hover(column) {
    if (this._hovered === column) return;
    this._hovered = column;
    this._preview();
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
    const tall = (place.clientHeight - this.under.offsetHeight) * this._ratio;
    const wide = place.clientWidth - this.side.offsetWidth;
    const width = Math.floor(Math.max(LEAST_WIDTH, Math.min(wide, tall)));
    place.parentElement.style.setProperty("--board-width", `${width}px`);
  }
}

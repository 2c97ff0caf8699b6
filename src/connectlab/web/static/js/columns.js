/** The buttons over the columns of the board: one tab stop, arrows move between them. */

import { h } from "./dom.js";

/**
 * Fires "press" with `detail.column` and `detail.clientY` (null from the keyboard), and "over" when
 * another column, or none, is pointed at or has the focus.
 */
export class Columns extends EventTarget {
  constructor() {
    super();
    this.element = h("div", { class: "board-columns", role: "group", "aria-label": "Board" });
    this._current = 0;
    this._hovered = null;
    this._focused = false;
    this._listen();
  }

  /** The column that is pointed at, else the one that was reached by keyboard; null if none. */
  get over() {
    return this._hovered ?? (this._focused ? this._current : null);
  }

  /**
   * Make the buttons of a board.
   * @param {number} columns
   */
  make(columns) {
    this._current = Math.floor(columns / 2);
    this.element.replaceChildren(...Array.from({ length: columns }, (_, column) => h("button", {
      type: "button", class: "board-column", tabindex: column === this._current ? "0" : "-1",
      data: { column: String(column), test: `column-${column + 1}` },
    })));
  }

  /**
   * Say what each button is, and whether it can be pressed now.
   * @param {(column: number) => {name: string, closed: boolean}} tell
   */
  label(tell) {
    [...this.element.children].forEach((button, column) => {
      const { name, closed } = tell(column);
      button.setAttribute("aria-label", name);
      button.setAttribute("aria-disabled", String(closed));
    });
  }

  /** Put the focus on the column where it was last. */
  focus() {
    this.element.children[this._current]?.focus();
  }

  _listen() {
    const on = (name, listener) => this.element.addEventListener(name, listener);
    on("click", (event) => this._onClick(event));
    on("pointermove", (event) => {
      if (event.pointerType !== "touch") this._hover(columnOf(event));
    });
    on("pointerleave", () => this._hover(null));
    on("focusin", (event) => {
      this._focused = event.target.matches(":focus-visible");
      this._rove(columnOf(event) ?? this._current);
    });
    on("focusout", () => {
      this._focused = false;
      this._tell();
    });
    on("keydown", (event) => this._onKey(event));
  }

  _onClick(event) {
    const column = columnOf(event);
    if (column === null) return;
    const clientY = event.detail === 0 ? null : event.clientY;
    this.dispatchEvent(new CustomEvent("press", { detail: { column, clientY } }));
  }

  _onKey(event) {
    const last = this.element.children.length - 1;
    const to = { ArrowLeft: this._current - 1, ArrowRight: this._current + 1, Home: 0, End: last };
    if (!(event.key in to) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this._rove(Math.min(last, Math.max(0, to[event.key])));
    this.focus();
  }

  _rove(column) {
    this.element.children[this._current]?.setAttribute("tabindex", "-1");
    this._current = column;
    this.element.children[column]?.setAttribute("tabindex", "0");
    this._tell();
  }

  _hover(column) {
    if (this._hovered === column) return;
    this._hovered = column;
    this._tell();
  }

  _tell() {
    this.dispatchEvent(new CustomEvent("over"));
  }
}

function columnOf(event) {
  const found = event.target.closest?.("[data-column]");
  return found ? Number(found.dataset.column) : null;
}

/** The tuple editor: draw which cells the tuples of a network look at, and train with them. */

import { boardOf, named } from "./cells.js";
import { CellGrid } from "./cellgrid.js";
import { CoverageView } from "./coverage.js";
import { button, h } from "./dom.js";
import { boardPicture, groupPicture } from "./miniboard.js";
import { sentenceOf } from "./say.js";
import { SetSources } from "./setsources.js";
import { TupleSet } from "./tupleset.js";
import { nameIn, tableFigure } from "./words.js";

const NAME = "[A-Za-z0-9][A-Za-z0-9._\\-]{0,59}";

/** Edits one set of tuples for the board of the game. */
export class TupleEditor {
  /** @param {object} app */
  constructor(app) {
    this._app = app;
    this.set = new TupleSet();
    this.geometry = app.game.geometry;
    this._coverage = new CoverageView(app, this);
    this._sources = new SetSources(app, this);
    this._grid = new CellGrid(this);
    this._list = h("div", { class: "tuple-list", role: "listbox", "aria-label": "Tuples", tabindex: "-1",
      data: { test: "tuple-list" } });
    this._list.addEventListener("keydown", (event) => this._onKey(event));
    this.element = this._build();
    this.set.addEventListener("change", () => {
      this._tell("", "plain"); // what was told spoke of another set
      this._draw();
    });
    this._coverage.addEventListener("change", () => this._drawList());
  }

  /** Show the editor; an empty set takes the board of the game. */
  show() {
    const { geometry } = this._app.game;
    if (!this.set.tuples.length && !geometry.equals(this.geometry)) this.geometry = geometry;
    this._draw();
  }

  /**
   * Put a set into the editor.
   * @param {number[][][]} tuples
   */
  load(tuples) {
    this.geometry = this._app.game.geometry;
    this.set.replace(tuples);
  }

  _build() {
    const tool = (label, test, run, icon) =>
      button(label, run, { class: "button button-small", test, icon });
    this._undo = tool("Undo", "tuples-undo", () => this.set.undo(), "undo");
    this._redo = tool("Redo", "tuples-redo", () => this.set.redo(), "redo");
    this._edits = [
      tool("Duplicate", "tuple-duplicate", () => this.set.duplicate()),
      tool("Remove", "tuple-remove", () => this.set.remove()),
    ];
    this._about = h("p", { class: "soft small", data: { test: "tuple-about" } });
    return h("div", { class: "tuples", data: { test: "tuples" } },
      this._sources.element,
      h("div", { class: "tuple-edit" }, this._grid.element,
        h("div", { class: "tuple-tools" },
          tool("Add tuple", "tuple-add", () => { this.set.add(); this._grid.focus(); }, "new"),
          ...this._edits, this._undo, this._redo)),
      this._about, this._list, this._coverage.element, this._saving());
  }

  _saving() {
    this._name = h("input", { type: "text", id: "tuple-name", value: "my-tuples", pattern: NAME,
      maxlength: "60", spellcheck: "false", autocomplete: "off", data: { test: "tuple-name" } });
    this._told = h("p", { class: "said", role: "status", data: { test: "tuple-told" } });
    this._save = button("Save", () => this._write(), { class: "button", test: "tuple-save" });
    this._train = button("Train with it", () => this._trainWith(),
      { class: "button button-main", test: "tuple-train" });
    return h("form", { class: "tuple-save", on: { submit: (event) => {
      event.preventDefault();
      this._write();
    } } }, h("div", { class: "field" }, h("label", { for: "tuple-name", text: "Name of the file" }),
      this._name), h("div", { class: "buttons" }, this._save, this._train), this._told);
  }

  _draw() {
    const { set } = this;
    this._grid.draw();
    this._drawList();
    this._undo.disabled = !set.canUndo;
    this._redo.disabled = !set.canRedo;
    for (const edit of this._edits) edit.disabled = !set.tuples.length;
    this._coverage.measure();
    this._about.textContent = set.tuples.length
      ? `Tuple ${set.selected + 1} of ${set.tuples.length} on ${this.geometry}: ${cellCount(set.cells)}.`
      : `A tuple is a group of cells that a network looks at together. None yet on ${this.geometry}: click cells, draw a set by lot, or start from a network.`;
    this._light();
  }

  _drawList() {
    const { set, geometry } = this;
    const twins = new Map(this._coverage.found?.duplicates ?? []);
    const focused = this._list.contains(document.activeElement);
    this._list.replaceChildren(...set.tuples.map((cells, index) => {
      const chosen = index === set.selected;
      const twin = twins.get(index + 1);
      const states = this._coverage.found?.states[index];
      const said = [cellCount(cells), states ? `${tableFigure(states)} states` : "",
        twin ? `sees the same as ${twin}` : ""].filter(Boolean).join(", ");
      return h("button", { type: "button", class: "tuple-item", role: "option", tabindex: chosen ? "0" : "-1",
        "aria-selected": String(chosen), title: said, "aria-label": `Tuple ${index + 1}, ${said}`,
        data: { test: `tuple-${index + 1}`, twin: twin ? "" : null },
        on: { click: () => set.select(index) } },
      cells.length ? groupPicture(geometry, named(cells, geometry)) : boardPicture(geometry, () => []),
      h("span", { class: "tuple-number", text: twin ? `${index + 1} = ${twin}` : String(index + 1) }));
    }));
    if (focused) this._list.children[set.selected]?.focus();
  }

  _onKey(event) {
    const { set } = this;
    const last = set.tuples.length - 1;
    const to = { ArrowRight: set.selected + 1, ArrowDown: set.selected + 1, ArrowLeft: set.selected - 1,
      ArrowUp: set.selected - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      set.select(Math.min(last, Math.max(0, to)));
    } else if (event.key === "Delete") set.remove();
  }

  /** Light the tuple on the large board too. */
  _light() {
    if (!this.element.isConnected || !this._app.game.geometry.equals(this.geometry)) return;
    const { cells } = this.set;
    this._app.board.overlay(cells.length ? [named(cells, this.geometry)] : null);
  }

  async _write() {
    const name = this._name.value.trim();
    if (!this._name.reportValidity() || !name) return null;
    try {
      const { path } = await this._app.api.put(`/tuples/${encodeURIComponent(name)}`,
        { board: boardOf(this.geometry), tuples: this.set.tuples });
      this._tell(`Saved as ${name}.`, "right");
      this._sources.refresh();
      return path;
    } catch (error) {
      this._tell(sentenceOf(error), "fail");
      return null;
    }
  }

  async _trainWith() {
    const path = await this._write();
    if (!path) return;
    this._app.panels.show("training", { learner: "ntuple", told: `With tuple set ${nameIn(path)}`,
      settings: { creation: "file", tuple_file: path, columns: this.geometry.columns,
        rows: this.geometry.rows, connect: this.geometry.connect } });
  }

  _tell(text, kind) {
    this._told.className = `said said-${kind}`;
    this._told.textContent = text;
  }
}

function cellCount(cells) {
  return `${cells.length} ${cells.length === 1 ? "cell" : "cells"}`;
}

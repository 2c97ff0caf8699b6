/** Setting up a position freely: stones are put and taken by hand, gravity holds. */

import { button, h } from "./dom.js";
import { recordOfStart } from "./game.js";
import { Position } from "./rules.js";
import { sentenceOf } from "./say.js";

/**
 * Add the setup of positions.
 * @param {object} app
 */
export function mountSetup(app) {
  const setup = new Setup(app);
  app.actions.add({ id: "setup", label: "Set up position", icon: "setup", place: "more", order: 62,
    help: "Put discs where you like and play from there", run: () => setup.begin() });
  app.board.addEventListener("cell", (event) => setup.touch(event.detail.column, event.detail.row));
  app.game.addEventListener("change", () => setup.leave());
}

class Setup {
  constructor(app) {
    this.app = app;
    this.on = false;
    this.text = h("p", { class: "setup-text", role: "status", data: { test: "setup-text" } });
    this.use = button("Play from here", () => this._take(),
      { class: "button button-main", test: "setup-use" });
    this.bar = h("div", { class: "setup-bar", hidden: true }, this.text,
      h("div", { class: "buttons" }, this.use,
        button("Clear", () => this._show(new Position(app.game.geometry)), { test: "setup-clear" }),
        button("Cancel", () => this.cancel(), { test: "setup-cancel" })));
    document.querySelector("#status").after(this.bar);
    document.addEventListener("keydown", (event) => this._onKey(event));
  }

  begin() {
    const { app } = this;
    if (this.on) return;
    const { position, geometry } = app.game;
    this.on = true;
    this._edit(true);
    this._show(new Position(geometry, position.cells));
    app.say("Set up a position: Enter puts a disc into a column, Delete takes the top one away.");
    app.board.focus();
  }

  /** Put, change or take a disc: empty, first, second, and empty again for the one on top. */
  touch(column, row) {
    if (!this.on) return;
    const { geometry } = this.app.game;
    const height = this.draft.height(column);
    if (row === null || row >= height) {
      if (height < geometry.rows) this._put(column, height, row === null ? this._turn() : 1);
      return;
    }
    const stone = this.draft.at(column, row);
    const onTop = row === height - 1;
    this._put(column, row, stone === 1 ? 2 : onTop ? 0 : 1);
  }

  leave() {
    if (!this.on) return;
    this.on = false;
    this._edit(false);
  }

  cancel() {
    const { app } = this;
    this.leave();
    app.board.show(app.game.position, { last: app.game.played.at(-1)?.column ?? null });
    app.turns.hold(false);
  }

  _turn() {
    const first = this.draft.cells.filter((stone) => stone === 1).length;
    return this.draft.stones - first < first ? 2 : 1;
  }

  _put(column, row, stone) {
    const { geometry } = this.app.game;
    const cells = this.draft.cells.slice();
    cells[column * geometry.rows + row] = stone;
    this._show(new Position(geometry, cells));
  }

  _show(draft) {
    this.draft = draft;
    this.app.board.show(draft);
    try {
      draft.check();
      const side = draft.side ? "second" : "first";
      this.text.textContent = draft.result
        ? "The game is over here." : `Click cells to change them. The ${side} player is to move.`;
      this.use.disabled = false;
    } catch (error) {
      this.text.textContent = sentenceOf(error);
      this.use.disabled = true;
    }
  }

  _edit(on) {
    const { app } = this;
    this.bar.hidden = !on;
    document.querySelector("#status").hidden = on;
    app.board.editing = on;
    app.board.face.toggleAttribute("data-editing", on);
    if (on) app.turns.hold(true);
  }

  /** The server's rules have the last word. */
  async _take() {
    const { app, draft } = this;
    try {
      const text = JSON.stringify(recordOfStart(draft));
      if (draft.stones) await app.api.post("/read", { text });
      if (this.on && this.draft === draft) app.game.newGame({ start: draft });
    } catch (error) {
      this.text.textContent = sentenceOf(error);
    }
  }

  _onKey(event) {
    if (!this.on || document.querySelector("dialog[open]")) return;
    const column = Number(event.target.closest?.("[data-column]")?.dataset.column ?? NaN);
    if (event.key === "Escape") this.cancel();
    else if ((event.key === "Delete" || event.key === "Backspace") && !Number.isNaN(column)) {
      const height = this.draft.height(column);
      if (height) this._put(column, height - 1, 0);
    }
  }
}

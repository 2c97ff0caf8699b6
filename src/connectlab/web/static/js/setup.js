/** Setting up a position freely: discs are put and taken by hand, gravity holds. */

import { button, h } from "./dom.js";
import { recordOfStart } from "./game.js";
import { Position } from "./rules.js";
import { sentenceOf } from "./say.js";

/** What speaks of the game, or would leave for it: none of it holds for what is being set up. */
const HELD = ["setup", "hint", "analyse", "review", "share", "download", "back", "forward", "watch"];

/** A position that is set up. Fires "change" when it begins, changes and ends. */
export class Setup extends EventTarget {
  /** @param {object} app */
  constructor(app) {
    super();
    this.app = app;
    this.on = false;
    /** @type {Position[]} what `undo` goes back to, and what `redo` goes on to */
    this._past = [];
    this._future = [];
    app.actions.add({ id: "setup", label: "Set up position", icon: "setup", place: "more", order: 62,
      help: "Put discs where you like and play from there", run: () => this.begin() });
    app.board.addEventListener("cell", ({ detail }) => this.touch(detail.column, detail.row));
    app.game.addEventListener("change", (event) => this._onGame(event.detail.what));
    this.text = h("p", { class: "setup-text", role: "status", data: { test: "setup-text" } });
    this.use = button("Play from here", () => this._take(),
      { class: "button button-main", test: "setup-use" });
    this.bar = h("div", { class: "setup-bar", hidden: true }, this.text,
      h("div", { class: "buttons" }, this.use,
        button("Clear", () => this._change(new Position(app.game.geometry)), { test: "setup-clear" }),
        button("Cancel", () => this.cancel(), { test: "setup-cancel" })));
    document.querySelector("#status").after(this.bar);
    document.addEventListener("keydown", (event) => this._onKey(event));
  }

  begin() {
    const { app } = this;
    if (this.on) return;
    const { position, geometry } = app.game;
    this.on = true;
    this._past = [];
    this._future = [];
    app.calm();
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

  /** Whether there is a change to take back. */
  get canUndo() {
    return this._past.length > 0;
  }

  /** Whether a change was taken back. */
  get canRedo() {
    return this._future.length > 0;
  }

  /** Take the last change back. */
  undo() {
    this._step(this._past, this._future);
  }

  /** Make it again. */
  redo() {
    this._step(this._future, this._past);
  }

  leave() {
    if (!this.on) return;
    this.on = false;
    this._edit(false);
    this._changed();
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
    this._change(new Position(geometry, cells));
  }

  _change(draft) {
    this._past.push(this.draft);
    this._future = [];
    this._show(draft);
  }

  _step(from, to) {
    if (!from.length) return;
    to.push(this.draft);
    this._show(from.pop());
  }

  /** Another game ends it; other players do not. */
  _onGame(what) {
    if (what !== "players") this.leave();
    else if (this.on) this.app.turns.hold(true);
  }

  _changed() {
    this.dispatchEvent(new CustomEvent("change"));
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
    this._changed();
  }

  _edit(on) {
    const { app } = this;
    this.bar.hidden = !on;
    document.querySelector("#status").hidden = on;
    document.documentElement.toggleAttribute("data-setup", on);
    app.actions.hold(on ? HELD : []);
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

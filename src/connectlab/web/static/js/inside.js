/** The Inside panel: what a player sees in the position, what it is made of, and the tuple editor. */

import { ContentsView } from "./contents.js";
import { button, h } from "./dom.js";
import { HUMAN } from "./game.js";
import { nameOf } from "./names.js";
import { SightView } from "./sight.js";
import { TupleEditor } from "./tuples.js";

const VIEWS = [
  { id: "sight", title: "Position" },
  { id: "contents", title: "Made of" },
  { id: "tuples", title: "Tuples" },
];

/** The panel: whose inside is shown, and which of its views. */
export class Inside {
  /** @param {object} app */
  constructor(app) {
    this._app = app;
    this.view = "sight";
    this._chosen = null;
    this._open = false;
    app.panels.add({ id: "inside", title: "Inside", mount: (element) => this._mount(element),
      shown: () => this._show(true), hidden: () => this._show(false) });
    app.game.addEventListener("change", () => this._changed());
  }

  /** The player whose inside is shown: the chosen one, else whoever sits at the table. */
  get spec() {
    return this._chosen ?? this._candidates[0] ?? null;
  }

  /**
   * Show a part of a player, such as the table of a tuple.
   * @param {number} number
   */
  openPart(number) {
    this._choose("contents");
    this._views.contents.openPart(number);
  }

  /**
   * Open the tuple editor with a set.
   * @param {number[][][]} tuples
   */
  edit(tuples) {
    this._choose("tuples");
    this._views.tuples.load(tuples);
  }

  get _candidates() {
    const { game, analysis, players } = this._app;
    const named = [...(analysis?.seen ?? []), ...game.players].filter((spec) => spec !== HUMAN);
    return named.length ? [...new Set(named)] : [players.defaultFor(game.geometry)];
  }

  _mount(element) {
    this._players = h("div", { class: "inside-players", role: "group", "aria-label": "Whose inside" });
    this._tabs = h("div", { class: "segments", role: "group", "aria-label": "What to look at" },
      ...VIEWS.map(({ id, title }) => button(title, () => this._choose(id),
        { class: "segment", test: `inside-${id}` })));
    this._body = h("div", { class: "inside-body" });
    this._views = {
      sight: new SightView(this._app, this),
      contents: new ContentsView(this._app, this),
      tuples: new TupleEditor(this._app, this),
    };
    element.classList.add("inside");
    element.append(this._tabs, this._players, this._body);
    this._choose(this.view);
  }

  _show(open) {
    this._open = open;
    if (!this._views) return;
    if (!open) this._app.board.overlay(null);
    this._changed();
  }

  _choose(id) {
    if (this.view !== id) this._app.board.overlay(null);
    this.view = id;
    [...this._tabs.children].forEach((tab, index) =>
      tab.setAttribute("aria-pressed", String(VIEWS[index].id === id)));
    this._body.replaceChildren(this._views[id].element);
    this._changed();
  }

  _changed() {
    const wanted = this._open && this.view === "sight" && this.spec ? [this.spec] : null;
    this._app.insight.want("inside", wanted);
    if (!this._open || !this._views) return;
    this._players.hidden = this.view === "tuples";
    this._drawPlayers();
    this._views[this.view].show(this.spec);
  }

  _drawPlayers() {
    const specs = [...new Set([this.spec, ...this._candidates])];
    this._players.replaceChildren(
      ...specs.map((spec) => {
        const made = button(nameOf(spec), () => this._take(spec),
          { class: "button button-small", test: "inside-player", title: spec });
        made.setAttribute("aria-pressed", String(spec === this.spec));
        return made;
      }),
      button("Another …", () => this._ask(), { class: "button button-quiet button-small",
        test: "inside-another" }),
    );
  }

  _take(spec) {
    this._chosen = spec;
    this._changed();
  }

  _ask() {
    const { players, game } = this._app;
    players.ask({ title: "Look inside whom?", spec: this.spec, geometry: game.geometry,
      action: "Look inside", take: (spec) => this._take(spec) });
  }
}

/**
 * Add the panel to the page.
 * @param {object} app
 */
export function mountInside(app) {
  app.inside = new Inside(app);
}

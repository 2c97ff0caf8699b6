/** The analyse switch: verdicts and bars under the columns, and the evaluation bar. */

import { button, h } from "./dom.js";
import { evaluationBar } from "./evalbar.js";
import { HUMAN } from "./game.js";
import { nameOf } from "./names.js";
import { isSteep } from "./scale.js";
import { opinions, stripCells } from "./strip.js";
import { withMinus } from "./words.js";

const WIDE = matchMedia("(min-width: 1100px)");
const MOST_SEEN = 2;
/** Sentences in sight; the Inside panel has the others. */
const SENTENCES = 2;

/** What is shown about the position, and of whom. */
export class Analysis {
  /** @param {object} app */
  constructor(app) {
    this._app = app;
    this.on = false;
    /** @type {string[]|null} specs; null for whoever sits at the table */
    this.chosen = null;
    this._said = h("section", { class: "opinions", "aria-label": "Analysis", hidden: true,
      data: { test: "opinions" } });
    this._settle();
    WIDE.addEventListener("change", () => this._settle());
    app.actions.add({ id: "analyse", label: "Analyse", key: "a", icon: "analyse", order: 21,
      toggle: true, help: "What perfect play and the players think of each column",
      run: () => this.toggle() });
    app.insight.addEventListener("change", () => this._draw());
    app.game.addEventListener("change", () => this._wish());
    app.setup.addEventListener("change", () => this._onSetup());
    app.address.add({ read: (query) => this._read(query), write: (query) => this._write(query) });
  }

  /** The players whose values stand under the columns. */
  get seen() {
    const { players } = this._app.game;
    return this.chosen ?? [...new Set(players.filter((spec) => spec !== HUMAN))].slice(0, MOST_SEEN);
  }

  /** Switch it on or off. */
  toggle() {
    this.set({ on: !this.on });
    this._app.say(this.on ? "Analysis on." : "Analysis off.");
  }

  /**
   * @param {{on?: boolean, chosen?: string[]|null}} to
   */
  set({ on = this.on, chosen = this.chosen }) {
    this.on = on;
    this.chosen = chosen && chosen.slice(0, MOST_SEEN);
    this._app.actions.press("analyse", on);
    this._wish();
    this._draw();
    this._app.address.update();
  }

  /** Beside the board the sentences take no room from it; where there is no side, they stand below. */
  _settle() {
    if (WIDE.matches) document.querySelector(".side").append(this._said);
    else this._app.board.element.parentElement.after(this._said);
  }

  _read(query) {
    const see = query.getAll("see").filter(Boolean);
    this.set({ on: query.get("analyse") === "1", chosen: see.length ? see : null });
  }

  _write(query) {
    if (!this.on) return;
    query.set("analyse", "1");
    for (const spec of this.chosen ?? []) query.append("see", spec);
  }

  _wish() {
    this._app.insight.want("analysis", this.on ? this.seen : null);
  }

  /** What is set up was not judged: nothing is shown until it is played from. */
  _onSetup() {
    if (this._quiet === this._app.setup.on) return;
    this._quiet = this._app.setup.on;
    this._draw();
  }

  _draw() {
    const { board, game, insight, setup } = this._app;
    const shown = this.on && !setup.on;
    document.documentElement.toggleAttribute("data-analysing", shown);
    this._said.hidden = !shown;
    if (!shown) {
      board.under.replaceChildren();
      board.side.replaceChildren();
      return;
    }
    const seen = this.seen.map((spec) => ({ spec, name: nameOf(spec), view: insight.view(spec) }));
    board.side.replaceChildren(evaluationBar(game.position, insight.verdicts));
    board.under.replaceChildren(...this._strip(seen));
    const focused = this._said.contains(document.activeElement)
      ? document.activeElement.dataset.test : null;
    this._said.replaceChildren(...this._legend(seen));
    if (focused) this._said.querySelector(`[data-test="${focused}"]`)?.focus();
  }

  _strip(seen) {
    const { game, insight } = this._app;
    if (game.over) return [];
    return stripCells(game.position, { verdicts: insight.verdicts, judged: insight.judged,
      waiting: insight.busy, seen });
  }

  /** Below the strip: whose bars these are, what perfect play would do, and who is wrong where. */
  _legend(seen) {
    const chips = seen.map((each, index) => this._chip(each, index));
    if (seen.length < MOST_SEEN) {
      chips.push(button(seen.length ? "Compare with …" : "See a player …", () => this._choose(seen.length),
        { icon: "new", class: "button button-quiet button-small", test: "see-another" }));
    }
    const { said, rest } = this._sentences(seen);
    if (rest) {
      chips.push(button(`${rest} more`, () => this._app.panels.show("inside"),
        { class: "button button-quiet button-small", test: "more-opinions" }));
    }
    return [h("div", { class: "strip-players" }, ...chips), ...said];
  }

  _chip({ spec, name, view }, index) {
    const unit = view.analysis?.unit;
    const steep = view.analysis?.values
      && isSteep(Object.values(view.analysis.values), view.analysis.win_value);
    return h("span", { class: `seen seen-${index + 1}` },
      h("span", { class: "seen-key", "aria-hidden": "true" }),
      button(name, () => this._choose(index), { class: "button button-quiet button-small",
        test: `see-${index + 1}`, title: unit ? `${spec}: ${withMinus(unit)}. Choose another player.` : spec }),
      steep ? h("span", { class: "small soft", text: "logarithmic" }) : null,
      button(`Leave ${name} out`, () => this._leave(index), { icon: "close",
        class: "button button-quiet button-icon seen-close", test: `leave-${index + 1}` }));
  }

  _sentences(seen) {
    const { insight, game } = this._app;
    if (game.over) {
      return { said: [sentence("The game is over, so there is nothing left to judge.", "soft")], rest: 0 };
    }
    const said = [];
    if (insight.failure) said.push(sentence(insight.failure, "fail"));
    else if (insight.judged && insight.verdicts) said.push(this._advice());
    else if (!insight.judged) said.push(sentence("Perfect play knows only the plain game.", "soft"));
    else if (insight.busy) said.push(sentence("Solving …", "wait"));
    const all = seen.flatMap(opinions);
    said.push(...all.slice(0, SENTENCES).map(({ text, kind }) => sentence(text, kind)));
    return { said, rest: Math.max(0, all.length - SENTENCES) };
  }

  _advice() {
    const { insight } = this._app;
    const line = sentence(insight.verdicts.advice, "advice");
    if (insight.verdicts.unknown.length && !insight.busy) {
      line.append(" ", button("Look longer", () => insight.lookLonger(),
        { class: "button button-small", test: "look-longer" }));
    }
    return line;
  }

  _choose(index) {
    const { players, game } = this._app;
    const seen = this.seen;
    players.ask({
      title: "Whose values shall stand under the columns?",
      spec: seen[index] ?? players.defaultFor(game.geometry), geometry: game.geometry,
      action: "Show",
      take: (spec) => {
        const chosen = [...seen];
        chosen[index] = spec;
        this.set({ on: true, chosen: [...new Set(chosen)] });
      },
    });
  }

  _leave(index) {
    this.set({ chosen: this.seen.filter((_, other) => other !== index) });
    this._said.querySelector("button")?.focus();
  }
}

function sentence(text, kind) {
  return h("p", { class: `said said-${kind}`, text, data: { test: `said-${kind}` } });
}

/**
 * Add the switch to the page.
 * @param {object} app
 */
export function mountAnalysis(app) {
  app.analysis = new Analysis(app);
}

/** The panel in which everybody meets everybody: a cross table that fills, and ratings. */

import { boardText } from "./boards.js";
import { CrossTable } from "./crosstable.js";
import { button, h } from "./dom.js";
import { count, duration } from "./figures.js";
import { nameOf } from "./names.js";
import { sentenceOf } from "./say.js";

const STATES = { waiting: "waiting in line", running: "playing", stopping: "stopping",
  stopped: "stopped", finished: "finished", failed: "failed" };
const FIRST_PLAYERS = ["ntuple:champion", "mcts:iterations=1000", "minimax:depth=4", "random"];

/**
 * Add the panel.
 * @param {object} app
 */
export function mountTournament(app) {
  const view = new TournamentView(app);
  app.panels.add({ id: "tournament", title: "Tournament", mount: (element) => view.mount(element),
    shown: () => view.open(), hidden: () => view.close() });
}

class TournamentView {
  constructor(app) {
    this.app = app;
    this.name = null;
    this.shown = false;
    this.table = new CrossTable();
    this.list = h("select", { id: "tournament-which", data: { test: "tournaments" },
      on: { change: () => this._follow(this.list.value) } });
    this.choice = h("div", { class: "field" },
      h("label", { for: "tournament-which", class: "unseen", text: "Tournament" }), this.list);
    this.state = h("p", { class: "run-far small", data: { test: "tournament-state" } });
    this.bar = h("progress", { class: "run-bar", max: "1", "aria-label": "Progress" });
    this.problem = h("p", { class: "run-problem small", role: "note" });
    this.stop = button("Stop", () => this._act("stop"), { class: "button button-small", test: "tournament-stop" });
    this.resume = button("Go on", () => this._act("resume"), { class: "button button-small", test: "tournament-resume" });
    this.note = h("p", { class: "soft" });
    this.body = h("div", { class: "tournament-body", hidden: true }, this.state, this.bar, this.problem,
      h("div", { class: "buttons run-tools" }, this.stop, this.resume), this.table.element);
    this.place = h("div", { hidden: true });
    this.opener = button("New tournament", () => this._toggle(),
      { class: "button button-main", icon: "new", test: "new-tournament" });
    this.form = new TournamentForm(app, this.place, (name) => { this._toggle(); this._reload(name); });
  }

  mount(element) {
    element.append(h("div", { class: "training" },
      h("div", { class: "training-head" }, h("h2", { text: "Tournament" }), this.opener),
      this.place, this.note, this.choice, this.body));
  }

  open() {
    this.shown = true;
    this._reload(this.name);
  }

  close() {
    this.shown = false;
    this._abort?.abort();
  }

  _toggle() {
    this.place.hidden = !this.place.hidden;
    this.opener.setAttribute("aria-expanded", String(!this.place.hidden));
    if (!this.place.hidden) this.form.show();
  }

  async _reload(wanted) {
    try {
      const { tournaments } = await this.app.api.get("/tournaments");
      this.note.textContent = tournaments.length ? ""
        : "Nobody has met yet. Choose some players and watch the table fill; it goes on while you play.";
      this.note.hidden = Boolean(tournaments.length);
      this.choice.hidden = tournaments.length < 2;
      this.list.replaceChildren(...tournaments.map((each) => h("option", { value: each.name,
        text: `${titleOf(each)} · ${STATES[each.state]}` })));
      const name = tournaments.some((each) => each.name === wanted) ? wanted : tournaments[0]?.name;
      if (name) {
        this.list.value = name;
        this._follow(name);
      }
    } catch (error) {
      this.note.hidden = false;
      this.note.textContent = sentenceOf(error);
    }
  }

  /** Show a tournament, and whatever changes in it. */
  _follow(name) {
    this._abort?.abort();
    this.name = name;
    if (!this.shown) return;
    const abort = new AbortController();
    this._abort = abort;
    this.app.api.stream(`/tournaments/${encodeURIComponent(name)}/events`, ({ data }) => {
      if (!abort.signal.aborted) this._show(data, abort);
    }, { signal: abort.signal }).catch((error) => this.app.fail(sentenceOf(error)));
  }

  _show(found, abort) {
    this.body.hidden = false;
    this.body.dataset.state = found.state;
    this.body.dataset.played = String(found.played);
    const far = `${found.played} of ${found.pairings} pairings, ${count(found.games)} games each`;
    const took = found.seconds >= 1 ? ` · ${duration(found.seconds)}` : "";
    this.state.textContent = `${STATES[found.state]} · ${found.board} · ${far}${took}`;
    const partly = found.now ? found.now.done / Math.max(1, found.now.games) : 0;
    this.bar.value = Math.min(1, (found.played + partly) / Math.max(1, found.pairings));
    this.bar.hidden = found.state === "finished";
    this.problem.textContent = found.problem ? sentenceOf(found.problem) : "";
    this.problem.hidden = !found.problem;
    this.stop.hidden = !["waiting", "running", "failed"].includes(found.state);
    this.resume.hidden = !["stopped", "failed"].includes(found.state);
    this.table.show(found);
    if (found.state === "finished") {
      abort.abort(); // nothing changes any more
      if (this._was === "running") this.app.say("The tournament is finished.");
    }
    this._was = found.state;
  }

  async _act(what) {
    try {
      await this.app.api.post(`/tournaments/${encodeURIComponent(this.name)}/${what}`);
    } catch (error) {
      this.app.fail(sentenceOf(error));
    }
  }
}

/** Who plays, and how often. */
class TournamentForm {
  constructor(app, place, began) {
    this.app = app;
    this.place = place;
    this.began = began;
    this.players = null;
  }

  show() {
    const { game, players } = this.app;
    this.players ??= FIRST_PLAYERS.filter((spec) => players.canPlay(spec, game.geometry));
    if (!this.form) this._build();
    this.board.textContent = `On the board of the table: ${boardText(game.geometry)}.`;
    this._list();
  }

  _build() {
    this.list = h("ul", { class: "tournament-players" });
    this.board = h("p", { class: "soft small" });
    this.games = h("input", { type: "number", id: "tournament-games", min: "2", max: "2000", step: "1",
      value: "20", required: true, inputmode: "numeric", data: { test: "tournament-games" } });
    this.seed = h("input", { type: "number", id: "tournament-seed", min: "0", step: "1", value: "0",
      required: true, inputmode: "numeric" });
    this.complaint = h("p", { class: "complaint", role: "alert" });
    this.start = h("button", { type: "submit", class: "button button-main", text: "Begin",
      data: { test: "begin-tournament" } });
    this.form = h("form", { class: "tournament-form", novalidate: true,
      on: { submit: (event) => { event.preventDefault(); this._begin(); } } },
    this.board, this.list,
    h("div", { class: "buttons" }, button("Add a player", () => this._add(),
      { class: "button button-small", icon: "new", test: "add-player" })),
    h("div", { class: "run-form-top" },
      h("div", { class: "field" }, h("label", { for: "tournament-games", text: "Games a pairing" }), this.games),
      h("div", { class: "field" }, h("label", { for: "tournament-seed", text: "Seed" }), this.seed)),
    this.complaint, h("div", { class: "buttons" }, this.start));
    this.place.append(this.form);
  }

  _list() {
    this.list.replaceChildren(...this.players.map((spec, index) => h("li", {},
      h("span", { class: "tournament-player", title: spec, text: nameOf(spec) }),
      button(`Remove ${nameOf(spec)}`, () => { this.players.splice(index, 1); this._list(); },
        { class: "button button-quiet button-icon", icon: "close" }))));
    this.start.disabled = this.players.length < 2;
  }

  _add() {
    this.app.players.ask({ title: "Who enters?", spec: this.players.at(-1) ?? "random",
      geometry: this.app.game.geometry,
      take: (spec) => { this.players.push(spec); this._list(); } });
  }

  async _begin() {
    if (!this.games.reportValidity() || !this.seed.reportValidity()) return;
    const { columns, rows, connect, variant } = this.app.game.geometry;
    this.complaint.textContent = "";
    this.start.disabled = true;
    try {
      const { name } = await this.app.api.post("/tournaments", { players: this.players,
        board: { columns, rows, connect, variant }, games: Number(this.games.value),
        seed: Number(this.seed.value) });
      this.began(name);
    } catch (error) {
      this.complaint.textContent = sentenceOf(error);
    }
    this.start.disabled = false;
  }
}

function titleOf({ made, players, board }) {
  const when = new Date(made).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  return `${when} · ${players.length} players · ${board}`;
}

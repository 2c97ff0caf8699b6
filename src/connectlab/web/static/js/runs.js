/** The list of runs: how each stands, and what can be done with it. */

import { button, h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { count, duration, withInterval } from "./figures.js";
import { Geometry } from "./rules.js";
import { HUMAN } from "./game.js";
import { nameOf } from "./names.js";
import { swatch } from "./plot.js";
import { sentenceOf } from "./say.js";

const STATES = {
  starting: "starting", running: "learning", waiting: "waiting", stopping: "stopping",
  stopped: "stopped", finished: "finished", failed: "failed", damaged: "damaged",
};
const SHOWN = 30;

/** Keeps an entry for each run, so that nothing jumps while somebody points at it. */
export class RunList {
  /**
   * @param {object} app
   * @param {import("./feed.js").RunsFeed} feed
   * @param {import("./curves.js").Curves} curves
   */
  constructor(app, feed, curves) {
    this.app = app;
    this.feed = feed;
    this.curves = curves;
    this.most = SHOWN;
    /** @type {Map<string, RunEntry>} */
    this.entries = new Map();
    this.list = h("ul", { class: "runs", data: { test: "runs" } });
    this.more = button("Show more", () => { this.most += SHOWN; this.update(); },
      { class: "button button-small" });
    this.note = h("p", { class: "soft small" });
    this.element = h("section", { class: "runs-part", "aria-label": "Runs" },
      h("h3", { text: "Runs" }), this.note, this.list, this.more);
  }

  /** Show the runs as they are now. */
  update() {
    const { runs, atOnce, loaded, lost } = this.feed;
    const shown = runs.slice(0, this.most);
    for (const name of [...this.entries.keys()]) {
      if (!shown.some((run) => run.name === name)) this.entries.delete(name);
    }
    const elements = shown.map((run) => {
      if (!this.entries.has(run.name)) this.entries.set(run.name, new RunEntry(this, run.name));
      const entry = this.entries.get(run.name);
      entry.update(run);
      return entry.element;
    });
    if (elements.some((element, index) => this.list.children[index] !== element)
      || this.list.children.length !== elements.length) this.list.replaceChildren(...elements);
    this.more.hidden = runs.length <= this.most;
    this.note.textContent = noteOf(runs, atOnce, loaded, lost);
    this.note.hidden = !this.note.textContent;
  }

  /** Do something with a run, and show what the server says if it refuses. */
  async act(run, what, body = {}) {
    try {
      await this.app.api.post(`/runs/${pathOf(run.name)}/${what}`, body);
      this.app.say(`${run.name}: ${what === "stop" ? "stopping" : "goes on"}`);
      return true;
    } catch (error) {
      this.app.fail(sentenceOf(error));
      return false;
    }
  }

  /** Sit down against a run as it was saved last. */
  play(run) {
    const { game, panels } = this.app;
    const { columns, rows, connect, variant } = run.board;
    const spec = run.state === "finished" ? run.player : run.newest;
    game.newGame({ geometry: new Geometry(columns, rows, connect, variant), players: [HUMAN, spec] });
    this.app.say(`A game against ${run.name} as it is now.`);
    if (!matchMedia("(min-width: 1100px)").matches) panels.close();
  }

  /** Ask how many games a run shall have, and let it go on. */
  askForMore(run) {
    const games = h("input", { type: "number", id: "more-games", min: run.games + 1, step: "1",
      value: String(2 * run.total), required: true, inputmode: "numeric", data: { test: "more-games" } });
    const dialog = openDialog({ title: `More games for ${run.name}`, test: "more-dialog",
      body: [h("div", { class: "field" },
        h("label", { for: "more-games", text: "Games of the whole run" }), games,
        h("p", { class: "field-note", text: `It has learned from ${count(run.games)}. Rates that change `
          + "over the run are stretched over the new length." }))],
      actions: [{ label: "Go on", main: true, run: async () => {
        if (!games.reportValidity()) return false;
        try {
          await this.app.api.post(`/runs/${pathOf(run.name)}/resume`, { games: Number(games.value) });
          return true;
        } catch (error) {
          dialog.fail(sentenceOf(error));
          return false;
        }
      } }] });
  }
}

/** One run in the list. */
class RunEntry {
  constructor(list, name) {
    this.list = list;
    this.name = name;
    const id = `run-${name.replaceAll(/[^\w-]/g, "_")}`;
    this.check = h("input", { type: "checkbox", id, data: { test: `plot-${name}` },
      on: { change: () => { list.curves.choose(name, this.check.checked); list.update(); } } });
    this.line = h("span", { class: "run-line" });
    this.state = h("span", { class: "run-state" });
    this.about = h("p", { class: "run-about soft small" });
    this.bar = h("progress", { class: "run-bar", max: "1", "aria-label": `Progress of ${name}` });
    this.far = h("p", { class: "run-far small" });
    this.best = h("p", { class: "run-best small" });
    this.problem = h("p", { class: "run-problem small", role: "note" });
    this.tools = h("div", { class: "buttons run-tools" });
    const small = "button button-small";
    this.play = button("Play it now", () => list.play(this.run), { class: small, test: `play-${name}`, icon: "play" });
    this.stop = button("Stop", () => this._busy(this.stop, list.act(this.run, "stop")), { class: small, test: `stop-${name}` });
    this.resume = button("Go on", () => this._busy(this.resume, list.act(this.run, "resume")), { class: small, test: `resume-${name}` });
    this.extend = button("More games", () => list.askForMore(this.run), { class: small, test: `extend-${name}` });
    this.tools.append(this.play, this.stop, this.resume, this.extend);
    this.element = h("li", { class: "run", data: { test: `run-${name}` } },
      h("div", { class: "run-head" },
        h("label", { for: id, class: "run-name" }, this.check,
          h("span", {}, h("span", { class: "unseen", text: "Plot " }), name)),
        this.line, this.state),
      this.about, this.bar, this.far, this.best, this.problem, this.tools);
  }

  update(run) {
    this.run = run;
    this.element.dataset.state = run.state;
    const slot = this.list.curves.chosen.get(run.name);
    this.check.checked = slot !== undefined;
    if (this.slot !== slot) {
      this.slot = slot;
      this.line.replaceChildren(...(slot === undefined ? [] : [swatch(slot)]));
    }
    setText(this.state, STATES[run.state] + (run.place ? ` (${run.place} in line)` : ""));
    setText(this.about, aboutOf(run));
    this.bar.value = run.total ? Math.min(1, run.games / run.total) : 0;
    this.bar.hidden = !["starting", "running", "stopping", "stopped"].includes(run.state) || !run.total;
    setText(this.far, farOf(run));
    setText(this.best, run.best ? bestOf(run.best) : "");
    setText(this.problem, run.problem ? sentenceOf(run.problem) : "");
    for (const element of [this.far, this.best, this.problem]) element.hidden = !element.textContent;
    this.play.hidden = !run.player || !run.board;
    this.stop.hidden = !run.can_stop || run.state === "stopping";
    this.stop.querySelector(".button-label").textContent = run.state === "failed" ? "Drop" : "Stop";
    this.resume.hidden = !run.can_resume || run.state === "finished";
    this.extend.hidden = run.state !== "finished" || !run.can_resume;
  }

  async _busy(element, promise) {
    element.disabled = true;
    await promise;
    element.disabled = false;
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function aboutOf(run) {
  const board = run.board ? `${run.board.columns}x${run.board.rows} connect-${run.board.connect}` : "";
  const variant = run.board?.variant ? ` ${run.board.variant}` : "";
  const from = run.began_from ? `from ${run.began_from}` : "";
  const tuples = run.tuple_file ? `with tuple set ${run.tuple_file}` : "";
  return [run.title === run.name ? "" : run.title, board + variant, tuples, from].filter(Boolean).join(" · ");
}

function farOf(run) {
  if (!run.total) return "";
  if (run.state === "finished") return `${count(run.games)} games in ${duration(run.seconds)}`;
  const done = `${count(run.games)} of ${count(run.total)} games`;
  if (run.state !== "running") return done;
  const left = run.seconds_left === null ? "" : ` · ${duration(run.seconds_left)} left`;
  return run.games_per_second ? `${done} · ${count(run.games_per_second)} games/s${left}` : done;
}

function bestOf({ label, value, interval, opponent }) {
  const against = opponent ? ` against ${nameOf(opponent)}` : "";
  return `best ${label} ${withInterval(value, interval)}${against}`;
}

function noteOf(runs, atOnce, loaded, lost) {
  if (lost) return "The server does not answer; what stands here is what was known last.";
  if (!loaded) return "Looking …";
  if (!runs.length) return "No runs yet. What is started here or by connectlab train shows up in this list.";
  const waiting = runs.filter((run) => run.state === "waiting").length;
  return waiting ? `${atOnce} at a time; ${waiting} in line.` : "";
}

function pathOf(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}

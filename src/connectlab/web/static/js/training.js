/** The panel in which runs are started, watched and compared. */

import { Curves } from "./curves.js";
import { button, h } from "./dom.js";
import { RunsFeed } from "./feed.js";
import { makeForm } from "./form.js";
import { recall, remember } from "./memory.js";
import { RunList } from "./runs.js";
import { sentenceOf } from "./say.js";

const CHECK_MS = 400;
const FIRST = ["games", "columns", "rows", "connect"];
const CHOSEN_AT_FIRST = 3;
const PLOTTED = "connectlab.plotted";

/**
 * Add the panel.
 * @param {object} app
 */
export function mountTraining(app) {
  const feed = new RunsFeed(app.api);
  const curves = new Curves(feed);
  curves.addEventListener("chosen", () => remember(PLOTTED, [...curves.chosen.keys()]));
  const list = new RunList(app, feed, curves);
  const place = h("div", { class: "new-run" });
  const open = button("New run", () => form.toggle(), { class: "button button-main", icon: "new", test: "new-run" });
  const form = new NewRun(app, place, open, (name) => {
    curves.choose(name, true);
    list.update();
  });
  let began = false;
  feed.addEventListener("runs", () => {
    if (!began && feed.runs.length) chooseFirst(feed, curves);
    began = began || feed.loaded;
    list.update();
    curves.draw();
  });
  feed.addEventListener("rows", () => curves.draw());
  feed.addEventListener("failed", (event) => app.fail(sentenceOf(event.detail)));
  app.panels.add({
    id: "training", title: "Training",
    mount: (element) => {
      curves.element.hidden = true;
      element.append(h("div", { class: "training" },
        h("div", { class: "training-head" }, h("h2", { text: "Training" }), open),
        place, curves.element, list.element));
      list.update();
    },
    shown: (wish) => {
      feed.open();
      if (wish) form.open(wish);
    },
    hidden: () => feed.close(),
  });
}

/** Begin with what was plotted before a reload, with what learns now, or has learned last. */
function chooseFirst(feed, curves) {
  const kept = recall(PLOTTED) ?? [];
  const before = feed.runs.filter((run) => kept.includes(run.name));
  const now = feed.runs.filter((run) => ["starting", "running"].includes(run.state));
  const drawn = feed.runs.filter((run) => run.state !== "damaged" && run.rows > 0).slice(0, 1);
  const first = [before, now, drawn].find((runs) => runs.length) ?? [];
  const most = before.length ? before.length : CHOSEN_AT_FIRST;
  for (const run of first.slice(0, most)) curves.choose(run.name, true);
}

/** The form of a new run: learner and preset on top, everything else folded. */
class NewRun {
  constructor(app, place, opener, began) {
    this.app = app;
    this.place = place;
    this.opener = opener;
    this.began = began;
    this.place.hidden = true;
    opener.setAttribute("aria-expanded", "false");
  }

  async toggle() {
    this.place.hidden = !this.place.hidden;
    this.opener.setAttribute("aria-expanded", String(!this.place.hidden));
    if (this.place.hidden || this.known) return;
    try {
      this.known = await this.app.api.get("/learners");
      this._build();
    } catch (error) {
      this.place.replaceChildren(h("p", { class: "complaint", role: "alert", text: sentenceOf(error) }));
    }
  }

  /**
   * Open the form with a learner and some of its settings filled in; they outlast its presets.
   * @param {{learner: string, settings: Record<string, unknown>, told: string}} wish `told`: what
   *   the form says of them
   */
  async open({ learner, settings, told }) {
    if (this.place.hidden) await this.toggle();
    if (!this.known?.learners.some(({ name }) => name === learner)) return;
    this.learner.value = learner;
    this._showLearner({ settings, told });
    this.place.scrollIntoView({ block: "nearest" });
    this.learner.focus();
  }

  _build() {
    this.learner = h("select", { id: "run-learner", data: { test: "run-learner" },
      on: { change: () => this._showLearner() } },
    ...this.known.learners.map(({ name, summary }) => h("option", { value: name, text: name, title: summary })));
    this.preset = h("select", { id: "run-preset", data: { test: "run-preset" },
      on: { change: () => this._fill() } });
    this.about = h("p", { class: "field-note" });
    this.wished = h("p", { class: "run-wish", data: { test: "run-wish" } });
    this.settings = h("div");
    this.complaint = h("p", { class: "complaint", role: "alert", data: { test: "run-complaint" } });
    const start = h("button", { type: "submit", class: "button button-main", data: { test: "start-run" } }, "Start");
    this.place.replaceChildren(h("form", { class: "run-form", novalidate: true, on: {
      submit: (event) => { event.preventDefault(); this._start(start); },
      input: () => this._checkSoon() } },
    h("div", { class: "run-form-top" },
      field("run-learner", "Learner", this.learner), field("run-preset", "Preset", this.preset)),
    this.about, this.wished, this.settings, this._extras(), this.complaint,
    h("div", { class: "buttons" }, start,
      button("Close", () => this.toggle(), { class: "button button-quiet" }))));
    this._showLearner();
  }

  _extras() {
    this.name = h("input", { type: "text", id: "run-name", spellcheck: "false", autocomplete: "off",
      placeholder: "chosen for you", data: { test: "run-name" } });
    this.measures = h("input", { type: "text", id: "run-measures", spellcheck: "false", autocomplete: "off" });
    this.from = h("select", { id: "run-from" });
    const measures = h("dl", { class: "measures" }, ...this.known.measures.flatMap(
      ({ name, summary }) => [h("dt", { class: "mono", text: name }), h("dd", { text: summary })]));
    return h("details", { class: "form-rest" }, h("summary", { text: "Name, measures, beginning" }),
      field("run-name", "Name of its folder", this.name),
      field("run-measures", "Judged by", this.measures,
        "One of these, several with a blank between, or none; as in success:games=200."), measures,
      field("run-from", "Begin with", this.from, "The weights of a trained player in place of new ones."));
  }

  _showLearner(wish = null) {
    const learner = this._learner();
    this._wish(wish);
    this.about.textContent = learner.summary;
    this.preset.replaceChildren(h("option", { value: "", text: "defaults" }),
      ...learner.presets.map(({ name }) => h("option", { value: name, text: name })));
    this.preset.value = learner.presets.some(({ name }) => name === "quick") ? "quick" : "";
    this.form = makeForm(learner.json_schema, { first: FIRST, hide: [] });
    this.form.element.classList.add("form-run");
    this.settings.replaceChildren(this.form.element);
    const trained = this.app.players.catalogue.trained
      .filter(({ player }) => player === learner.name).map(({ spec }) => spec);
    this.from.replaceChildren(h("option", { value: "", text: "nothing" }),
      ...[...new Set([...learner.sources, ...trained])].map((spec) => h("option", { value: spec, text: spec })));
    this._fill();
  }

  _learner() {
    return this.known.learners.find(({ name }) => name === this.learner.value);
  }

  /** Say what is wished for besides the preset, and let it be given up. */
  _wish(wish) {
    this.wish = wish;
    this.wished.hidden = !wish;
    this.wished.replaceChildren(...(wish ? [h("strong", { text: wish.told }), " ",
      button("Leave it out", () => { this._wish(null); this._fill(); },
        { class: "button button-quiet button-small", test: "run-unwish" })] : []));
  }

  /** Put the values of the preset into the form, and what is wished for besides. */
  _fill() {
    const preset = this._learner().presets.find(({ name }) => name === this.preset.value);
    this.form.set({ ...preset?.settings, ...this.wish?.settings });
    this.measures.placeholder = (preset?.measures ?? this._learner().usual_measures).join(" ");
    this._checkSoon();
  }

  /** What the server shall make: the preset, and what differs from it. */
  _request() {
    const learner = this._learner();
    const preset = learner.presets.find(({ name }) => name === this.preset.value);
    const values = this.form.values();
    const settings = Object.fromEntries(Object.entries(values).filter(([name, value]) => {
      const usual = preset && name in preset.settings ? preset.settings[name]
        : learner.json_schema.properties[name].default ?? null;
      return JSON.stringify(value) !== JSON.stringify(usual ?? (value === "" ? "" : null));
    }));
    const measures = this.measures.value.trim().split(/\s+/).filter(Boolean);
    return {
      learner: learner.name, preset: preset?.name ?? null, settings,
      name: this.name.value.trim() || null,
      measures: measures.length ? measures.filter((each) => each !== "none") : null,
      begin_from: this.from.value || null,
    };
  }

  _checkSoon() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this._check(), CHECK_MS);
  }

  async _check() {
    this._abort?.abort();
    this._abort = new AbortController();
    const { signal } = this._abort;
    try {
      const { problem } = await this.app.api.post("/runs/check", this._request(), { signal });
      this._complain(problem ? sentenceOf(problem) : null);
    } catch (error) {
      if (!signal.aborted && error.status === 422) this._complain(sentenceOf(error));
    }
  }

  async _start(start) {
    clearTimeout(this._timer);
    this._abort?.abort();
    start.disabled = true;
    try {
      const { name } = await this.app.api.post("/runs", this._request());
      this.began(name);
      this.app.say(`Run ${name} begins.`);
      this.toggle();
    } catch (error) {
      this._complain(sentenceOf(error));
    }
    start.disabled = false;
  }

  /** Show what is wrong beside the field it speaks of, if it names one. */
  _complain(sentence) {
    for (const old of this.place.querySelectorAll(".field-error")) old.remove();
    for (const old of this.place.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
    this.complaint.textContent = "";
    if (!sentence) return;
    const named = [...this.form.element.querySelectorAll("input[name], select[name]")]
      .find((input) => new RegExp(`(^|[\\s:'.])${input.name}(=|'|:| )`, "i").test(sentence));
    if (!named) {
      this.complaint.textContent = sentence;
      return;
    }
    named.setAttribute("aria-invalid", "true");
    named.closest("details")?.setAttribute("open", "");
    named.after(h("p", { class: "field-error", role: "alert", text: sentence, data: { test: "field-error" } }));
  }
}

function field(id, label, input, note) {
  return h("div", { class: "field" }, h("label", { for: id, text: label }), input,
    note ? h("p", { class: "field-note", text: note }) : null);
}

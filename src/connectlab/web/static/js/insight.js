/** What perfect play and chosen players think of the position shown: asked, kept, never stale. */

import { patient, pause } from "./patience.js";
import { sentenceOf } from "./say.js";

/** A position must be shown so long before anybody is asked about it. */
const SETTLES_MS = 140;
/** How long a player's opinion waits for the verdicts, which it is then compared with at once. */
const PATIENCE_MS = 500;
/** Perfect play is asked for what is quickly found first, then again for the rest. */
const DEADLINES_S = [1.5, 8];
const LONGEST_S = 20;
const KEPT = 200;
/** How often a busy server is asked again. */
const AGAIN = 3;

/**
 * @typedef {object} View
 * @property {object|null} analysis as the server gives it
 * @property {boolean} waiting
 * @property {string|null} failure why there is none, as a sentence
 */

/**
 * Asks about the position shown as long as somebody wants to know. Fires "change" whenever
 * anything is found out, and "forgotten" with the `spec` of a player that has learned; what
 * belongs to another position is thrown away.
 */
export class Insight extends EventTarget {
  /** @param {object} app */
  constructor(app) {
    super();
    this._app = app;
    this._wants = new Map();
    this._kept = new Map();
    this._asking = null;
    this._clear();
    app.game.addEventListener("change", () => this.refresh());
  }

  /**
   * Say whose opinions a part of the page wants to show.
   * @param {string} owner
   * @param {string[]|null} specs null if it shows nothing now
   */
  want(owner, specs) {
    const before = JSON.stringify([...this._wants]);
    if (specs) this._wants.set(owner, [...specs]);
    else this._wants.delete(owner);
    if (JSON.stringify([...this._wants]) !== before) this.refresh();
  }

  /** Whether the position shown can be judged by perfect play at all. */
  get judged() {
    const { game } = this._app;
    return game.geometry.isPlain && !game.over;
  }

  /**
   * What a player thinks.
   * @param {string} spec
   * @returns {View}
   */
  view(spec) {
    return this._views.get(spec) ?? { analysis: null, waiting: this.busy, failure: null };
  }

  /** Whether anything is still being asked. */
  get busy() {
    return this._asking !== null;
  }

  /** Forget what is being asked, and ask about what is shown now. */
  refresh() {
    this._asking?.abort();
    this._clear();
    if (this._wants.size && !this._app.game.over) this._ask();
    this._changed();
  }

  /**
   * A player has learned: what it said before holds no longer.
   * @param {string} spec
   */
  forget(spec) {
    if (this._specs().includes(spec)) this.refresh();
    this.dispatchEvent(new CustomEvent("forgotten", { detail: { spec } }));
  }

  /** Let perfect play think longer about what it could not find out. */
  async lookLonger() {
    if (this._asking) return;
    await this._during(async (signal) => {
      await this._judge(LONGEST_S, signal);
      await this._askViews(signal, Promise.resolve());
    });
  }

  _clear() {
    this._asking = null;
    /** @type {object|null} verdicts as the server gives them */
    this.verdicts = null;
    this.failure = null;
    this._views = new Map();
    this._request = this._app.game.request();
    this.verdicts = this._recall("verdicts");
    for (const spec of this._specs()) this._recallView(spec);
  }

  _specs() {
    return [...new Set([...this._wants.values()].flat())];
  }

  _ask() {
    this._during(async (signal) => {
      await pause(SETTLES_MS, signal);
      const judged = this._judgeAll(signal);
      await Promise.all([judged, this._askViews(signal, judged)]);
      if (!signal.aborted) await this._askViews(signal, judged);
    });
  }

  /** Do something that ends when the position changes. */
  async _during(work) {
    const asking = new AbortController();
    this._asking = asking;
    try {
      await work(asking.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.failure = sentenceOf(error);
    }
    if (asking.signal.aborted) return;
    this._asking = null;
    this._changed();
  }

  async _judgeAll(signal) {
    if (!this.judged) return;
    for (const deadline of DEADLINES_S) {
      if (this.verdicts && !this.verdicts.unknown.length) return;
      await this._judge(deadline, signal);
      if (this.failure) return;
    }
  }

  async _judge(deadline, signal) {
    try {
      const body = { position: this._request, deadline_s: deadline };
      const found = await patient(() => this._app.api.post("/verdicts", body, { signal }),
        { again: AGAIN, signal });
      if (signal.aborted) return;
      this.verdicts = found;
      this.failure = null;
      this._keep("verdicts", found);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      this.failure = sentenceOf(error);
    }
    this._changed();
  }

  async _askViews(signal, judged) {
    const specs = this._specs().filter((spec) => this._isOpen(spec));
    if (!specs.length) return;
    for (const spec of specs) this._setView(spec, { waiting: true, failure: null });
    this._changed();
    await Promise.race([judged, pause(PATIENCE_MS, signal)]);
    await Promise.all(specs.map((spec) => this._askView(spec, signal)));
  }

  /** Whether a player was not asked yet, or before the verdicts were known that stand now. */
  _isOpen(spec) {
    const view = this._views.get(spec);
    if (view?.failure) return false;
    return !view?.analysis || view.scores !== this._scores();
  }

  _scores() {
    return this.verdicts ? JSON.stringify(this.verdicts.scores) : null;
  }

  async _askView(spec, signal) {
    const scores = this._scores();
    const body = { position: this._request, player: spec };
    if (scores) body.scores = JSON.parse(scores);
    try {
      const analysis = await patient(
        () => this._app.api.post("/analysis", body, { signal }), { again: AGAIN, signal },
      );
      if (signal.aborted) return;
      this._setView(spec, { analysis, scores, waiting: false });
      if (isFixed(spec)) this._keep(spec, { analysis, scores });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      this._setView(spec, { waiting: false, failure: sentenceOf(error) });
    }
    this._changed();
  }

  _setView(spec, changes) {
    const before = this._views.get(spec) ?? { analysis: null, failure: null, scores: null };
    this._views.set(spec, { ...before, ...changes });
  }

  _recallView(spec) {
    const kept = this._recall(spec);
    if (kept) this._views.set(spec, { ...kept, waiting: false, failure: null });
  }

  _recall(what) {
    return this._kept.get(this._key(what)) ?? null;
  }

  _keep(what, found) {
    this._kept.set(this._key(what), found);
    if (this._kept.size > KEPT) this._kept.delete(this._kept.keys().next().value);
  }

  _key(what) {
    const { seed, game, ...board } = this._request;
    return JSON.stringify(what === "verdicts" ? [what, board] : [what, this._request]);
  }

  _changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** Whether a player stays as it is; one that comes from a file may learn on while we look. */
function isFixed(spec) {
  return !spec.includes("/");
}

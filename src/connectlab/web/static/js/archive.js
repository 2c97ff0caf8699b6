/** Finished games: kept by the server, and in this browser until the server has them. */

import { button, h } from "./dom.js";
import { boardText } from "./boards.js";
import { nameOf } from "./names.js";
import { Geometry } from "./rules.js";
import { sentenceOf } from "./say.js";

const WAITING = "connectlab.waiting";
const MOST_WAITING = 100;
const AGAIN_MS = 30_000;
const BUSY_MS = 5_000;
/** Statuses that may pass: a token of before a restart, a body that came slowly, too many requests. */
const MAY_PASS = new Set([401, 403, 408, 421, 429]);
const RESULTS = { first: "1 – 0", second: "0 – 1", draw: "½ – ½" };

/**
 * @typedef {object} Waiting a finished game that the server does not have, or has more to do with
 * @property {string} id
 * @property {object} record
 * @property {boolean} [kept] whether the server has it, so that only the rest waits
 */

/** Sends finished games to the server. Fires "kept" with what the server answered. */
export class Archive extends EventTarget {
  /** @param {object} app */
  constructor(app) {
    super();
    this.app = app;
    this._sending = false;
    /** @type {Set<string>} games of which was said that they wait */
    this._told = new Set();
    app.game.addEventListener("change", (event) => {
      if (event.detail.what === "move" && app.game.over) this._add();
    });
    addEventListener("online", () => this.send());
  }

  /** What shall be known of a game that ends now and is sent later, set by who needs it. */
  wishes = () => ({});

  /**
   * What else is done with a finished game; a failure that may pass has it asked once more.
   * @type {(waiting: Waiting) => Promise<void>}
   */
  afterwards = async () => {};

  /** Send what waits; what the server does not take now is sent again later. */
  async send() {
    if (this._sending) return;
    this._sending = true;
    clearTimeout(this._again);
    const tried = new Set();
    for (let next; (next = readWaiting().find(({ id }) => !tried.has(id))); tried.add(next.id)) {
      const failure = await this._deliver(next);
      if (failure) this._later(failure);
      if (failure?.mayRetry) break; // the others would fare no better
    }
    this._sending = false;
  }

  _add() {
    const { game } = this.app;
    const waiting = { id: game.id, record: game.record(), ...this.wishes() };
    writeWaiting([...readWaiting().filter(({ id }) => id !== game.id), waiting]);
    this.send();
  }

  /** Do all that there is to do with a game; return what went wrong if that may pass. */
  async _deliver(waiting) {
    let refusal = "";
    try {
      if (!waiting.kept) refusal = await this._keep(waiting);
      await this.afterwards(waiting);
      writeWaiting(readWaiting().filter(({ id }) => id !== waiting.id));
      return null;
    } catch (error) {
      return error;
    } finally {
      if (refusal) this.app.fail(refusal);
    }
  }

  /** Let the server keep a game; return a sentence if it never will. */
  async _keep(waiting) {
    const { id, record } = waiting;
    let refusal = "";
    try {
      const detail = await this.app.api.post("/games", { id, record });
      this.dispatchEvent(new CustomEvent("kept", { detail }));
    } catch (error) {
      if (!isRefusal(error)) {
        if (!error.mayRetry) this._tellWaiting(id, error);
        throw error;
      }
      refusal = `A finished game is not kept: ${sentenceOf(error)} It can be downloaded.`;
    }
    writeWaiting(readWaiting().map((each) => (each.id === id ? { ...each, kept: true } : each)));
    return refusal;
  }

  /** Say once of a game that it is not lost, though the server cannot take it now. */
  _tellWaiting(id, error) {
    if (this._told.has(id)) return;
    this._told.add(id);
    this.app.note(`A finished game waits in this browser and is sent again: ${sentenceOf(error)}`,
      [{ label: "Try again", run: () => this.send() }]);
  }

  _later(error) {
    clearTimeout(this._again);
    const wish = error.retryAfter ? Math.max(1000 * error.retryAfter, BUSY_MS) : AGAIN_MS;
    this._again = setTimeout(() => this.send(), wish);
  }
}

/**
 * Whether the server will not do a thing however often it is asked.
 * @param {{status?: number}} error
 */
export function isRefusal({ status }) {
  return status >= 400 && status < 500 && !MAY_PASS.has(status);
}

/**
 * Add the panel of finished games.
 * @param {object} app
 */
export function mountGames(app) {
  const list = h("ul", { class: "games", data: { test: "games" } });
  const note = h("p", { class: "soft" });
  const refresh = async () => {
    try {
      const { games } = await app.api.get("/games");
      list.replaceChildren(...games.map((game) => gameRow(app, game)));
      note.textContent = games.length ? "" : "Games that you finish are kept here.";
    } catch (error) {
      note.textContent = sentenceOf(error);
    }
  };
  app.panels.add({ id: "games", title: "Games",
    mount: (element) => element.append(note, list), shown: refresh });
  app.archive.addEventListener("kept", () => {
    if (app.panels.current === "games") refresh();
  });
}

function gameRow(app, { id, saved, record }) {
  const [first, second] = (record.players ?? ["unknown", "unknown"]).map(nameOf);
  const { columns, rows, connect, variant = "" } = record.geometry;
  const about = [boardText(new Geometry(columns, rows, connect, variant)),
    `${record.movers.length} moves`, new Date(saved).toLocaleString()];
  return h("li", {},
    h("button", { type: "button", class: "game-open", data: { test: "game" },
      on: { click: () => openGame(app, id, record) } },
    h("span", { class: "game-names", text: `${first} – ${second}` }),
    h("span", { class: "game-result", text: RESULTS[record.result] }),
    h("span", { class: "game-about", text: about.join(" · ") })));
}

function openGame(app, id, record) {
  try {
    app.game.load({ ...record, id });
    app.note("A finished game. Scrub through it, review it, or play on from any move.");
  } catch (error) {
    app.fail(sentenceOf(error));
  }
}

/** What waits while this browser stores nothing; it is gone with the page. */
let unstored = null;

function readWaiting() {
  if (unstored) return unstored;
  try {
    const waiting = JSON.parse(localStorage.getItem(WAITING) ?? "[]");
    return Array.isArray(waiting) ? waiting : [];
  } catch {
    return [];
  }
}

function writeWaiting(waiting) {
  try {
    localStorage.setItem(WAITING, JSON.stringify(waiting.slice(-MOST_WAITING)));
    unstored = null;
  } catch {
    unstored = waiting.slice(-MOST_WAITING);
  }
}

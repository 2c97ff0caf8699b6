/** Finished games: kept by the server, and in this browser until the server has them. */

import { button, h } from "./dom.js";
import { boardText } from "./boards.js";
import { nameOf } from "./names.js";
import { Geometry } from "./rules.js";
import { sentenceOf } from "./say.js";

const WAITING = "connectlab.waiting";
const MOST_WAITING = 100;
const AGAIN_MS = 30_000;
const RESULTS = { first: "1 – 0", second: "0 – 1", draw: "½ – ½" };

/** Sends finished games to the server. Fires "kept" with what the server answered. */
export class Archive extends EventTarget {
  /** @param {object} app */
  constructor(app) {
    super();
    this.app = app;
    this._sending = false;
    app.game.addEventListener("change", (event) => {
      if (event.detail.what === "move" && app.game.over) this._add();
    });
    addEventListener("online", () => this.send());
    this.send();
  }

  /** What else the server shall know of a finished game, set by who needs it. */
  extras = () => ({});

  /** Send what waits; what the server does not take now is sent again later. */
  async send() {
    if (this._sending) return;
    this._sending = true;
    clearTimeout(this._again);
    for (const waiting of readWaiting()) {
      try {
        const answer = await this.app.api.post("/games", waiting);
        this._done(waiting.id, answer);
      } catch (error) {
        if (error.status >= 400 && error.status < 500 && error.status !== 429) {
          this._done(waiting.id, null);
        } else {
          this._again = setTimeout(() => this.send(), AGAIN_MS);
          break;
        }
      }
    }
    this._sending = false;
  }

  _add() {
    const { game } = this.app;
    const waiting = { id: game.id, record: game.record(), ...this.extras() };
    writeWaiting([...readWaiting().filter(({ id }) => id !== game.id), waiting]);
    this.send();
  }

  _done(id, answer) {
    writeWaiting(readWaiting().filter((waiting) => waiting.id !== id));
    if (answer) this.dispatchEvent(new CustomEvent("kept", { detail: answer }));
  }
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

function readWaiting() {
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
  } catch {
    // without storage a game that the server does not take is lost with the page
  }
}

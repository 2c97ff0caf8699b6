/** Whose turn it is: asks players for their moves, and keeps an eye on the clock. */

import { HUMAN } from "./game.js";
import { patient } from "./patience.js";
import { sentenceOf } from "./say.js";

/** Pauses between the moves of two watched players, in milliseconds. */
export const SPEEDS = { slow: 1600, steady: 700, fast: 150 };
const ANSWER_MS = 260;
/** How often a busy server is asked again before a person has to. */
const AGAIN = 2;

/**
 * @typedef {"person"|"thinking"|"waiting"|"paused"|"stopped"|"failed"|"past"|"rest"|"over"|"setup"}
 *   Stand
 * waiting: the last disc still falls; paused: two players are watched and held; stopped: a person
 * stopped the thought; past: an earlier moment of the game is looked at; rest: a game was brought
 * here, and nobody moves in it until somebody wants to play on.
 */

/** Lets players move. Fires "change" whenever `stand` or the clock does. */
export class Turns extends EventTarget {
  /** @param {{game: import("./game.js").Game, api: object}} app */
  constructor(app) {
    super();
    this.app = app;
    this.paused = false;
    /** Whether the game was brought here, and nobody has wanted to play on since. */
    this.resting = false;
    this.speed = "steady";
    this.failure = "";
    /** @type {Stand} */
    this.stand = "person";
    this.since = performance.now();
    this._thought = null;
    this._timer = 0;
    app.game.addEventListener("change", (event) => this._onChange(event.detail));
  }

  /** Seconds since the side to move was asked. */
  get seconds() {
    return (performance.now() - this.since) / 1000;
  }

  /** Stop the thought under way; the player can be asked again. */
  cancel() {
    this._stop();
    this._stands("stopped");
  }

  /** Ask the player to move, whatever held it up. */
  resume() {
    this.paused = this.resting = false;
    this._next(0);
  }

  /** Go on from the place that is shown: what came after it is forgotten. */
  playOn() {
    this.paused = false;
    this.app.game.forget();
  }

  /** Let two watched players stop after the move under way, or not even make it. */
  pause() {
    this.paused = true;
    this._stop();
    this._next(0);
  }

  /** Ask for one move, then pause. */
  step() {
    this._stop();
    this.paused = true;
    this.resting = false;
    this._think();
  }

  /**
   * Make a person's move.
   * @param {number} column
   */
  async choose(column) {
    const { game, api } = this.app;
    const seconds = this.seconds;
    if (game.geometry.isPlain) {
      game.play(column, { mover: HUMAN, seconds });
      return;
    }
    const request = game.request();
    this._stands("waiting");
    try {
      const asked = { position: request, column: game.geometry.columnName(column) };
      const made = await patient(() => api.post("/play", asked), { again: AGAIN });
      if (sameRequest(game.request(), request)) this._make(made, HUMAN, seconds, column);
    } catch (error) {
      if (sameRequest(game.request(), request)) this._fail(error);
    }
  }

  /**
   * Hold everything while a position is set up.
   * @param {boolean} on
   */
  hold(on) {
    this._stop();
    if (on) this._stands("setup");
    else this._next(0);
  }

  _onChange({ what, rest }) {
    this._stop();
    if (what === "players") this.resting = this.stand === "rest";
    else if (what !== "place") this.resting = rest;
    if (what === "new") this.paused = false;
    if (what === "place" && this.app.game.watched) this.paused = true;
    this.since = performance.now();
    this._next(what === "move" ? this._pauseMs() : 0);
  }

  _pauseMs() {
    const last = this.app.game.played.at(-1);
    if (this.app.game.watched) return SPEEDS[this.speed];
    return last?.mover === HUMAN ? ANSWER_MS : 0;
  }

  _next(pauseMs) {
    const { game } = this.app;
    if (game.over) this._stands("over");
    else if (game.personToMove) this._stands("person");
    else if (!game.atEnd) this._stands("past");
    else if (this.resting) this._stands("rest");
    else if (game.watched && this.paused) this._stands("paused");
    else this._think(pauseMs);
  }

  /** Ask at once, but let the last disc come to rest before the answer falls. */
  async _think(pauseMs = 0) {
    const { game, api } = this.app;
    const thought = new AbortController();
    const asked = { position: game.request(), player: game.toMove };
    this._thought = thought;
    this.since = performance.now();
    this._stands("thinking");
    const rest = sleep(pauseMs);
    try {
      const { signal } = thought;
      const made = await patient(() => api.post("/move", asked, { signal }), { again: AGAIN, signal });
      await rest;
      if (this._thought !== thought) return;
      if (made.forfeit) this._fail({ detail: made.forfeit });
      else this._make(made, asked.player, made.seconds ?? 0, null);
    } catch (error) {
      if (this._thought === thought) this._fail(error);
    }
  }

  _make(made, mover, seconds, meant) {
    const { game } = this.app;
    const column = game.geometry.columnNamed(String(made.landed ?? made.column));
    const chosen = meant ?? game.geometry.columnNamed(String(made.column));
    try {
      if (column < 0 || chosen < 0) throw new Error("the answer of the server is no move");
      game.play(column, {
        mover, seconds, fell: Boolean(made.fell), chosen: chosen === column ? null : chosen,
      });
    } catch (error) {
      this._fail(error);
    }
  }

  _fail(error) {
    this._thought = null;
    this.failure = sentenceOf(error);
    this._stands("failed");
  }

  _stop() {
    clearInterval(this._timer);
    this._timer = 0;
    const thought = this._thought;
    this._thought = null;
    thought?.abort();
  }

  _stands(stand) {
    clearInterval(this._timer);
    this.stand = stand;
    if (stand === "thinking") this._timer = setInterval(() => this._tick(), 250);
    this._tick();
  }

  _tick() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

function sleep(ms) {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

function sameRequest(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

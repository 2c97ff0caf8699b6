/**
 * The game in the address, so that a link or a reload brings the same board back.
 *
 * A game that this window was playing goes on. A position that comes from elsewhere is shown as it
 * was shared: where a player is to move, it waits until somebody wants to play on.
 */

import { HUMAN } from "./game.js";
import { Geometry, Position } from "./rules.js";
import { sentenceOf } from "./say.js";

const KEPT = "connectlab.game";
const PAUSE_MS = 600;
const WINDOW_MS = 30_000;
const MOST_IN_WINDOW = 40;

/** Keeps the address true to the game, and reads a game from it. */
export class Address {
  /** @param {object} app */
  constructor(app) {
    this.app = app;
    this._parts = [];
    this._times = [];
    this._later = 0;
  }

  /**
   * Let another part of the page keep something in the address; to be called before `open`.
   * @param {{read: (query: URLSearchParams) => void, write: (query: URLSearchParams) => void}} part
   */
  add(part) {
    this._parts.push(part);
  }

  /** Bring the address up to date. */
  update() {
    if (this._opened) this._write();
  }

  /** Set up the game of the address; what makes no sense there is told, and a fresh board shown. */
  open() {
    const { app } = this;
    const query = new URLSearchParams(location.search);
    try {
      this._load(query);
    } catch (error) {
      app.game.newGame({ geometry: new Geometry(),
        players: [HUMAN, app.players.defaultFor(new Geometry())] });
      app.fail(`The address could not be read: ${lower(sentenceOf(error))} Here is a fresh board.`);
    }
    for (const part of this._parts) part.read(query);
    app.game.addEventListener("change", () => this._writeSoon());
    addEventListener("pagehide", () => this._write());
    this._opened = true;
    this._write();
  }

  /**
   * The link to the game as it stands.
   * @returns {string}
   */
  link() {
    return new URL(`?${this._query()}`, location.href).href;
  }

  _load(query) {
    const { app } = this;
    const geometry = Geometry.parse(query.get("board") ?? "7x6x4", query.get("variant") ?? "");
    const across = app.players.defaultFor(geometry);
    const players = [query.get("first") ?? HUMAN, query.get("second") ?? across];
    const start = query.get("start");
    const { columns, rows, connect, variant } = geometry;
    const record = {
      geometry: { columns, rows, connect, variant },
      players,
      start_drawing: start ? Position.fromDrawing(start, geometry).drawing() : null,
      moves: query.get("pos") ?? "",
      seed: readNumber(query.get("seed")),
      game: readNumber(query.get("game")) ?? 0,
    };
    const at = query.get("at");
    const place = at !== null && /^\d{1,5}$/.test(at) ? Number(at) : Infinity;
    const known = this._known(record);
    const shows = Boolean(record.moves || start || query.get("analyse"));
    app.game.load(known ?? record, { players, place, rest: known ? known.resting : shows });
  }

  /** The same game with all that this window knows of it, if it was played here. */
  _known(record) {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
      return kept && nameOf(kept) === nameOf(record) ? kept : null;
    } catch {
      return null; // storage is switched off, or holds something else
    }
  }

  /** Browsers refuse an address that changes too often, as while scrubbing: then some wait. */
  _writeSoon() {
    clearTimeout(this._later);
    const since = performance.now() - WINDOW_MS;
    this._times = this._times.filter((time) => time > since);
    if (this._times.length < MOST_IN_WINDOW) this._write();
    else this._later = setTimeout(() => this._write(), PAUSE_MS);
  }

  _write() {
    const { game } = this.app;
    clearTimeout(this._later);
    this._times.push(performance.now());
    history.replaceState(null, "", `?${this._query()}`);
    try {
      const { resting } = this.app.turns;
      const whole = { ...game.recordAt(game.moves.length), id: game.id, resting };
      sessionStorage.setItem(KEPT, JSON.stringify(whole));
    } catch {
      // without storage a reload knows the moves, not the times
    }
  }

  _query() {
    const { game } = this.app;
    const query = new URLSearchParams();
    const moves = game.moveString(game.moves.length);
    if (moves) query.set("pos", moves);
    if (!game.atEnd) query.set("at", String(game.place));
    query.set("board", game.geometry.toString());
    if (!game.geometry.isPlain) query.set("variant", game.geometry.variant);
    if (game.start.stones) query.set("start", game.start.compactDrawing());
    query.set("first", game.players[0]);
    query.set("second", game.players[1]);
    query.set("seed", String(game.seed));
    if (game.number) query.set("game", String(game.number));
    for (const part of this._parts) part.write(query);
    return query.toString().replaceAll("%3A", ":").replaceAll("%3D", "=").replaceAll("%2C", ",")
      .replaceAll("%2F", "/");
  }
}

/** A seed or the number of a game; one above 2^53 loses its last digits here. */
function readNumber(text) {
  return text !== null && /^\d{1,19}$/.test(text) ? Number(text) : undefined;
}

/** What makes a game the one of the address: the board, where it began, its moves and its lots. */
function nameOf({ geometry: board, start_drawing: start, moves, seed, game }) {
  const { columns, rows, connect, variant } = board;
  return JSON.stringify([columns, rows, connect, variant || "", start ?? null, moves, seed, game ?? 0]);
}

function lower(sentence) {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** The game: who plays, where it began, its moves, and which of them are shown. */

import { FALL, Geometry, Position, formatMoves, readSteps } from "./rules.js";

/** What stands for a person where a player's spec would stand. */
export const HUMAN = "human";

/** The largest numbers of a browser below 2^63, where seeds end, and 2^62, where games do. */
const LARGEST_SEED = 2 ** 63 - 1024;
const LARGEST_NUMBER = 2 ** 62 - 512;

/**
 * @typedef {object} Move
 * @property {number} column where the stone landed, 0-based
 * @property {string} mover a spec, "human" or "unknown"
 * @property {number} seconds
 * @property {boolean} fell whether the bottom row fell after it
 * @property {number|null} chosen the column that was meant, if the stone slipped
 */

/**
 * A game and a place in it: moves before the place stand, the rest was taken back.
 *
 * Fires "change" after anything changed; `event.detail.what` is "move", "place", "new",
 * "players" or "forget"; `event.detail.rest` says of a new game that nobody is to move in it yet.
 */
export class Game extends EventTarget {
  constructor() {
    super();
    this._begin(new Position(new Geometry()), null, [HUMAN, HUMAN], randomSeed());
  }

  /** The board that is played on. */
  get geometry() {
    return this.start.geometry;
  }

  /** The position that is shown. */
  get position() {
    return this.positionAt(this.place);
  }

  /** Whether the last move there is, is shown. */
  get atEnd() {
    return this.place === this.moves.length;
  }

  /** The moves that stand. */
  get played() {
    return this.moves.slice(0, this.place);
  }

  /** @returns {"first"|"second"|"draw"|null} of what is shown */
  get result() {
    return this.position.result;
  }

  /** Whether the game is over in what is shown. */
  get over() {
    return this.result !== null;
  }

  /** The player to move in what is shown; null once the game is over. */
  get toMove() {
    return this.over ? null : this.players[this.position.side];
  }

  /** Whether a person is to move. */
  get personToMove() {
    return this.toMove === HUMAN;
  }

  /** Whether no person sits at the table. */
  get watched() {
    return !this.players.includes(HUMAN);
  }

  /**
   * The number of the move that led to a place: the stones of a board that was set up count, too.
   * @param {number} place from 1
   * @returns {number}
   */
  numberOf(place) {
    return this.start.nMoves + place;
  }

  /**
   * The position after so many moves.
   * @param {number} place
   * @returns {Position}
   */
  positionAt(place) {
    return this._positions[place];
  }

  /**
   * Make a move where the game stands; moves that were taken back are forgotten.
   * @param {number} column where the stone lands
   * @param {Partial<Move>} [details]
   */
  play(column, details = {}) {
    const landed = this.position.play(column);
    const move = { mover: HUMAN, seconds: 0, fell: false, chosen: null, ...details, column };
    const after = move.fell ? landed.fall() : landed;
    if (!this.atEnd) this._renew();
    this.moves.splice(this.place, Infinity, move);
    this._positions.splice(this.place + 1, Infinity, after);
    this.place += 1;
    this._changed("move");
  }

  /** Go back to where a person was to move, or by one move where nobody is. */
  undo() {
    this.goTo(this._turnBefore());
  }

  /** Go on to where a person was to move again, or to the end. */
  redo() {
    this.goTo(this._turnAfter());
  }

  /**
   * Show the game after so many moves.
   * @param {number} place
   */
  goTo(place) {
    const kept = Math.min(Math.max(place, 0), this.moves.length);
    if (kept === this.place) return;
    this.place = kept;
    this._changed("place");
  }

  /** Forget the moves that were taken back. */
  forget() {
    if (!this.atEnd) this._renew();
    this.moves.length = this.place;
    this._positions.length = this.place + 1;
    this._changed("forget");
  }

  /**
   * Begin another game; what is not given stays as it is, but for the seed.
   * @param {{geometry?: Geometry, start?: Position, players?: string[], seed?: number}} [options]
   */
  newGame(options = {}) {
    const geometry = options.geometry ?? options.start?.geometry ?? this.geometry;
    const start = options.start ?? new Position(geometry);
    this._begin(start, null, options.players ?? this.players, options.seed ?? randomSeed());
    this._changed("new");
  }

  /**
   * Set up a recorded game, shown at its end or at `place`.
   * @param {object} record as `connectlab.lab.records.GameRecord` writes it
   * @param {{players?: string[], place?: number, rest?: boolean}} [options] `rest` if it is brought
   *   here to be looked at: no player moves in it until somebody wants to play on
   */
  load(record, options = {}) {
    const { columns, rows, connect, variant = "" } = record.geometry;
    const geometry = new Geometry(columns, rows, connect, variant);
    const start = record.start_drawing
      ? Position.fromDrawing(record.start_drawing, geometry) : new Position(geometry);
    const opening = record.start_moves ?? "";
    const early = readSteps(opening, start).steps.length;
    const { steps, positions } = readSteps(opening + record.moves, start);
    const moves = steps.map(moveOf);
    moves.slice(early).forEach((move, index) => {
      move.mover = record.movers?.[index] ?? "unknown";
      move.seconds = record.move_seconds?.[index] ?? 0;
    });
    const players = options.players ?? record.players ?? this.players;
    this._begin(start, record.id ?? null, [...players], record.seed ?? randomSeed());
    this.number = Math.min(record.game ?? 0, LARGEST_NUMBER);
    this.moves = moves;
    this._positions = positions;
    this.place = Math.min(options.place ?? moves.length, moves.length);
    this._changed("new", options.rest);
  }

  /**
   * Seat players; the game goes on as it stands.
   * @param {string[]} players specs or "human", the first player first
   */
  setPlayers(players) {
    this.players = [...players];
    this._changed("players");
  }

  /** What a request to the server says of the position shown. */
  request() {
    return this.requestAt(this.place);
  }

  /**
   * The same after so many moves.
   * @param {number} place
   */
  requestAt(place) {
    const { columns, rows, connect, variant } = this.geometry;
    return {
      columns, rows, connect, variant,
      start_drawing: this.start.stones ? this.start.drawing() : null,
      moves: this.moveString(place),
      seed: this.seed,
      game: this.number,
    };
  }

  /**
   * The moves that stand, such as "4453".
   * @param {number} [place]
   */
  moveString(place = this.place) {
    const steps = this.moves.slice(0, place)
      .flatMap((move) => (move.fell ? [move.column, FALL] : [move.column]));
    return formatMoves(steps, this.geometry);
  }

  /** The game up to the place shown, as a record that the whole house reads. */
  record() {
    return this.recordAt(this.place);
  }

  /**
   * The same after so many moves.
   * @param {number} place
   */
  recordAt(place) {
    const played = this.moves.slice(0, place);
    const drawn = this.start.stones > 0;
    const { columns, rows, connect, variant } = this.geometry;
    return {
      kind: "connectlab game",
      geometry: { columns, rows, connect, ...(variant ? { variant } : {}) },
      players: [...this.players],
      start_moves: drawn ? null : "",
      start_drawing: drawn ? this.start.drawing() : null,
      moves: this.moveString(place),
      movers: played.map((move) => move.mover),
      move_seconds: played.map((move) => Math.round(move.seconds * 1000) / 1000),
      seed: this.seed,
      game: this.number,
      result: this.positionAt(place).result,
    };
  }

  _begin(start, id, players, seed) {
    this.start = start;
    this.id = id ?? randomId();
    this.players = [...players];
    this.seed = Math.min(seed, LARGEST_SEED);
    this.number = 0;
    this.moves = [];
    this.place = 0;
    this._positions = [start];
  }

  /** A game that was finished is kept by its id: one that leaves it is another game. */
  _renew() {
    if (this._positions.at(-1).result) this.id = randomId();
  }

  _turnBefore() {
    for (let place = this.place - 1; place >= 0; place -= 1) if (this._personAt(place)) return place;
    return this.watched ? this.place - 1 : this.place;
  }

  _turnAfter() {
    for (let place = this.place + 1; place <= this.moves.length; place += 1) {
      if (this._personAt(place)) return place;
    }
    return this.watched ? this.place + 1 : this.moves.length;
  }

  _personAt(place) {
    const position = this.positionAt(place);
    return !position.result && this.players[position.side] === HUMAN;
  }

  _changed(what, rest = false) {
    this.dispatchEvent(new CustomEvent("change", { detail: { what, rest } }));
  }
}

/**
 * The record of a game that begins on a drawn board, before its first move.
 * @param {Position} start
 */
export function recordOfStart(start) {
  const { columns, rows, connect, variant } = start.geometry;
  return {
    kind: "connectlab game", geometry: { columns, rows, connect, ...(variant ? { variant } : {}) },
    start_moves: null, start_drawing: start.drawing(), result: start.result,
  };
}

/** A seed for the lots of a new game. */
function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

/** A name for a new game that no other has; it needs no secure context, as a UUID would. */
function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function moveOf({ column, fell }) {
  return { column, mover: "unknown", seconds: 0, fell, chosen: null };
}

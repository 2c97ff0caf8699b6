/** A look back at the game with perfect play: scores of positions, and moves that threw away. */

import { sentenceOf } from "./say.js";

/** What stands beside a move that threw away a win or a draw, wherever it is shown. */
export const BLUNDER = "??";

/**
 * @typedef {object} ReviewedMove
 * @property {number} number
 * @property {"win"|"draw"|null} thrown_away
 * @property {string[]} keeping_columns
 * @property {string} sentence
 */

/** What perfect play said of a game. Fires "change". */
export class Review extends EventTarget {
  /** @param {object} app */
  constructor(app) {
    super();
    this.app = app;
    this.asking = false;
    this._found = null;
    app.actions.add({ id: "review", label: "Review", key: "v", icon: "analyse", place: "more",
      order: 60, help: "Review the game with perfect play", run: () => this.ask() });
    app.game.addEventListener("change", () => this._onChange());
  }

  /** Ask the solver about every move of the game. */
  async ask() {
    const { app } = this;
    const { game } = app;
    if (this.asking || !game.moves.length) return;
    const asked = game.requestAt(game.moves.length);
    this._asked = new AbortController();
    this._changes(true);
    try {
      const found = await app.api.post("/review", { position: asked }, { signal: this._asked.signal });
      this._found = { ...found, key: keyOf(asked), string: asked.moves };
      app.say(found.sentences.join(" "));
    } catch (error) {
      if (error.name !== "AbortError") {
        app.fail(sentenceOf(error), [{ label: "Try again", run: () => this.ask() }]);
      }
    }
    this._changes(false);
  }

  /** Stop asking. */
  stop() {
    this._asked?.abort();
  }

  /** Whether anything is known of the game shown. */
  get known() {
    return this._shared() > 0;
  }

  /** Whether every move of the game shown was looked at. */
  get complete() {
    return this._shared() === this.app.game.moves.length && this.app.game.moves.length > 0;
  }

  /** What there is to say, in sentences. */
  get sentences() {
    return this.complete ? this._found.sentences : [];
  }

  /**
   * The score of the position after so many moves, for the first player; null if not known.
   * @param {number} place
   * @returns {number|null}
   */
  scoreAt(place) {
    return place <= this._shared() ? this._found?.first_player_scores[place] ?? null : null;
  }

  /**
   * What was said of the move that led to a place; null if nothing was.
   * @param {number} place from 1
   * @returns {ReviewedMove|null}
   */
  moveAt(place) {
    return place > 0 && place <= this._shared() ? this._found.moves[place - 1] : null;
  }

  /** The places of the moves that threw away a win or a draw. */
  get blunders() {
    return Array.from({ length: this._shared() }, (_, index) => index + 1)
      .filter((place) => this.moveAt(place).thrown_away);
  }

  /** How many moves of the game shown are those that were looked at. */
  _shared() {
    if (!this._found) return 0;
    const { game } = this.app;
    if (keyOf(game.request()) !== this._found.key) return 0;
    const [now, then] = [game.moveString(game.moves.length), this._found.string];
    let count = 0;
    while (count < then.length && now[count] === then[count]) count += 1;
    return count;
  }

  _onChange() {
    if (this.asking) this._asked.abort();
    this.app.actions.enable("review", this.app.game.moves.length > 0
      && this.app.game.geometry.isPlain);
    this.dispatchEvent(new CustomEvent("change"));
  }

  _changes(asking) {
    this.asking = asking;
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** What has to be the same for scores to hold: the board and where the game began. */
function keyOf({ columns, rows, connect, variant, start_drawing: start }) {
  return JSON.stringify([columns, rows, connect, variant, start]);
}

/** Boards and how people name their columns, as `connectlab.game` has them; all 0-based within. */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const LARGEST = 64;
const SMALLEST_CONNECT = 3;

/** What stands for the fall of the bottom row among the columns of a game. */
export const FALL = -1;
const FALL_MARK = "_";

/** What is not allowed by the rules, as a sentence for people. */
export class RuleError extends Error {}

/** A board of `columns` x `rows` on which `connect` stones in a line win. */
export class Geometry {
  /**
   * @param {number} [columns]
   * @param {number} [rows]
   * @param {number} [connect]
   * @param {string} [variant] as the command line writes it, such as "slip:0.1"; "" is plain
   */
  constructor(columns = 7, rows = 6, connect = 4, variant = "") {
    for (const [name, value] of Object.entries({ columns, rows, connect })) {
      if (!Number.isInteger(value)) throw new RuleError(`${name} must be a whole number`);
    }
    if (columns < 1 || rows < 1) throw new RuleError("a board needs at least 1 column and 1 row");
    if (columns * (rows + 1) > LARGEST) {
      throw new RuleError(
        `a board of ${columns}x${rows} is too large: columns * (rows + 1) may be at most ${LARGEST}`,
      );
    }
    if (connect < SMALLEST_CONNECT) {
      throw new RuleError(`connect must be ${SMALLEST_CONNECT} or more, not ${connect}`);
    }
    checkVariant(variant);
    Object.assign(this, { columns, rows, connect, variant });
    Object.freeze(this);
  }

  /**
   * Read "7x6x4" or "7x6".
   * @param {string} text
   * @param {string} [variant]
   * @returns {Geometry}
   */
  static parse(text, variant = "") {
    const found = /^(\d{1,2})x(\d{1,2})(?:x(\d{1,2}))?$/.exec(text.trim());
    if (!found) throw new RuleError(`“${text}” is no board: write one as 7x6x4`);
    return new Geometry(Number(found[1]), Number(found[2]), Number(found[3] ?? 4), variant);
  }

  /** Number of cells. */
  get cells() {
    return this.columns * this.rows;
  }

  /** Whether stones land where they are meant to and no row falls. */
  get isPlain() {
    return this.variant === "";
  }

  /** Whether the bottom row may fall. */
  get rowsFall() {
    return /drop-row:[0.]*[1-9]/.test(this.variant);
  }

  /**
   * Name a column as people type it.
   * @param {number} column
   * @returns {string}
   */
  columnName(column) {
    return DIGITS[column + 1];
  }

  /**
   * Find a column by its name; -1 if the board has none of that name.
   * @param {string} name
   * @returns {number}
   */
  columnNamed(name) {
    const column = name.length === 1 ? DIGITS.indexOf(name.toLowerCase()) - 1 : -1;
    return column >= 0 && column < this.columns ? column : -1;
  }

  /** @param {Geometry} other */
  equals(other) {
    return this.toString() === other.toString() && this.variant === other.variant;
  }

  /** "7x6x4", as the address has it. */
  toString() {
    return `${this.columns}x${this.rows}x${this.connect}`;
  }
}

/**
 * Read a move string into columns, with `FALL` where a row fell.
 * @param {string} text
 * @param {Geometry} geometry
 * @returns {number[]}
 */
export function parseMoves(text, geometry) {
  return [...text.trim()].map((character, index) => {
    if (character === FALL_MARK && geometry.rowsFall) return FALL;
    const column = geometry.columnNamed(character);
    if (column < 0) {
      const last = geometry.columnName(geometry.columns - 1);
      throw new RuleError(
        `move ${index + 1}: there is no column '${character}': choose 1 to ${last}`,
      );
    }
    return column;
  });
}

/**
 * Write columns, and `FALL` where a row fell, as a move string.
 * @param {number[]} columns
 * @param {Geometry} geometry
 * @returns {string}
 */
export function formatMoves(columns, geometry) {
  return columns.map((c) => (c === FALL ? FALL_MARK : geometry.columnName(c))).join("");
}

/** Boards that are told in counts are for players alone: a page would show what they may not see. */
function checkVariant(variant) {
  for (const part of variant === "" ? [] : variant.split("+")) {
    const [, name, odds] = /^(slip|drop-row):(0?\.\d+|0)$/.exec(part) ?? [];
    if (name === undefined || Number.isNaN(Number(odds))) {
      throw new RuleError(`the page has no variant “${part}”: write slip:0.1 or drop-row:0.05`);
    }
  }
}

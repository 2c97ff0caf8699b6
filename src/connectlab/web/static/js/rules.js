/**
 * The rules of Connect-N, as `connectlab.game` has them.
 *
 * Columns and rows are 0-based, row 0 at the bottom. People name columns "1" to "9", then "a" to
 * "w". A drawing has `X` for the first player, `O` for the second and `.` for an empty cell.
 */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const MARKS = [".", "X", "O"];
const LARGEST = 64;
const SMALLEST_CONNECT = 3;
const LONGEST_GAME = 10_000;
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

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
    return this.variant.includes("drop-row");
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

/** One position: which stones lie where, and who is to move. It never changes. */
export class Position {
  /**
   * @param {Geometry} geometry
   * @param {Uint8Array} [cells] by column, then from the bottom: 0 empty, 1 first, 2 second player
   * @param {number} [fallen] stones that have left the board with fallen rows
   */
  constructor(geometry, cells = new Uint8Array(geometry.cells), fallen = 0) {
    this.geometry = geometry;
    this.cells = cells;
    this.fallen = fallen;
    this.stones = cells.reduce((count, stone) => count + (stone > 0 ? 1 : 0), 0);
  }

  /**
   * Play moves from the empty board.
   * @param {string} text
   * @param {Geometry} geometry
   * @returns {Position}
   */
  static fromMoves(text, geometry) {
    return parseMoves(text, geometry).reduce(
      (position, step) => (step === FALL ? position.fall() : position.play(step)),
      new Position(geometry),
    );
  }

  /**
   * Read a drawing, top row first; rows that are missing on top are empty.
   * @param {string} text rows apart by line ends or by "-"
   * @param {Geometry} geometry
   * @returns {Position}
   */
  static fromDrawing(text, geometry) {
    const rows = text.split(/[\n-]/).map((row) => row.replace(/\s/g, "").toUpperCase())
      .filter((row) => /^[XO.]+$/.test(row)).reverse();
    if (rows.length > geometry.rows || rows.some((row) => row.length !== geometry.columns)) {
      throw new RuleError(`the drawing does not fit a board of ${geometry}`);
    }
    const cells = new Uint8Array(geometry.cells);
    rows.forEach((marks, row) => [...marks].forEach((mark, column) => {
      cells[column * geometry.rows + row] = MARKS.indexOf(mark);
    }));
    const position = new Position(geometry, cells);
    position.check();
    return position;
  }

  /** Moves made so far, those of fallen stones included. */
  get nMoves() {
    return this.stones + this.fallen;
  }

  /** Who is to move: 0 the first player, 1 the second. */
  get side() {
    return this.nMoves % 2;
  }

  /**
   * @param {number} column
   * @param {number} row
   * @returns {0|1|2} 0 empty, 1 a stone of the first player, 2 of the second
   */
  at(column, row) {
    return this.cells[column * this.geometry.rows + row];
  }

  /**
   * How many stones a column holds.
   * @param {number} column
   * @returns {number}
   */
  height(column) {
    let height = 0;
    while (height < this.geometry.rows && this.at(column, height)) height += 1;
    return height;
  }

  /** The cells of all winning lines, as [column, row]. */
  get winningCells() {
    this._winning ??= findLines(this);
    return this._winning;
  }

  /** @returns {"first"|"second"|"draw"|null} null while the game goes on */
  get result() {
    const [cell] = this.winningCells;
    if (cell) return this.at(...cell) === 1 ? "first" : "second";
    const full = this.stones === this.geometry.cells || this.nMoves >= LONGEST_GAME;
    return full ? "draw" : null;
  }

  /** The columns that can be played; none once the game is over. */
  get legal() {
    if (this.result) return [];
    return Array.from({ length: this.geometry.columns }, (_, column) => column)
      .filter((column) => this.height(column) < this.geometry.rows);
  }

  /**
   * The position after a stone of the side to move falls into a column.
   * @param {number} column
   * @returns {Position}
   */
  play(column) {
    if (this.result) throw new RuleError("the game is over");
    const row = this.height(column);
    if (row >= this.geometry.rows) {
      throw new RuleError(`column ${this.geometry.columnName(column)} is full`);
    }
    const cells = this.cells.slice();
    cells[column * this.geometry.rows + row] = this.side + 1;
    return new Position(this.geometry, cells, this.fallen);
  }

  /** The position after the bottom row has fallen out. */
  fall() {
    const { columns, rows } = this.geometry;
    const cells = new Uint8Array(this.cells.length);
    for (let column = 0; column < columns; column += 1) {
      cells.set(this.cells.subarray(column * rows + 1, (column + 1) * rows), column * rows);
    }
    const after = new Position(this.geometry, cells, 0);
    after.fallen = this.fallen + this.stones - after.stones;
    return after;
  }

  /** Throw a `RuleError` unless no stone floats and the numbers of stones fit the turns. */
  check() {
    const { columns, rows } = this.geometry;
    for (let column = 0; column < columns; column += 1) {
      for (let row = this.height(column); row < rows; row += 1) {
        if (this.at(column, row)) throw new RuleError("a stone floats: the cell below it is empty");
      }
    }
    const first = this.cells.filter((stone) => stone === 1).length;
    const second = this.cells.filter((stone) => stone === 2).length;
    if (first - second !== 0 && first - second !== 1) {
      throw new RuleError(
        `${first} stones of the first player and ${second} of the second cannot be: ` +
        "the first has as many as the second, or one more",
      );
    }
  }

  /** The board as the server reads it: all rows, top row first. */
  drawing() {
    return this._rows().join("\n");
  }

  /** The board as the address has it: without the empty rows on top. */
  compactDrawing() {
    const rows = this._rows();
    while (rows.length > 1 && /^\.+$/.test(rows[0])) rows.shift();
    return rows.join("-");
  }

  _rows() {
    const { columns, rows } = this.geometry;
    return Array.from({ length: rows }, (_, line) =>
      Array.from({ length: columns }, (_, column) => MARKS[this.at(column, rows - 1 - line)])
        .join(""));
  }
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

function findLines(position) {
  const { columns, rows } = position.geometry;
  const found = new Map();
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows && position.at(column, row); row += 1) {
      for (const direction of DIRECTIONS) {
        for (const cell of lineFrom(position, column, row, direction)) found.set(String(cell), cell);
      }
    }
  }
  return [...found.values()];
}

function lineFrom(position, column, row, [dx, dy]) {
  const { columns, rows, connect } = position.geometry;
  const stone = position.at(column, row);
  const cells = [];
  while (column >= 0 && column < columns && row >= 0 && row < rows
    && position.at(column, row) === stone) {
    cells.push([column, row]);
    column += dx;
    row += dy;
  }
  return cells.length >= connect ? cells : [];
}

/**
 * The rules of Connect-N, as `connectlab.game` has them.
 *
 * Columns and rows are 0-based, row 0 at the bottom. People name columns "1" to "9", then "a" to
 * "w". A drawing has `X` for the first player, `O` for the second and `.` for an empty cell.
 */

import { FALL, RuleError, parseMoves } from "./geometry.js";

export { FALL, Geometry, RuleError, formatMoves, parseMoves } from "./geometry.js";

/** @typedef {import("./geometry.js").Geometry} Geometry */

const MARKS = [".", "X", "O"];
const LONGEST_GAME = 10_000;
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

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
    this._mayFall = false; // only after a move
    this.stones = cells.reduce((count, stone) => count + (stone > 0 ? 1 : 0), 0);
  }

  /**
   * Play moves from the empty board.
   * @param {string} text
   * @param {Geometry} geometry
   * @returns {Position}
   */
  static fromMoves(text, geometry) {
    return readSteps(text, new Position(geometry)).positions.at(-1);
  }

  /**
   * Read a drawing, top row first; rows that are missing on top are empty.
   * @param {string} text rows apart by line ends or by "-"
   * @param {Geometry} geometry
   * @returns {Position}
   */
  static fromDrawing(text, geometry) {
    const rows = drawnRows(text, geometry).reverse();
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
    const after = new Position(this.geometry, cells, this.fallen);
    after._mayFall = true;
    return after;
  }

  /** The position after the bottom row has fallen out, once after a move at most. */
  fall() {
    const { columns, rows, rowsFall } = this.geometry;
    if (!rowsFall) throw new RuleError("no row can fall on this board");
    if (!this._mayFall) throw new RuleError("a row falls after a move, and not twice");
    if (this.winningCells.length) throw new RuleError("no row falls after the move that wins");
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

/**
 * Whether a text is a drawing of a board as `Position.fromDrawing` reads it, whatever lies there.
 * @param {string} text
 * @param {Geometry} geometry
 * @returns {boolean}
 */
export function isDrawing(text, geometry) {
  try {
    const rows = drawnRows(text, geometry);
    return rows.length > 0 && rows.length <= geometry.rows
      && rows.every((row) => row.length === geometry.columns);
  } catch {
    return false;
  }
}

/** The rows of a drawing, top row first; a line that names the columns is passed over. */
function drawnRows(text, geometry) {
  const names = Array.from({ length: geometry.columns }, (_, column) => geometry.columnName(column))
    .join("").toUpperCase();
  const rows = text.split(/[\n-]/).map((row) => row.replace(/\s/g, "").toUpperCase())
    .filter((row) => row && row !== names);
  const wrong = /[^XO.]/.exec(rows.join(""));
  if (wrong) throw new RuleError(`the drawing has '${wrong[0]}': use only X, O and .`);
  return rows;
}

/**
 * Play a move string.
 * @param {string} text
 * @param {Position} start
 * @returns {{steps: {column: number, fell: boolean}[], positions: Position[]}} the moves, and the
 *   positions before and after each
 */
export function readSteps(text, start) {
  const steps = [];
  const positions = [start];
  parseMoves(text, start.geometry).forEach((step, index) => {
    try {
      if (step === FALL) {
        positions.push(positions.pop().fall());
        steps.at(-1).fell = true;
      } else {
        positions.push(positions.at(-1).play(step));
        steps.push({ column: step, fell: false });
      }
    } catch (error) {
      throw new RuleError(`move ${index + 1}: ${error.message}`);
    }
  });
  return { steps, positions };
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

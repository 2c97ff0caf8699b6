/** Boards and cells as requests and answers name them. */

/**
 * The board as a request names it.
 * @param {import("./rules.js").Geometry} geometry
 */
export function boardOf({ columns, rows, connect, variant }) {
  return { columns, rows, connect, variant };
}

/**
 * A tuple as a group of cells, with columns as people name them and rows from 1.
 * @param {number[][]} cells 0-based columns and rows
 * @param {import("./rules.js").Geometry} geometry
 * @returns {{cells: [string, number][]}}
 */
export function named(cells, geometry) {
  return { cells: cells.map(([column, row]) => [geometry.columnName(column), row + 1]) };
}

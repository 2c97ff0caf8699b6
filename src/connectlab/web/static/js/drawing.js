/** How the parts of the board are drawn, in units of the SVG: a cell is 100 wide. */

import { svg } from "./dom.js";

export const CELL = 100;
/** Width of the frame around the cells. */
export const PAD = 14;
/** Height of the room above the frame, where a disc waits. */
export const ROOM = 92;
/** Height of the strip below the cells that names the columns. */
export const LIP = 30;

const HOLE = 41;
const DISC = 44;

/**
 * Draw the frame with its holes and the names of the columns.
 * @param {import("./rules.js").Geometry} geometry
 * @returns {SVGElement}
 */
export function boardFrame(geometry) {
  const { columns, rows } = geometry;
  const holes = [];
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      holes.push(circlePath(PAD + (column + 0.5) * CELL, ROOM + PAD + (row + 0.5) * CELL, HOLE));
    }
  }
  const width = columns * CELL + 2 * PAD;
  const outline = roundedPath(0, ROOM, width, rows * CELL + 2 * PAD + LIP, 30);
  const names = Array.from({ length: columns }, (_, column) => svg("text", {
    class: "column-name", x: PAD + (column + 0.5) * CELL, y: ROOM + PAD + rows * CELL + LIP - 2,
    text: geometry.columnName(column),
  }));
  return svg("g", { class: "frame" },
    svg("path", { class: "board-frame", "fill-rule": "evenodd", d: outline + holes.join("") }),
    svg("path", { class: "board-rims", d: holes.join("") }),
    ...names);
}

/**
 * Draw a disc: the first player's carry a cross, the second player's a ring.
 * @param {1|2} stone
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement}
 */
export function discDrawing(stone, x, y) {
  const mark = stone === 1
    ? svg("path", { class: "disc-mark", d: `M-15-15 15 15M15-15-15 15` })
    : svg("circle", { class: "disc-mark", r: 18 });
  return svg("g", { class: "disc-place", transform: `translate(${x} ${y})` },
    svg("g", { class: `disc disc-${stone}` },
      svg("circle", { class: "disc-body", r: DISC }),
      svg("circle", { class: "disc-edge", r: 32 }),
      mark));
}

/**
 * Draw a stroke through each winning line, and a ring around its cells.
 * @param {[number, number][]} cells
 * @param {(column: number) => number} x
 * @param {(row: number) => number} y
 * @returns {SVGElement[]}
 */
export function lineThrough(cells, x, y) {
  const rings = cells.map(([column, row]) =>
    svg("circle", { class: "mark-won", cx: x(column), cy: y(row), r: HOLE }));
  const strokes = straightRuns(cells).map(([from, to]) => svg("line", {
    class: "mark-line", x1: x(from[0]), y1: y(from[1]), x2: x(to[0]), y2: y(to[1]),
  }));
  return [...rings, ...strokes];
}

/** The longest straight runs among cells, each as its two ends. */
function straightRuns(cells) {
  const there = new Set(cells.map(String));
  const runs = [];
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    for (const [column, row] of cells) {
      if (there.has(String([column - dx, row - dy]))) continue;
      let length = 1;
      while (there.has(String([column + dx * length, row + dy * length]))) length += 1;
      if (length >= 3) runs.push([[column, row], [column + dx * (length - 1), row + dy * (length - 1)]]);
    }
  }
  return runs;
}

/**
 * Outline a group of cells, with a mark in each where it has one.
 * @param {{title?: string, cells: [string, number][], marks?: string[]}} group
 * @param {import("./rules.js").Geometry} geometry
 * @returns {SVGElement}
 */
export function overlayDrawing(group, geometry) {
  const parts = group.cells.flatMap(([name, row], index) => {
    const x = PAD + (geometry.columnNamed(String(name)) + 0.5) * CELL;
    const y = ROOM + PAD + (geometry.rows - row + 0.5) * CELL;
    const mark = group.marks?.[index];
    return [
      svg("rect", { class: "overlay-cell", x: x - 44, y: y - 44, width: 88, height: 88, rx: 20 }),
      ...(mark ? [svg("text", { class: "overlay-mark", x, y: y + 11, text: mark })] : []),
    ];
  });
  return svg("g", { class: "overlay-group" },
    ...(group.title ? [svg("title", { text: group.title })] : []), ...parts);
}

function circlePath(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function roundedPath(x, y, width, height, r) {
  return `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}`
    + `a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}`
    + `v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}z`;
}

/** Small boards: cells with their marks, as pictures beside words. */

import { svg } from "./dom.js";

const CELL = 10;

/**
 * Draw a group of cells as a small board.
 * @param {import("./rules.js").Geometry} geometry
 * @param {{cells: [string, number][], marks?: string[], weight?: number|null}} group
 * @returns {SVGElement}
 */
export function groupPicture(geometry, group) {
  const marks = new Map(group.cells.map(([name, row], index) =>
    [`${geometry.columnNamed(String(name))},${row - 1}`, group.marks?.[index] ?? ""]));
  return boardPicture(geometry, (column, row) => {
    const mark = marks.get(`${column},${row}`);
    return mark === undefined ? [hole()] : [cell(), ...markOf(mark)];
  });
}

/**
 * Draw how much each cell has of something, as a heat map with numbers.
 * @param {import("./rules.js").Geometry} geometry
 * @param {number[][]} counts by column, then by row from the bottom
 * @param {string} words what it is, for those who listen
 * @returns {SVGElement}
 */
export function heatPicture(geometry, counts, words) {
  const most = Math.max(1, ...counts.flat());
  const picture = boardPicture(geometry, (column, row) => {
    const count = counts[column]?.[row] ?? 0;
    const fill = svg("rect", { class: "heat-cell", x: -4.6, y: -4.6, width: 9.2, height: 9.2, rx: 1.4 });
    fill.style.setProperty("--heat", `${Math.round((100 * count) / most)}%`);
    const tone = count === 0 ? " heat-none" : count / most > 0.55 ? " heat-hot" : "";
    return [fill, svg("text", { class: `heat-text${tone}`,
      y: 1.3, text: count })];
  });
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", words);
  picture.removeAttribute("aria-hidden");
  picture.classList.add("heat");
  return picture;
}

/**
 * Draw a board, cell by cell.
 * @param {import("./rules.js").Geometry} geometry
 * @param {(column: number, row: number) => SVGElement[]} draw what lies in a cell, around 0, 0
 * @returns {SVGElement}
 */
export function boardPicture(geometry, draw) {
  const { columns, rows } = geometry;
  const cells = [];
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const at = `translate(${(column + 0.5) * CELL} ${(rows - row - 0.5) * CELL})`;
      cells.push(svg("g", { transform: at }, ...draw(column, row)));
    }
  }
  return svg("svg", { class: "tiny", viewBox: `0 0 ${columns * CELL} ${rows * CELL}`,
    "aria-hidden": "true", focusable: "false" }, ...cells);
}

function hole() {
  return svg("circle", { class: "tiny-hole", r: 2.2 });
}

function cell() {
  return svg("rect", { class: "tiny-cell", x: -4.7, y: -4.7, width: 9.4, height: 9.4, rx: 1.6 });
}

/** X and O are stones, small letters stones that count against; other marks are written. */
function markOf(mark) {
  const stone = { X: 1, O: 2, x: 1, o: 2 }[mark];
  if (stone) {
    const faint = mark === mark.toLowerCase();
    return [svg("g", { class: `disc-${stone}${faint ? " tiny-faint" : ""}` },
      svg("circle", { class: "disc-body", r: 4 }),
      stone === 1 ? svg("path", { class: "tiny-mark disc-mark", d: "M-1.600-1.600 1.600 1.600M1.600-1.600-1.600 1.600" })
        : svg("circle", { class: "tiny-mark disc-mark", r: 1.9 }))];
  }
  if (mark === "-") return [svg("circle", { class: "tiny-empty", r: 1.1 })];
  return mark ? [svg("text", { class: "tiny-text", y: 2.3, text: mark })] : [];
}

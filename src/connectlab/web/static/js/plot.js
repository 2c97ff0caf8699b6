/**
 * A line plot in SVG: several lines with the bands of their intervals. Lines differ in colour, in
 * dashes and in the shape of their points; the values under the cursor (mouse or arrow keys) stand
 * below as text, and all of them in a table.
 */

import { h, svg } from "./dom.js";
import { figure, short, withInterval } from "./figures.js";

/** As many lines as can be told apart. */
export const MOST_LINES = 6;
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];
/** Room around the lines, in units of 1/16 of the size of the page's letters. */
const MARGIN = { top: 12, right: 14, bottom: 38, left: 50 };
const MOST_MARKS = 60;
const MOST_TABLE = 400;

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {number} slot from 0; decides colour, dashes and shape
 * @property {{x: number, y: number|null, low?: number, high?: number|null}[]} points
 */

/** A plot that is drawn anew whenever its lines or its room change. */
export class Plot {
  /** @param {{height?: number}} [options] height as a share of the width */
  constructor(options = {}) {
    this.ratio = options.height ?? 0.62;
    this.lines = [];
    this.labels = { x: "games", y: "" };
    this.share = false;
    this.at = null;
    this.readout = h("p", { class: "plot-readout", role: "status", "aria-live": "polite" });
    this.drawing = svg("svg", { class: "plot-drawing", role: "img", tabindex: "0",
      data: { test: "plot" },
      on: { pointermove: (event) => this._point(event), pointerleave: () => this._lookAt(null),
        keydown: (event) => this._onKey(event), blur: () => this._lookAt(null) } });
    this.table = h("div", { class: "plot-table" });
    const details = h("details", { class: "plot-values", on: { toggle: () => this._tabulate() } },
      h("summary", { text: "Values as a table" }), this.table);
    this.details = details;
    this.element = h("figure", { class: "plot" }, this.drawing, this.readout, details);
    this._width = 0;
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width && width !== this._width) { this._width = width; this._draw(); }
    }).observe(this.element);
  }

  /**
   * Show lines.
   * @param {Line[]} lines
   * @param {{x: string, y: string}} labels
   * @param {{share?: boolean}} [options] share: the axis goes from 0 to 1
   */
  show(lines, labels, options = {}) {
    this.lines = lines.filter((line) => line.points.length);
    this.labels = labels;
    this.share = options.share ?? false;
    this._draw();
    this._tabulate();
  }

  _draw() {
    if (!this._width) return;
    const width = this._width;
    const height = Math.round(Math.max(190, Math.min(width * this.ratio, 560)));
    const scale = this._scale(width, height);
    this._scaled = scale;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawing.setAttribute("height", height);
    this.drawing.setAttribute("aria-label", this._summary());
    this.cursor = svg("g", { class: "plot-cursor" });
    this.drawing.replaceChildren(
      ...axes(scale, this.labels, width, height),
      ...this.lines.map((line) => band(line, scale)),
      ...this.lines.map((line) => stroke(line, scale)),
      this.cursor,
    );
    this._lookAt(this.at);
  }

  _scale(width, height) {
    const points = this.lines.flatMap((line) => line.points);
    const xs = points.map((point) => point.x);
    const ys = points.flatMap(({ y, low, high }) => [y, low, high])
      .filter((value) => Number.isFinite(value));
    const right = Math.max(1, ...xs);
    let [bottom, top] = this.share ? [0, 1] : [Math.min(...ys), Math.max(...ys)];
    if (!Number.isFinite(bottom)) [bottom, top] = [0, 1];
    if (!this.share) {
      if (bottom > 0 && bottom < 0.6 * top) bottom = 0;
      if (bottom === top) [bottom, top] = [bottom - 0.5 * Math.abs(bottom || 1), top + 0.5 * Math.abs(top || 1)];
    }
    const yTicks = ticks(bottom, top, Math.max(3, Math.round(height / 55)));
    const lowest = Math.min(bottom, yTicks[0]);
    const highest = Math.max(top, yTicks.at(-1));
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const [left, up] = [MARGIN.left * unit, MARGIN.top * unit];
    const w = width - left - MARGIN.right * unit;
    const hgt = height - up - MARGIN.bottom * unit;
    return {
      x: (value) => left + (value / right) * w,
      y: (value) => up + (1 - (value - lowest) / (highest - lowest)) * hgt,
      valueOf: (pixel) => ((pixel - left) / w) * right,
      xTicks: ticks(0, right, Math.max(2, Math.round(w / 90))).filter((tick) => tick <= right),
      yTicks, unit, left, right: left + w, top: up, bottom: up + hgt,
    };
  }

  _summary() {
    if (!this.lines.length) return `${this.labels.y}: nothing measured yet`;
    const ends = this.lines.map((line) => `${line.name} ${figure(line.points.at(-1).y)}`);
    return `${this.labels.y} over ${this.labels.x}; at the end ${ends.join(", ")}. `
      + "Arrow keys read values.";
  }

  _point(event) {
    const box = this.drawing.getBoundingClientRect();
    const pixel = ((event.clientX - box.left) / box.width) * this._width;
    this._lookAt(this._nearest(this._scaled.valueOf(pixel)));
  }

  _places() {
    return [...new Set(this.lines.flatMap((line) => line.points.map((point) => point.x)))]
      .sort((a, b) => a - b);
  }

  _nearest(value) {
    let found = null;
    for (const place of this._places()) {
      if (found === null || Math.abs(place - value) < Math.abs(found - value)) found = place;
    }
    return found;
  }

  _onKey(event) {
    const places = this._places();
    if (!places.length) return;
    const at = this.at === null ? -1 : places.indexOf(this._nearest(this.at));
    const to = { ArrowRight: at + 1, ArrowLeft: at < 0 ? places.length - 1 : at - 1, Home: 0,
      End: places.length - 1, Escape: null }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this._lookAt(to === null ? null : places[Math.max(0, Math.min(places.length - 1, to))]);
  }

  /** Mark a place on the x axis, and say the values of all lines there. */
  _lookAt(place) {
    this.at = place;
    this.cursor?.replaceChildren();
    if (place === null || !this._scaled || !this.lines.length) {
      this.readout.textContent = "";
      return;
    }
    const { x, y, top, bottom } = this._scaled;
    const said = [];
    this.cursor.append(svg("line", { x1: x(place), x2: x(place), y1: top, y2: bottom }));
    for (const line of this.lines) {
      const point = closest(line.points, place);
      if (!point || point.y === null) continue;
      this.cursor.append(svg("circle", { cx: x(point.x), cy: y(point.y), r: 5,
        class: `plot-line-${line.slot + 1}` }));
      const interval = point.low === undefined ? null : [point.low, point.high];
      said.push(h("span", { class: "plot-said" }, swatch(line.slot),
        `${line.name} ${withInterval(point.y, interval)}`));
    }
    this.readout.replaceChildren(h("strong", { text: `${this.labels.tell(place)}` }), ...said);
  }

  _tabulate() {
    if (!this.details.open) return;
    const places = this._places().slice(-MOST_TABLE);
    const head = h("tr", {}, h("th", { scope: "col", text: this.labels.x }),
      ...this.lines.map((line) => h("th", { scope: "col", text: line.name })));
    const rows = places.map((place) => h("tr", {}, h("th", { scope: "row", text: this.labels.tell(place) }),
      ...this.lines.map((line) => {
        const point = line.points.find((each) => each.x === place);
        const interval = point?.low === undefined ? null : [point.low, point.high];
        return h("td", { text: point ? withInterval(point.y, interval) : "" });
      })));
    this.table.replaceChildren(h("table", { class: "values" },
      h("caption", { class: "unseen", text: this.labels.y }), h("thead", {}, head),
      h("tbody", {}, ...rows)));
  }
}

/**
 * A small picture of how a line looks.
 * @param {number} slot
 * @returns {SVGElement}
 */
export function swatch(slot) {
  return svg("svg", { class: "plot-swatch", viewBox: "0 0 32 12", "aria-hidden": "true" },
    svg("line", { x1: 1, x2: 31, y1: 6, y2: 6, class: `plot-line plot-line-${slot + 1}`,
      "stroke-dasharray": DASHES[slot] }),
    mark(slot, 16, 6));
}

function closest(points, place) {
  let found = null;
  for (const point of points) {
    if (!found || Math.abs(point.x - place) <= Math.abs(found.x - place)) found = point;
  }
  return found;
}

function axes(scale, labels, width, height) {
  const grid = scale.yTicks.flatMap((tick) => [
    svg("line", { class: "plot-grid", x1: scale.left, x2: scale.right, y1: scale.y(tick), y2: scale.y(tick) }),
    svg("text", { class: "plot-tick", x: scale.left - 7, y: scale.y(tick), dy: "0.35em",
      "text-anchor": "end", text: short(tick) }),
  ]);
  const below = scale.xTicks.map((tick, index) => svg("text", { class: "plot-tick",
    x: scale.x(tick), y: scale.bottom + 17 * scale.unit,
    "text-anchor": !index ? "start" : scale.x(tick) > scale.right - 20 ? "end" : "middle",
    text: labels.tick(tick) }));
  return [...grid, ...below,
    svg("text", { class: "plot-label", x: scale.right, y: height - 5, "text-anchor": "end", text: labels.x }),
  ];
}

function band(line, { x, y }) {
  const points = line.points.filter((point) => point.y !== null && point.low !== undefined);
  if (points.length < 2) return svg("g");
  const upper = points.map((point) => `${x(point.x).toFixed(1)} ${y(point.high ?? point.y).toFixed(1)}`);
  const lower = points.map((point) => `${x(point.x).toFixed(1)} ${y(point.low).toFixed(1)}`).reverse();
  return svg("path", { class: `plot-band plot-line-${line.slot + 1}`,
    d: `M${[...upper, ...lower].join("L")}Z` });
}

function stroke(line, { x, y }) {
  const points = line.points.filter((point) => point.y !== null);
  const path = points.map((point) => `${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join("L");
  const every = Math.ceil(points.length / MOST_MARKS);
  return svg("g", { data: { line: line.name, points: String(points.length) } },
    svg("path", { class: `plot-line plot-line-${line.slot + 1}`, d: path ? `M${path}` : "",
      "stroke-dasharray": DASHES[line.slot] }),
    ...points.filter((_, index) => (points.length - 1 - index) % every === 0)
      .map((point) => mark(line.slot, x(point.x), y(point.y))));
}

const SHAPES = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  (r) => `M${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (r) => `M0 ${-1.2 * r}L${1.2 * r} ${r}H${-1.2 * r}z`,
  (r) => `M0 ${-1.4 * r}L${1.4 * r} 0L0 ${1.4 * r}L${-1.4 * r} 0z`,
  (r) => `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`,
  (r) => `M${-1.3 * r} 0H${1.3 * r}M0 ${-1.3 * r}V${1.3 * r}`,
];

function mark(slot, x, y) {
  return svg("path", { class: `plot-mark plot-line-${slot + 1}`, d: SHAPES[slot](3),
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
}

/** Round numbers from low to high, about so many. */
function ticks(low, high, about) {
  const span = high - low || 1;
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let number = Math.ceil(low / step - 1e-9); number * step <= high + step * 1e-9; number += 1) {
    found.push(Number((number * step).toPrecision(12)));
  }
  return found.length ? found : [low];
}

/** The moves as a line: a scrubber, and above it the evaluation graph with its blunders. */

import { button, h, svg } from "./dom.js";
import { graphPaths, heightOf } from "./graph.js";
import { BLUNDER } from "./review.js";

/**
 * Put scrubber and graph below the board.
 * @param {object} app
 */
export function mountTimeline(app) {
  const { game, review } = app;
  const parts = makeParts(app);
  document.querySelector("#timeline").append(parts.graph, parts.row);
  const update = () => {
    parts.range.max = String(game.moves.length);
    parts.range.value = String(game.place);
    parts.range.setAttribute("aria-valuetext", placeText(game));
    parts.text.textContent = game.moves.length ? `${game.numberOf(game.place)} / ${game.numberOf(game.moves.length)}` : "";
    parts.row.toggleAttribute("data-empty", game.moves.length === 0);
    for (const made of parts.steps) made.element.disabled = made.target() === game.place;
    drawGraph(app, parts.graph);
  };
  game.addEventListener("change", update);
  review.addEventListener("change", update);
  app.actions.add({ id: "back", label: "Back", key: ",", place: "none", order: 80,
    help: "One move back", run: () => game.goTo(game.place - 1) });
  app.actions.add({ id: "forward", label: "Forward", key: ".", place: "none", order: 81,
    help: "One move on", run: () => game.goTo(game.place + 1) });
  update();
}

function makeParts({ game }) {
  const range = h("input", { type: "range", class: "scrubber", min: "0", step: "1", value: "0",
    "aria-label": "Move shown", data: { test: "scrubber" },
    on: { input: () => game.goTo(Number(range.value)) } });
  const targets = [
    ["First position", "first", () => 0],
    ["One move back", "back", () => Math.max(0, game.place - 1)],
    ["One move on", "forward", () => Math.min(game.moves.length, game.place + 1)],
    ["Last position", "last", () => game.moves.length],
  ];
  const steps = targets.map(([label, name, target]) => ({ target,
    element: button(label, () => game.goTo(target()), { icon: name, title: label,
      class: "button button-quiet button-icon", test: `to-${name}` }) }));
  const text = h("span", { class: "scrub-text", "aria-hidden": "true" });
  const row = h("div", { class: "scrub-row" }, steps[0].element, steps[1].element, range,
    steps[2].element, steps[3].element, text);
  const graph = h("div", { class: "graph", hidden: true, data: { test: "graph" } });
  return { range, steps, text, row, graph };
}

function placeText(game) {
  if (game.place === 0) return "start";
  const move = game.moves[game.place - 1];
  const [number, last] = [game.place, game.moves.length].map((place) => game.numberOf(place));
  return `move ${number} of ${last}, column ${game.geometry.columnName(move.column)}`;
}

function drawGraph(app, graph) {
  const { game, review } = app;
  graph.hidden = !review.known && !review.asking;
  graph.toggleAttribute("data-asking", review.asking);
  if (graph.hidden) return;
  const n = Math.max(1, game.moves.length);
  const heights = Array.from({ length: n + 1 }, (_, place) =>
    heightOf(review.scoreAt(place), game.geometry.cells));
  const { up, down, line } = graphPaths(heights);
  const at = (100 * game.place) / n;
  graph.replaceChildren(
    svg("svg", { class: "graph-drawing", viewBox: "0 0 100 40", preserveAspectRatio: "none",
      role: "img", "aria-label": graphLabel(review) },
      svg("path", { class: "graph-up", d: up }), svg("path", { class: "graph-down", d: down }),
      svg("line", { class: "graph-zero", x1: 0, x2: 100, y1: 20, y2: 20 }),
      svg("path", { class: "graph-line", d: line }),
      svg("line", { class: "graph-now", x1: at, x2: at, y1: 0, y2: 40 })),
    h("span", { class: "graph-name graph-name-up", text: "first ahead" }),
    h("span", { class: "graph-name graph-name-down", text: "second ahead" }),
    ...review.blunders.map((place) => blunderPoint(app, place, n, heights)),
    ...(review.asking ? [h("p", { class: "graph-asking", role: "status" },
      "Perfect play looks at every move… ",
      button("Cancel", () => review.stop(), { class: "button button-small" }))] : []),
  );
}

function graphLabel(review) {
  return `Evaluation of the game. ${review.sentences.join(" ")}`;
}

function blunderPoint({ game, review }, place, n, heights) {
  const { sentence } = review.moveAt(place);
  return h("button", {
    type: "button", class: "blunder", title: sentence, "aria-label": sentence, text: BLUNDER,
    data: { test: "blunder", place: String(place) },
    style: { "--x": String(place / n), "--y": String((20 - 17 * (heights[place] ?? 0)) / 40) },
    on: { click: () => game.goTo(place) },
  });
}

/** Who sits at the table: two cards that name the players and open their settings. */

import { button, h, icon, svg } from "./dom.js";
import { discDrawing } from "./drawing.js";
import { seatNames } from "./names.js";

/**
 * Show both seats.
 * @param {object} app
 */
export function mountSeats(app) {
  const place = document.querySelector("#seats");
  const cards = [0, 1].map((side) => makeCard(app, side));
  const swap = button("Swap sides", () => app.game.setPlayers([...app.game.players].reverse()),
    { icon: "swap", test: "swap", class: "button button-quiet button-icon swap",
      title: "Swap sides" });
  place.append(cards[0].element, swap, cards[1].element);
  const update = () => cards.forEach((card, side) => updateCard(app, card, side));
  app.game.addEventListener("change", update);
  app.game.addEventListener("names", update);
  app.turns.addEventListener("change", update);
  update();
}

function makeCard(app, side) {
  const name = h("span", { class: "seat-name" });
  const note = h("span", { class: "seat-note" });
  const element = h("button", {
    type: "button", class: "seat", data: { test: side ? "seat-second" : "seat-first" },
    on: { click: () => app.players.choose(side) },
  }, discPicture(side + 1), name, note, icon("edit"));
  return { element, name, note };
}

/**
 * A disc on its own, as a picture beside a name.
 * @param {1|2} stone
 * @returns {SVGElement}
 */
function discPicture(stone) {
  return svg("svg", { class: "seat-disc", viewBox: "-46 -46 92 92", "aria-hidden": "true" },
    discDrawing(stone, 0, 0));
}

function updateCard(app, card, side) {
  const { game, turns } = app;
  const [names, turn] = [seatNames(game.players), !game.over && game.position.side === side];
  card.name.textContent = names[side];
  card.note.textContent = `${side ? "second" : "first"} · ${clock(app, side, turn)}`;
  card.element.title = game.players[side];
  card.element.toggleAttribute("data-turn", turn && turns.stand !== "setup");
  card.element.setAttribute("aria-label",
    `${names[side]}, moves ${side ? "second" : "first"}; choose another player`);
}

/** The time a side took, its present turn included while it thinks. */
function clock(app, side, turn) {
  const { game, turns } = app;
  const used = game.played.reduce((sum, move, place) =>
    (game.positionAt(place).side === side ? sum + move.seconds : sum), 0);
  const now = turn && turns.stand === "thinking" ? turns.seconds : 0;
  const seconds = Math.floor(used + now);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

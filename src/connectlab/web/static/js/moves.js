/** The panel of moves: all of them to jump to, and what perfect play says of them. */

import { button, h } from "./dom.js";
import { nameOf, seatNames } from "./names.js";
import { BLUNDER } from "./review.js";

/**
 * Add the panel.
 * @param {object} app
 */
export function mountMoves(app) {
  const list = h("ol", { class: "moves", "aria-label": "Moves", data: { test: "moves" } });
  const heads = h("div", { class: "moves-head", "aria-hidden": "true" });
  const notes = h("div", { class: "review", data: { test: "review-notes" } });
  const empty = h("p", { class: "soft", text: "No moves yet. Drop a disc." });
  const tools = makeTools(app);
  app.panels.add({
    id: "moves", title: "Moves",
    mount: (element) => element.append(heads, list, empty, notes, tools.element),
  });
  const update = () => {
    const { game } = app;
    const names = seatNames(game.players);
    heads.replaceChildren(h("span"), ...names.map((name) => h("span", { text: name })));
    heads.hidden = list.hidden = game.moves.length === 0;
    empty.hidden = game.moves.length > 0;
    list.replaceChildren(...moveRows(app));
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    notes.replaceChildren(...reviewNotes(app));
    tools.update();
  };
  app.game.addEventListener("change", update);
  app.review.addEventListener("change", update);
  app.setup.addEventListener("change", tools.update);
  update();
}

/** Moves in rows of two, with their numbers: the first player's, then the second's. */
function moveRows(app) {
  const { game } = app;
  const rows = [];
  game.moves.forEach((move, index) => {
    const { side } = game.positionAt(index);
    if (side === 0 || rows.length === 0) {
      const number = game.numberOf(index + 1);
      const paired = side === 0 && index + 1 < game.moves.length;
      rows.push(h("li", { class: "moves-row" }, h("span", { class: "moves-number",
        text: paired ? `${number}–${number + 1}` : `${number}`, "aria-hidden": "true",
        style: { "white-space": "nowrap" } })));
      if (side === 1) rows.at(-1).append(h("span", { class: "moves-gap" }));
    }
    rows.at(-1).append(moveButton(app, move, index + 1, side));
  });
  return rows;
}

function moveButton({ game, review }, move, place, side) {
  const said = review.moveAt(place);
  const name = game.geometry.columnName(move.column);
  const slipped = move.chosen === null ? "" : ` (meant for ${game.geometry.columnName(move.chosen)})`;
  const fell = move.fell ? " ↓" : "";
  const label = `Move ${game.numberOf(place)}, ${side ? "second" : "first"} player, column ${name}${slipped}`
    + `${move.fell ? ", the bottom row fell" : ""}. ${said?.thrown_away ? said.sentence : ""}`;
  return h("button", {
    type: "button", class: "move", "aria-label": label, title: `${nameOf(move.mover)}${slipped}`,
    "aria-current": place === game.place ? "step" : null,
    data: { test: "move", place: String(place), blunder: said?.thrown_away ?? null,
      taken: place > game.place ? "back" : null },
    on: { click: () => game.goTo(place) },
  }, h("span", { class: "move-column", text: `${name}${fell}` }),
  said?.thrown_away ? h("span", { class: "move-blunder", text: BLUNDER }) : null);
}

function reviewNotes({ game, review }) {
  const blunders = review.blunders.map((place) => button(review.moveAt(place).sentence,
    () => game.goTo(place), { class: "review-note", icon: "warn", test: "review-note" }));
  const others = review.sentences.filter((sentence) =>
    !review.blunders.some((place) => review.moveAt(place).sentence === sentence));
  return [...blunders, ...others.map((sentence) => h("p", { class: "soft", text: sentence }))];
}

function makeTools(app) {
  const ask = button("Review with perfect play", () => app.review.ask(),
    { icon: "analyse", test: "review" });
  const copy = button("Copy moves", () => copyMoves(app), { icon: "share", test: "copy-moves" });
  const element = h("div", { class: "buttons panel-tools" }, ask, copy);
  const update = () => {
    const { game, review } = app;
    copy.disabled = !game.moves.length;
    ask.disabled = !game.moves.length || !game.geometry.isPlain || review.asking || review.complete
      || app.setup.on;
    ask.querySelector(".button-label").textContent = review.asking
      ? "Perfect play is asked…" : "Review with perfect play";
  };
  return { element, update };
}

async function copyMoves(app) {
  const text = app.game.moveString(app.game.moves.length);
  try {
    await navigator.clipboard.writeText(text);
    app.note(`Copied: ${text}`);
  } catch {
    app.note(`The moves: ${text}`);
  }
}

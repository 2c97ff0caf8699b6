/** Which board is played on: the usual ones, and any other the house allows. */

import { button, h, icon } from "./dom.js";
import { openDialog } from "./dialog.js";
import { HUMAN } from "./game.js";
import { nameOf } from "./names.js";
import { Geometry, RuleError } from "./rules.js";
import { sentenceOf } from "./say.js";

const USUAL = ["7x6x4", "4x4x3", "5x4x4", "6x5x4", "6x7x4", "8x7x4", "9x6x4", "12x4x4"];
const VARIANTS = [
  { value: "", label: "Plain: a disc lands where it is meant to" },
  { value: "slip", label: "Slip: a disc may land in a neighbouring column", odds: 0.1 },
  { value: "drop-row", label: "Falling rows: the bottom row may fall out", odds: 0.05 },
];

/**
 * Put the choice of a board into the bar.
 * @param {object} app
 * @param {HTMLElement} place
 */
export function mountBoards(app, place) {
  const chooser = button("", () => openChooser(app), { test: "board", class: "button button-quiet" });
  chooser.append(icon("edit"));
  place.append(chooser);
  const update = () => {
    const text = boardText(app.game.geometry);
    chooser.querySelector(".button-label").textContent = text;
    chooser.setAttribute("aria-label", `Board: ${text}; choose another`);
  };
  app.game.addEventListener("change", update);
  update();
}

/**
 * "7 × 6", with what else is unusual.
 * @param {Geometry} geometry
 * @returns {string}
 */
export function boardText(geometry) {
  const connect = geometry.connect === 4 ? "" : `, ${geometry.connect} in a row`;
  return `${geometry.columns} × ${geometry.rows}${connect}${geometry.isPlain ? "" : ` ${geometry.variant}`}`;
}

/**
 * Begin a game on a board; who cannot play there makes room for somebody who can.
 * @param {object} app
 * @param {Geometry} geometry
 */
function changeBoard(app, geometry) {
  const left = app.game.players.filter((spec) => spec !== HUMAN
    && !app.players.canPlay(spec, geometry));
  app.game.newGame({ geometry, players: app.players.thatPlay(geometry) });
  if (left.length) {
    const arrived = nameOf(app.players.defaultFor(geometry));
    app.note(`${nameOf(left[0])} does not play on this board; ${arrived} sits down.`);
  }
}

function openChooser(app) {
  const { geometry } = app.game;
  const sizes = numberFields(geometry);
  const variant = variantFields(geometry);
  const usual = h("div", { class: "presets", role: "group", "aria-label": "Usual boards" });
  const dialog = openDialog({
    title: "Which board?", test: "board-dialog",
    body: [usual, sizes.element, variant.element],
    actions: [{ label: "New game on this board", main: true, test: "use-board", run: () => {
      try {
        changeBoard(app, new Geometry(...sizes.values(), variant.value()));
        return true;
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        dialog.fail(sentenceOf(error));
        return false;
      }
    } }],
  });
  usual.append(...USUAL.map((name) => button(boardText(Geometry.parse(name)), () => {
    changeBoard(app, Geometry.parse(name, variant.value()));
    dialog.close();
  }, { class: "button button-small", test: `board-${name}` })));
}

function numberFields(geometry) {
  const inputs = ["columns", "rows", "connect"].map((name) => h("input", {
    type: "number", id: `board-${name}`, name, min: name === "connect" ? 3 : 1, max: 63,
    value: geometry[name],
  }));
  const labels = ["Columns", "Rows", "In a row to win"];
  return {
    element: h("div", { class: "field-row" }, ...inputs.map((input, index) =>
      h("div", { class: "field" }, h("label", { for: input.id, text: labels[index] }), input))),
    values: () => inputs.map((input) => Number(input.value)),
  };
}

function variantFields(geometry) {
  const [part = ""] = geometry.variant.split("+");
  const [kind, odds] = part.split(":");
  const select = h("select", { id: "board-variant", name: "variant" },
    ...VARIANTS.map(({ value, label }) => h("option", { value, text: label, selected: value === kind })));
  const chance = h("input", { type: "number", id: "board-odds", min: 0, max: 0.99, step: "any",
    value: odds ?? "" });
  const row = h("div", { class: "field" }, h("label", { for: chance.id,
    text: "How likely, from 0 to below 1" }), chance);
  const update = () => {
    row.hidden = select.value === "";
    if (!chance.value) chance.value = VARIANTS.find((v) => v.value === select.value)?.odds ?? "";
  };
  select.addEventListener("change", () => { chance.value = ""; update(); });
  update();
  return {
    element: h("div", { class: "form" }, h("div", { class: "field" },
      h("label", { for: select.id, text: "Game" }), select), row),
    value: () => (select.value && Number(chance.value) > 0
      ? `${select.value}:${Number(chance.value)}` : ""),
  };
}

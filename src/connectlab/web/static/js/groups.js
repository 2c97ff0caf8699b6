/** Groups of cells as rows: a small board, words and a weight; pointing at one lights its cells. */

import { h } from "./dom.js";
import { groupPicture } from "./miniboard.js";
import { signed, withMinus } from "./words.js";

/**
 * List groups.
 * @param {object} app
 * @param {object[]} groups as the server gives them
 * @param {{geometry: import("./rules.js").Geometry, open?: (part: number) => void,
 *   whole?: number|null}} options `open` shows the part of the player that a group belongs to;
 *   `whole` is what a sure win is worth
 * @returns {HTMLElement}
 */
export function groupList(app, groups, { geometry, open, whole = null }) {
  const most = reference(groups.map((group) => Math.abs(group.weight ?? 0)), whole);
  const list = h("ul", { class: "groups", data: { test: "groups" } },
    ...groups.map((group) => h("li", {}, row(app, group, geometry, most, open))));
  list.addEventListener("pointerleave", () => light(app, null, geometry));
  return list;
}

function row(app, group, geometry, most, open) {
  const opens = open && group.part ? () => open(group.part) : null;
  const element = h(opens ? "button" : "div", {
    class: "group-row", ...(opens ? { type: "button" } : { tabindex: "0" }),
    data: { test: "group" },
    title: opens ? "Show its table" : null,
    on: {
      pointerenter: () => light(app, group, geometry),
      focus: () => light(app, group, geometry),
      blur: () => light(app, null, geometry),
      ...(opens ? { click: opens } : {}),
    },
  }, groupPicture(geometry, group), h("span", { class: "group-words" },
    h("span", { class: "group-title", text: group.title }),
    h("span", { class: "unseen", text: cellWords(group) }),
    h("span", { class: "group-said" }, weightText(group), noteText(group))),
  weightBar(group.weight, most));
  return element;
}

function weightText({ weight }) {
  return weight === null ? null
    : h("span", { class: `group-weight ${tone(weight)}`, text: signed(weight) });
}

function noteText({ note }) {
  return note ? h("span", { class: "group-note", text: withMinus(note) }) : null;
}

/** What a full bar stands for: the largest weight; one alone is measured against a sure win. */
function reference(sizes, whole) {
  if (sizes.length === 1) return whole ? Math.max(whole, sizes[0]) : null;
  return Math.max(...sizes, 1e-9);
}

function weightBar(weight, most) {
  if (weight === null || most === null) return null;
  const bar = h("span", { class: `weight-bar ${tone(weight)}`, "aria-hidden": "true" });
  bar.style.setProperty("--weight", String(weight / most));
  return bar;
}

function tone(weight) {
  return weight > 0 ? "plus" : weight < 0 ? "minus" : "even";
}

function cellWords({ cells, marks }) {
  return `, cells ${cells.map(([name, r], index) => `${name}/${r} ${marks?.[index] ?? ""}`).join(", ")}`;
}

/** Light the cells of a group on the large board, if it shows the same board. */
function light(app, group, geometry) {
  if (!app.board.position?.geometry.equals(geometry)) return;
  app.board.overlay(group ? [group] : null);
}

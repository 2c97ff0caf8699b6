/** What a person can do, by button and by key: one list for the buttons, the keys and the help. */

import { button } from "./dom.js";

/**
 * @typedef {object} Action
 * @property {string} id
 * @property {string} label
 * @property {() => void} run
 * @property {string} [key] a letter, or "?"
 * @property {string} [icon]
 * @property {string} [help] what the help says of it; else the label
 * @property {boolean} [toggle] whether it is a switch (see `press`)
 * @property {"first"|"more"|"none"} [place] in sight, behind "More", or by key alone
 * @property {number} [order] smaller ones stand first
 */

/** The actions of the page. */
export class Actions {
  /**
   * @param {HTMLElement} first where the buttons in sight go
   * @param {HTMLElement} more where the others go
   */
  constructor(first, more) {
    this._places = { first, more };
    openWith(more.previousElementSibling, more);
    /** @type {Map<string, Action & {button: HTMLButtonElement|null}>} */
    this._actions = new Map();
    /** @type {Set<string>} ids that cannot be run now, whatever `enable` says */
    this._held = new Set();
  }

  /** All actions, in their order. */
  get all() {
    return [...this._actions.values()].sort((a, b) => (a.order ?? 50) - (b.order ?? 50));
  }

  /**
   * Add an action.
   * @param {Action} action
   */
  add(action) {
    const place = this._places[action.place ?? "first"];
    const made = place ? button(action.label, () => action.run(), {
      icon: action.icon, test: action.id, key: action.key, class: "button action",
      title: action.key ? `${action.help ?? action.label} (${action.key})` : action.help,
    }) : null;
    if (made && action.toggle) made.setAttribute("aria-pressed", "false");
    this._actions.set(action.id, { ...action, button: made, able: true });
    if (made) this._insert(place, made, action.order ?? 50);
  }

  /**
   * Run the action of a key, if there is one that can be run now.
   * @param {string} key
   * @returns {boolean} whether there was one
   */
  runKey(key) {
    const found = this.all.find((action) => action.key === key);
    if (!found) return false;
    if (found.able && !this._held.has(found.id)) found.run();
    return true;
  }

  /**
   * Whether a switch is on.
   * @param {string} id
   * @param {boolean} on
   */
  press(id, on) {
    this._actions.get(id).button?.setAttribute("aria-pressed", String(on));
  }

  /**
   * Whether an action can be run now.
   * @param {string} id
   * @param {boolean} on
   */
  enable(id, on) {
    this._actions.get(id).able = on;
    this._show(id);
  }

  /**
   * Hold actions back until others are held, or none: what they can do is kept in mind meanwhile.
   * @param {string[]} ids
   */
  hold(ids) {
    this._held = new Set(ids);
    for (const id of this._actions.keys()) this._show(id);
  }

  _show(id) {
    const { button: found, able } = this._actions.get(id);
    if (found) found.disabled = !able || this._held.has(id);
  }

  _insert(place, made, order) {
    made.dataset.order = String(order);
    const next = [...place.querySelectorAll("[data-order]")]
      .find((other) => Number(other.dataset.order) > order);
    place.insertBefore(made, next ?? null);
  }
}

/** Open and close the list of further actions; a choice, Escape or a click elsewhere closes it. */
function openWith(toggle, list) {
  const open = (on) => toggle.setAttribute("aria-expanded", String(on));
  toggle.addEventListener("click", () => open(toggle.getAttribute("aria-expanded") !== "true"));
  list.addEventListener("click", () => open(false));
  document.addEventListener("pointerdown", (event) => {
    if (!list.contains(event.target) && !toggle.contains(event.target)) open(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && toggle.getAttribute("aria-expanded") === "true") {
      open(false);
      toggle.focus();
    }
  });
}

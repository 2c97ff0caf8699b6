/** The tabs beside the board; on a small screen they slide up from below. */

import { h, icon } from "./dom.js";
import { recall, remember } from "./memory.js";

const WIDE = matchMedia("(min-width: 1100px)");
const PHONE = matchMedia("(max-width: 699px)");
const SHOWN = "connectlab.panel";

/** A row of tabs and one panel at a time. */
export class Panels extends EventTarget {
  /**
   * @param {HTMLElement} tabs
   * @param {HTMLElement} body
   */
  constructor(tabs, body) {
    super();
    this.tabs = tabs;
    this.body = body;
    /** @type {Map<string, object>} */
    this._panels = new Map();
    this.current = null;
    body.after(h("button", { type: "button", class: "sheet-close", "aria-label": "Close the panel",
      data: { test: "sheet-close" }, on: { click: () => this.close() } }, icon("edit")));
    tabs.addEventListener("keydown", (event) => this._onKey(event));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !WIDE.matches && this.current) this.close();
    });
    document.addEventListener("click", (event) => {
      if (PHONE.matches && this.current && event.target.closest?.(".board-face")) this.close();
    });
    WIDE.addEventListener("change", () => this._onWidth());
  }

  /**
   * Add a panel. It is mounted when it is shown for the first time.
   * @param {{id: string, title: string, mount: (element: HTMLElement) => void,
   *   shown?: (wish?: object) => void, hidden?: () => void}} panel
   */
  add(panel) {
    const tab = h("button", {
      type: "button", role: "tab", class: "tab", id: `tab-${panel.id}`, tabindex: "-1",
      "aria-controls": `panel-${panel.id}`, "aria-selected": "false", text: panel.title,
      data: { test: `tab-${panel.id}` },
      on: { click: () => this._onClick(panel.id) },
    });
    const element = h("section", {
      role: "tabpanel", class: "panel", id: `panel-${panel.id}`, hidden: true, tabindex: "0",
      "aria-labelledby": tab.id, data: { test: `panel-${panel.id}` },
    });
    this.tabs.append(tab);
    this.body.append(element);
    this._panels.set(panel.id, { ...panel, tab, element, mounted: false });
    if (this._panels.size === 1) {
      tab.tabIndex = 0;
      if (WIDE.matches) this._open(panel.id);
    }
  }

  /**
   * Show a panel because somebody wants to see it.
   * @param {string} id
   * @param {object} [wish] what it shall show; its `shown` gets it
   */
  show(id, wish) {
    this._wanted = true;
    if (this._restored) remember(SHOWN, id);
    this._open(id, wish);
  }

  _open(id, wish) {
    if (this.current === id) {
      if (wish) this._panels.get(id).shown?.(wish);
      return;
    }
    this._leave();
    const panel = this._panels.get(id);
    this.current = id;
    if (!panel.mounted) {
      panel.mounted = true;
      panel.mount(panel.element);
    }
    this._mark();
    panel.shown?.(wish);
    this.dispatchEvent(new CustomEvent("change", { detail: { id } }));
  }

  /** Show the panel that was shown before a reload. */
  restore() {
    this._restored = true;
    const id = recall(SHOWN);
    if (this._panels.has(id)) this.show(id);
  }

  /** Slide the panel down again, on a small screen. */
  close() {
    remember(SHOWN, null);
    const { tab } = this._panels.get(this.current) ?? {};
    this._shut();
    tab?.focus();
  }

  _shut() {
    this._wanted = false;
    this._leave();
    this._mark();
    this.dispatchEvent(new CustomEvent("change", { detail: { id: null } }));
  }

  /** Beside the board there is always a panel; a sheet is there only for those who asked for it. */
  _onWidth() {
    if (WIDE.matches && !this.current) this._open(this._panels.keys().next().value);
    else if (!WIDE.matches && this.current && !this._wanted) this._shut();
  }

  _leave() {
    this._panels.get(this.current)?.hidden?.();
    this.current = null;
  }

  _mark() {
    for (const { id, tab, element } of this._panels.values()) {
      const chosen = id === this.current;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      element.hidden = !chosen;
    }
    if (!this.current) this.tabs.firstElementChild.tabIndex = 0;
    document.documentElement.toggleAttribute("data-sheet", this.current !== null);
  }

  _onClick(id) {
    if (this.current === id && !WIDE.matches) this.close();
    else this.show(id);
  }

  _onKey(event) {
    const ids = [...this._panels.keys()];
    const at = ids.findIndex((id) => this._panels.get(id).tab === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: ids.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const id = ids[(to + ids.length) % ids.length];
    this._panels.get(id).tab.focus();
    if (WIDE.matches) this.show(id);
  }
}

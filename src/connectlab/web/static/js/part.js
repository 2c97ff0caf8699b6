/** One part of a player, such as the table of a tuple: its entries, page by page. */

import { boardOf } from "./cells.js";
import { button, h } from "./dom.js";
import { groupList } from "./groups.js";
import { sentenceOf } from "./say.js";
import { factList } from "./sight.js";
import { capital, tableFigure } from "./words.js";

const PAGE = 12;

/** Shows the entries of a part in one of its orders, forwards and backwards. */
export class PartView {
  /**
   * @param {object} app
   * @param {{spec: string, geometry: import("./rules.js").Geometry, number: number, noun: string,
   *   total: number, close: () => void, go: (number: number) => void}} about
   */
  constructor(app, about) {
    Object.assign(this, { _app: app, _about: about, _order: "", _offset: 0, _heading: 0 });
    const title = `${capital(about.noun)} ${about.number}`;
    this._body = h("div", { class: "part-body" });
    this._next = this._neighbour(1);
    this.element = h("div", { class: "part", data: { test: "part" } },
      h("div", { class: "part-head" },
        button("All", about.close, { icon: "back", class: "button button-small", test: "all-parts" }),
        h("h3", { text: title, tabindex: "-1" }),
        this._neighbour(-1), this._next),
      this._body);
    this._load();
  }

  _neighbour(step) {
    const { number, total, noun, go } = this._about;
    const to = ((number - 1 + step + total) % total) + 1;
    return button(`${step < 0 ? "Previous" : "Next"} ${noun}`, () => go(to), {
      icon: step < 0 ? "back" : "forward", class: "button button-quiet button-icon",
      test: step < 0 ? "previous-part" : "next-part" });
  }

  async _load() {
    const { spec, geometry, number } = this._about;
    this._asking?.abort();
    const asking = new AbortController();
    this._asking = asking;
    try {
      const page = await this._app.api.post("/contents/part", { player: spec,
        board: boardOf(geometry), number, top: PAGE, offset: this._offset, order: this._order },
      { signal: asking.signal });
      this._page = page;
      this._draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      this._body.replaceChildren(h("p", { class: "said said-fail", text: sentenceOf(error) }));
    }
  }

  _draw() {
    const focused = document.activeElement?.dataset?.test;
    const { part, entries } = this._page;
    this._heading = Math.min(this._heading, Math.max(0, entries.length - 1));
    this._body.replaceChildren(
      ...factList(part.figures),
      ...(entries.length ? this._entries(entries[this._heading])
        : [h("p", { class: "said said-soft", text: "There is nothing to list in this one." })]));
    if (focused) this._body.querySelector(`[data-test="${focused}"]:not(:disabled)`)?.focus();
  }

  _entries(entries) {
    const { geometry } = this._about;
    return [
      this._choice("headings", this._page.entries.map(({ title }) => title), this._heading,
        (index) => { this._heading = index; this._draw(); }),
      ...(this._page.orders.length > 1 ? [this._choice("order",
        this._page.orders.map((order) => `${capital(order)} first`),
        this._page.orders.indexOf(this._page.order), (index) => this._reorder(index))] : []),
      h("p", { class: "soft small", text: `${capital(this._page.legend)}.` }),
      this._pager(entries.total),
      groupList(this._app, entries.groups, { geometry }),
    ];
  }

  _choice(test, titles, chosen, take) {
    return h("div", { class: "segments", role: "group", "aria-label": test },
      ...titles.map((title, index) => {
        const made = button(capital(title), () => take(index), { class: "segment",
          test: `${test}-${index + 1}` });
        made.setAttribute("aria-pressed", String(index === chosen));
        return made;
      }));
  }

  _reorder(index) {
    this._order = this._page.orders[index];
    this._offset = 0;
    this._load();
  }

  _pager(total) {
    const last = Math.max(0, Math.floor((total - 1) / PAGE) * PAGE);
    const from = Math.min(this._page.offset + 1, total);
    const to = Math.min(this._page.offset + PAGE, total);
    const turn = (label, name, offset, on) => {
      const made = button(label, () => { this._offset = offset; this._load(); },
        { icon: name, class: "button button-quiet button-icon", test: `page-${name}` });
      made.disabled = !on;
      return made;
    };
    const { offset } = this._page;
    return h("div", { class: "pager", data: { test: "pager" } },
      turn("First page", "first", 0, offset > 0),
      turn("Page before", "back", Math.max(0, offset - PAGE), offset > 0),
      h("span", { class: "pager-text", text: `${tableFigure(from)}–${tableFigure(to)} of ${tableFigure(total)}` }),
      turn("Next page", "forward", offset + PAGE, to < total),
      turn("Last page", "last", last, to < total));
  }
}

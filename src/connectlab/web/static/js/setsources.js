/** Where a set of tuples comes from: a file, a network, or the lot. */

import { boardOf } from "./cells.js";
import { openDialog } from "./dialog.js";
import { button, h } from "./dom.js";
import { sentenceOf } from "./say.js";

const CREATIONS = [
  ["cover", "walks that cover every line"],
  ["cover-any", "such walks, some perhaps alike"],
  ["walk", "random walks"],
  ["path", "walks that never meet themselves"],
  ["snake", "random snakes"],
  ["sample", "random cells"],
];

/** Fills the editor with a set. */
export class SetSources {
  /**
   * @param {object} app
   * @param {import("./tuples.js").TupleEditor} editor
   */
  constructor(app, editor) {
    this._app = app;
    this._editor = editor;
    this._files = h("ul", { class: "tuple-files", data: { test: "tuple-files" } });
    this._told = h("p", { class: "said said-fail", role: "status", data: { test: "sources-told" } });
    this.element = h("div", { class: "set-sources" }, this._drawing(),
      h("details", { class: "fold", on: { toggle: () => this.refresh() } },
        h("summary", { text: "Open a set", data: { test: "open-set" } }),
        h("div", { class: "fold-body" },
          button("From a network …", () => this._fromNetwork(),
            { class: "button button-small", test: "set-of-network" }), this._files)), this._told);
  }

  /** List the files again. */
  async refresh() {
    try {
      const { files } = await this._app.api.get("/tuples");
      this._files.replaceChildren(...(files.length ? files.map((file) => this._file(file))
        : [h("li", { class: "soft small", text: "No tuple files yet: save a set to make one." })]));
    } catch (error) {
      this._tell(sentenceOf(error));
    }
  }

  _drawing() {
    const number = (id, label, value, min, max) => {
      const input = h("input", { type: "number", id, value: String(value), min: String(min),
        max: String(max), step: "1", required: true, inputmode: "numeric", data: { test: id } });
      return { input, field: h("div", { class: "field" }, h("label", { for: id, text: label }), input) };
    };
    const creation = h("select", { id: "draw-creation", data: { test: "draw-creation" } },
      ...CREATIONS.map(([value, text]) => h("option", { value, text })));
    const tuples = number("draw-tuples", "Tuples", 70, 1, 500);
    const length = number("draw-length", "Cells of each", 8, 1, 14);
    const seed = number("draw-seed", "Seed", 1, 0, 2 ** 31);
    const form = h("form", { class: "fold-body draw-form", on: { submit: (event) => {
      event.preventDefault();
      this._draw({ creation: creation.value, tuples: tuples.input.valueAsNumber,
        length: length.input.valueAsNumber, seed: seed.input.valueAsNumber });
    } } }, h("div", { class: "field field-wide" }, h("label", { for: "draw-creation", text: "How" }), creation),
    tuples.field, length.field, seed.field,
    h("button", { type: "submit", class: "button", text: "Draw the set", data: { test: "draw-set" } }));
    return h("details", { class: "fold" },
      h("summary", { text: "Draw a set by lot", data: { test: "draw-open" } }), form);
  }

  _file(file) {
    const said = file.problem ?? `${file.tuples} tuples of up to ${file.longest} cells`;
    const fits = !file.problem && file.columns <= this._app.game.geometry.columns
      && file.rows <= this._app.game.geometry.rows;
    const open = button(file.name, () => this._open(file.name),
      { class: "button button-small", test: `open-${file.name}` });
    open.disabled = !fits;
    return h("li", {}, open, h("span", { class: "soft small",
      text: fits || file.problem ? said : `needs a board of ${file.columns}x${file.rows} at least` }),
    button(`Delete ${file.name}`, () => this._delete(file.name), { icon: "close",
      class: "button button-quiet button-icon", test: `delete-${file.name}` }));
  }

  _draw(settings) {
    return this._load(() => this._app.api.post("/tuples/draw",
      { board: boardOf(this._app.game.geometry), ...settings }));
  }

  _open(name) {
    return this._load(() => this._app.api.get(`/tuples/${encodeURIComponent(name)}`));
  }

  _fromNetwork() {
    const { players, game } = this._app;
    const trained = players.catalogue.trained.find(({ player, spec }) =>
      player === "ntuple" && players.canPlay(spec, game.geometry));
    players.ask({ title: "Start from whose tuples?", geometry: game.geometry, action: "Take its set",
      spec: trained?.spec ?? "ntuple:champion",
      take: (spec) => this._load(() => this._app.api.post("/tuples/of",
        { player: spec, board: boardOf(game.geometry) })) });
  }

  async _load(ask) {
    this._tell("");
    try {
      this._editor.load((await ask()).tuples);
    } catch (error) {
      this._tell(sentenceOf(error));
    }
  }

  _delete(name) {
    openDialog({ title: `Delete the tuple file ${name}?`, test: "delete-dialog",
      body: [h("p", { text: "Runs that were trained with it keep their tuples." })],
      actions: [{ label: "Delete", main: true, test: "delete-now", run: async () => {
        await this._app.api.del(`/tuples/${encodeURIComponent(name)}`)
          .catch((error) => this._tell(sentenceOf(error)));
        await this.refresh();
      } }] });
  }

  _tell(text) {
    this._told.textContent = text;
  }
}

/** Who can sit down: people, trained players, and every kind of player with its settings. */

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { makeForm } from "./form.js";
import { HUMAN } from "./game.js";
import { learnTitles, nameOf } from "./names.js";
import { Geometry } from "./rules.js";
import { sentenceOf } from "./say.js";

/** Who sits across the table as long as the server has not said. */
const CHAMPION = "ntuple:champion";
const ANYWHERE = "mcts:iterations=4000";

const WIDE = matchMedia("(min-width: 700px)");

/** The players that the server knows. */
export class Players {
  /** @param {object} app */
  constructor(app) {
    this.app = app;
    this.catalogue = { players: [], trained: [], defaults: [] };
  }

  /** Ask the server who there is. */
  async load() {
    this.catalogue = await this.app.api.get("/players");
    learnTitles(this.catalogue.trained);
    this.app.game.dispatchEvent(new CustomEvent("names"));
  }

  /**
   * Who sits across the table on a board, unless somebody else is chosen.
   * @param {import("./rules.js").Geometry} geometry
   * @returns {string}
   */
  defaultFor(geometry) {
    const { defaults } = this.catalogue;
    const found = defaults.find(({ board }) => board && fits(board, geometry))
      ?? defaults.find(({ board }) => board === null);
    return found?.spec ?? (geometry.equals(new Geometry()) ? CHAMPION : ANYWHERE);
  }

  /**
   * Whether a player can play on a board, as far as the page knows.
   * @param {string} spec
   * @param {import("./rules.js").Geometry} geometry
   * @returns {boolean}
   */
  canPlay(spec, geometry) {
    const trained = this.catalogue.trained.find((entry) => entry.spec === spec);
    if (spec === CHAMPION && !fits(new Geometry(), geometry)) return false;
    if (trained?.board && !fits(trained.board, geometry)) return false;
    const kind = this.catalogue.players.find((entry) => entry.name === spec.split(":")[0]);
    return !kind || partsOf(geometry.variant).every((part) => kind.variants.includes(part));
  }

  /**
   * Those who sit at the table; who cannot play on a board, or only sits there because nobody else
   * was chosen, makes room for who usually plays on it.
   * @param {import("./rules.js").Geometry} geometry
   * @returns {string[]}
   */
  thatPlay(geometry) {
    const usual = this.defaultFor(this.app.game.geometry);
    return this.app.game.players.map((spec) =>
      (spec === HUMAN || (spec !== usual && this.canPlay(spec, geometry)) ? spec
        : this.defaultFor(geometry)));
  }

  /**
   * Whether the server lets a player sit down to a board.
   * @param {string} spec
   * @param {import("./rules.js").Geometry} geometry
   * @returns {Promise<boolean>}
   */
  async isAllowed(spec, geometry) {
    if (spec === "unknown") return false;
    try {
      await this._checked({ spec }, geometry);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Let a person choose who sits on a side.
   * @param {0|1} side
   */
  async choose(side) {
    const { app } = this;
    try {
      await this.load();
    } catch (error) {
      app.fail(`The players could not be listed: ${sentenceOf(error)}`,
        [{ label: "Try again", run: () => this.choose(side) }]);
      return;
    }
    this.ask({
      title: side ? "Who moves second?" : "Who moves first?",
      spec: app.game.players[side],
      geometry: app.game.geometry,
      human: true,
      take: (spec) => {
        const players = [...app.game.players];
        players[side] = spec;
        app.game.setPlayers(players);
      },
    });
  }

  /**
   * Open the dialog that asks for a player.
   * @param {{title: string, spec: string, geometry: import("./rules.js").Geometry,
   *   human?: boolean, action?: string, take: (spec: string) => void}} question
   */
  ask({ title, spec, geometry, human = false, action = "Sit down", take }) {
    const choice = makeChoice(this, spec, geometry, human);
    const dialog = openDialog({
      title, wide: true, test: "players-dialog", body: [choice.element],
      actions: [{ label: action, main: true, test: "sit-down", run: async () => {
        if (!choice.valid()) return false;
        try {
          take(await this._checked(choice.chosen(), geometry));
          return true;
        } catch (error) {
          dialog.fail(sentenceOf(error));
          return false;
        }
      } }],
    });
  }

  async _checked(chosen, geometry) {
    if (chosen.spec === HUMAN) return HUMAN;
    const { columns, rows, connect, variant } = geometry;
    const board = { columns, rows, connect, variant };
    return (await this.app.api.post("/players/check", { ...chosen, board })).spec;
  }
}

/** The choice of a player: a list, and the settings of what is chosen in it. */
function makeChoice(players, spec, geometry, human) {
  const options = listOptions(players, geometry, human);
  const current = options.find((option) => option.spec === spec)
    ?? options.find((option) => option.kind?.name === spec.split(":")[0]) ?? options[0];
  const detail = h("div", { class: "choice-detail" });
  const written = h("input", { type: "text", id: "choice-spec", spellcheck: "false",
    autocomplete: "off", placeholder: "mcts:iterations=2000", data: { test: "spec" } });
  const state = { option: current, form: null };
  const show = (option, row = null) => {
    state.option = option;
    state.form = option.kind ? formOf(option.kind, option === current ? spec : "", players) : null;
    detail.replaceChildren(...detailOf(option, state.form));
    if (row && !WIDE.matches) row.after(detail);
    written.value = "";
  };
  const list = h("div", { class: "choice-list", role: "radiogroup", "aria-label": "Players" },
    ...optionRows(options, current, show));
  show(current);
  const element = h("div", { class: "choice" }, list, h("div", { class: "choice-side" }, detail,
    h("details", { class: "form-rest" }, h("summary", { text: "Write the player as text" }),
      h("div", { class: "field" }, h("label", { for: "choice-spec",
        text: "Name and settings, as on the command line" }), written))));
  return {
    element,
    valid: () => Boolean(written.value.trim()) || !state.form || state.form.valid(),
    chosen: () => {
      if (written.value.trim()) return { spec: written.value.trim() };
      if (!state.form) return { spec: state.option.spec };
      return { name: state.option.kind.name, settings: state.form.changed() };
    },
  };
}

function listOptions(players, geometry, human) {
  const { catalogue } = players;
  const trained = catalogue.trained.filter((entry) => players.canPlay(entry.spec, geometry));
  const kinds = catalogue.players.filter((kind) => kind.available
    && players.canPlay(kind.name, geometry));
  return [
    ...(human ? [{ group: "", spec: HUMAN, title: "A person", about: "plays at this page" }] : []),
    ...trained.map((entry) => ({ group: "Trained", spec: entry.spec, title: nameOf(entry.spec),
      about: entry.spec })),
    ...kinds.map((kind) => ({ group: "All kinds", kind, title: kind.title, about: kind.summary })),
  ];
}

function optionRows(options, current, show) {
  const rows = [];
  let group = "";
  options.forEach((option, index) => {
    if (option.group !== group) {
      group = option.group;
      rows.push(h("h3", { class: "choice-group", text: group }));
    }
    const id = `choice-${index}`;
    const row = h("label", { class: "choice-row", for: id },
      h("input", { type: "radio", name: "choice", id, checked: option === current,
        data: { test: `choose-${option.spec ?? option.kind.name}` },
        on: { change: () => show(option, row) } }),
      h("span", { class: "choice-title", text: option.title }),
      h("span", { class: "choice-about", text: option.about }));
    rows.push(row);
  });
  return rows;
}

function formOf(kind, spec, players) {
  const schema = structuredClone(kind.json_schema);
  const sources = [...kind.sources, ...players.catalogue.trained
    .filter((entry) => entry.player === kind.name).map((entry) => sourceOf(entry.spec))];
  if (kind.needs_source && sources.length && schema.properties?.source) {
    schema.properties.source = { ...schema.properties.source, enum: [...new Set(sources)],
      default: sources[0], type: "string" };
  }
  const form = makeForm(schema, { values: valuesOf(schema, spec) });
  const changed = form.changed;
  form.changed = () => (kind.needs_source
    ? { source: form.values().source, ...changed() } : changed());
  return form;
}

function detailOf(option, form) {
  const parts = [h("h3", { text: option.title }), h("p", { class: "soft", text: option.about })];
  if (form) parts.push(form.element);
  return parts;
}

/** What a spec says of the settings, as far as the form can show it. */
function valuesOf(schema, spec) {
  const text = spec.split(":").slice(1).join(":");
  const values = {};
  for (const part of text.split(",").filter(Boolean)) {
    const [name, value] = part.includes("=") ? part.split(/=(.*)/s) : ["source", part];
    if (!(name in (schema.properties ?? {}))) continue;
    values[name] = { true: true, false: false }[value] ?? (value !== "" && Number.isFinite(Number(value))
      ? Number(value) : value);
  }
  return values;
}

function sourceOf(spec) {
  return spec.split(":").slice(1).join(":").split(",")[0];
}

function fits(board, geometry) {
  return board.columns === geometry.columns && board.rows === geometry.rows
    && board.connect === geometry.connect;
}

function partsOf(variant) {
  return variant.split("+").filter(Boolean).map((part) => part.split(":")[0]);
}

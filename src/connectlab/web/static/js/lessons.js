/** The Q-learner that learns from people: a switch at the table, and what each game taught it. */

import { isRefusal } from "./archive.js";
import { button, h, svg } from "./dom.js";
import { openDialog } from "./dialog.js";
import { discDrawing } from "./drawing.js";
import { change, figure } from "./figures.js";
import { HUMAN } from "./game.js";
import { nameOf } from "./names.js";
import { Geometry, Position } from "./rules.js";
import { sentenceOf } from "./say.js";

const KIND = "qtable:";

/**
 * Put the switch below the status line; it is there only while a table sits at the board.
 * @param {object} app
 */
export function mountLessons(app) {
  const learning = h("input", { type: "checkbox", id: "learn", checked: true, data: { test: "learn" } });
  const label = h("label", { class: "lesson-switch", for: "learn" }, learning,
    h("span", { text: "It learns from this game" }));
  const make = button("Let it learn from you", () => makePupil(), { class: "button button-small", test: "make-pupil" });
  const bar = h("div", { class: "lesson-bar", hidden: true }, label, make);
  document.querySelector("#status").after(bar);
  let pupils = new Set();
  const told = new Set();

  const table = () => app.game.players.find((spec) => spec.startsWith(KIND)) ?? null;
  const update = () => {
    const spec = table();
    bar.hidden = spec === null || !app.game.players.includes(HUMAN);
    label.hidden = !pupils.has(spec);
    make.hidden = pupils.has(spec);
    make.title = spec ? `Makes a copy of ${nameOf(spec)} that learns from every game` : "";
  };
  const ask = async () => {
    pupils = new Set((await app.api.get("/pupils")).pupils.map(({ player }) => player));
  };
  const refresh = async () => {
    try {
      if (table() !== null) await ask();
    } catch { /* the switch stays as it was */ }
    update();
  };

  async function makePupil() {
    make.disabled = true;
    const spec = table();
    try {
      const { player } = await app.api.post("/pupils", { source: spec });
      pupils.add(player);
      await app.players.load(); // with the name that it goes by
      app.game.setPlayers(app.game.players.map((each) => (each === spec ? player : each)));
      app.note(`${nameOf(player)} sits down: a copy that learns from every finished game.`);
    } catch (error) {
      app.fail(sentenceOf(error));
    }
    make.disabled = false;
  }

  app.game.addEventListener("change", (event) => {
    if (["new", "players"].includes(event.detail.what)) refresh();
  });
  app.archive.wishes = () => ({ learns: learning.checked });
  app.archive.afterwards = async ({ id, record, learns }) => {
    const player = record.players.find(mayLearn);
    if (!learns || !player || !record.movers.includes(HUMAN)) return;
    try {
      if (!pupils.has(player)) await ask(); // the page may be younger than the game
      if (pupils.has(player)) await teach(app, player, id, record);
    } catch (error) {
      if (isRefusal(error)) {
        app.fail(`It could not learn from this game: ${sentenceOf(error)}`);
        return;
      }
      if (!told.has(id)) tellWaiting(app, error);
      told.add(id);
      throw error;
    }
  };
  refresh();
}

/** Whether a player can be a pupil: a table of a folder, since those that come along never change. */
function mayLearn(spec) {
  return spec.startsWith(KIND) && spec.includes("/");
}

async function teach(app, player, id, record) {
  const lesson = await app.api.post("/pupils/lessons", { player, id, game: record });
  app.insight.forget(player);
  if (!lesson.again) tell(app, player, lesson, record);
}

function tellWaiting(app, error) {
  app.note(`The lesson waits until the server can give it: ${sentenceOf(error)}`,
    [{ label: "Try again", run: () => app.archive.send() }]);
}

function tell(app, player, lesson, record) {
  const added = lesson.states_added === 1 ? "1 new position" : `${lesson.states_added} new positions`;
  app.note(`${nameOf(player)} has learned from this game: ${added}, `
    + `values changed by ${figure(lesson.mean_change)} in the mean.`,
  [{ label: "See what changed", run: () => openLesson(player, lesson, record) }]);
}

/** Show every position of the game with the value of its move before and after. */
function openLesson(player, lesson, record) {
  const { columns, rows, connect, variant = "" } = record.geometry;
  const geometry = new Geometry(columns, rows, connect, variant);
  const steps = lesson.steps.map((step, index) => stepCard(step, index, geometry, lesson.reward_win));
  openDialog({ title: `What ${nameOf(player)} learned`, wide: true, test: "lesson-dialog", body: [
    h("p", { class: "soft", text: `Q of the move that was played, before and after; a win is worth `
      + `${figure(lesson.reward_win)}, α is ${figure(lesson.alpha)}. The table now knows `
      + `${lesson.states.toLocaleString("en")} positions.` }),
    h("ol", { class: "lesson-steps" }, ...steps)] });
}

function stepCard(step, index, geometry, most) {
  const [before, after] = change(step.before, step.after);
  const sign = before === after ? "same" : step.after > step.before ? "up" : "down";
  const said = { same: "unchanged", up: "▲ rose", down: "▼ fell" }[sign];
  return h("li", { class: "lesson-step", data: { change: sign } },
    h("p", { class: "small" }, h("strong", { text: `Move ${index + 1}` }),
      ` column ${geometry.columnName(step.column - 1)}`),
    miniBoard(step, geometry),
    valueBar(step, most),
    h("p", { class: "small lesson-values", text: `${before} → ${after}` }),
    h("p", { class: "small lesson-change",
      text: step.was_known ? said : `${said} · new` }));
}

function miniBoard(step, geometry) {
  const position = Position.fromMoves(step.moves, geometry);
  const { columns, rows } = geometry;
  const place = (column, row) => [50 + 100 * column, 50 + 100 * (rows - 1 - row)];
  const parts = [];
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const [x, y] = place(column, row);
      parts.push(svg("circle", { class: "mini-hole", cx: x, cy: y, r: 42 }));
      if (position.at(column, row)) parts.push(discDrawing(position.at(column, row), x, y));
    }
  }
  const [x, y] = place(step.column - 1, position.height(step.column - 1));
  parts.push(discDrawing(position.side + 1, x, y), svg("circle", { class: "mini-move", cx: x, cy: y, r: 47 }));
  return svg("svg", { class: "mini-board", viewBox: `-8 -8 ${100 * columns + 16} ${100 * rows + 16}`,
    role: "img", "aria-label": `Position after ${step.moves || "no moves"}` },
  svg("rect", { class: "mini-frame", x: -8, y: -8, width: 100 * columns + 16, height: 100 * rows + 16, rx: 30 }),
  ...parts);
}

/** Before (hollow) and after (full) on a scale that holds the reward of a win on both sides. */
function valueBar(step, most) {
  const limit = Math.max(most, Math.abs(step.before), Math.abs(step.after)) || 1;
  const x = (value) => 50 + 48 * (value / limit);
  return svg("svg", { class: "value-bar", viewBox: "0 0 100 12", "aria-hidden": "true" },
    svg("line", { class: "value-axis", x1: 2, x2: 98, y1: 6, y2: 6 }),
    svg("line", { class: "value-zero", x1: 50, x2: 50, y1: 1, y2: 11 }),
    svg("line", { class: "value-way", x1: x(step.before), x2: x(step.after), y1: 6, y2: 6 }),
    svg("circle", { class: "value-before", cx: x(step.before), cy: 6, r: 3 }),
    svg("circle", { class: "value-after", cx: x(step.after), cy: 6, r: 3.5 }));
}

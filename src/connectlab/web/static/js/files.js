/** Games in and out: paste or open one, download it, copy the link to it. */

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { HUMAN, recordOfStart } from "./game.js";
import { Geometry, Position, isDrawing } from "./rules.js";
import { sentenceOf } from "./say.js";

/**
 * Add sharing, pasting and downloading.
 * @param {object} app
 */
export function mountFiles(app) {
  app.actions.add({ id: "share", label: "Copy link", key: "s", icon: "share", place: "more", order: 61,
    help: "Copy a link to this game", run: () => copyLink(app) });
  app.actions.add({ id: "paste", label: "Paste a game", icon: "paste", place: "more", order: 63,
    help: "Moves such as 4453, a saved game, or a Kaggle replay", run: () => openPaste(app) });
  app.actions.add({ id: "download", label: "Download game", icon: "download", place: "more",
    order: 64, help: "Save this game as a file", run: () => download(app) });
  app.game.addEventListener("change", () =>
    app.actions.enable("download", app.game.moves.length > 0));
}

async function copyLink(app) {
  const link = app.address.link();
  try {
    await navigator.clipboard.writeText(link);
    app.note("The link to this game is copied.");
  } catch {
    const field = h("input", { type: "text", readonly: true, value: link, id: "link",
      data: { test: "link" }, on: { focus: () => field.select() } });
    openDialog({ title: "Link to this game", test: "link-dialog", body: [h("div", { class: "field" },
      h("label", { for: "link", text: "Copy this address" }), field)] });
    field.focus();
  }
}

function openPaste(app) {
  const text = h("textarea", { id: "paste-text", rows: "6", spellcheck: "false",
    placeholder: "4453", data: { test: "paste-text" } });
  const file = h("input", { type: "file", id: "paste-file", accept: ".json,.txt,application/json",
    on: { change: async () => { text.value = await file.files[0]?.text() ?? ""; } } });
  const dialog = openDialog({
    title: "Paste a game", test: "paste-dialog",
    body: [
      h("div", { class: "field" }, h("label", { for: "paste-text",
        text: "Moves such as 4453, a game saved here, or a Kaggle replay" }), text),
      h("div", { class: "field" }, h("label", { for: "paste-file", text: "Or open a file" }), file),
    ],
    actions: [{ label: "Show it", main: true, test: "paste-use", run: async () => {
      try {
        await readGame(app, text.value);
        return true;
      } catch (error) {
        dialog.fail(sentenceOf(error));
        return false;
      }
    } }],
  });
  text.focus();
}

/**
 * Let the server read a game; whoever played it sits down to it, if the page may seat them.
 *
 * A drawing that fits the board at the table is read as the address reads it: rows that are missing
 * on top are empty, and the variant stays. One of another size brings its own board.
 */
async function readGame(app, pasted) {
  if (!pasted.trim()) throw new Error("there is no game yet: paste one, or open a file");
  const { geometry } = app.game;
  const { columns, rows, connect, variant } = geometry;
  const board = { columns, rows, connect, variant };
  const text = isDrawing(pasted, geometry)
    ? JSON.stringify(recordOfStart(Position.fromDrawing(pasted, geometry))) : pasted;
  const { record, names, note } = await app.api.post("/read", { text, board });
  const seated = await seatAll(app, record);
  app.game.load(record, { players: seated, rest: true });
  const who = names ? `${names.join(" – ")}. ` : "";
  app.note(`${who}${note || "Scrub through the game, or play on from any move."}`);
}

/** Those who played it, as far as they can be had here; of a game without names, those who sit. */
async function seatAll(app, record) {
  const { columns, rows, connect, variant = "" } = record.geometry;
  const geometry = new Geometry(columns, rows, connect, variant);
  if (!record.players) return app.players.thatPlay(geometry);
  return Promise.all(record.players.map(async (spec) =>
    (await app.players.isAllowed(spec, geometry) ? spec : HUMAN)));
}

function download(app) {
  const { game } = app;
  const record = game.recordAt(game.moves.length);
  const blob = new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: "application/json" });
  const link = h("a", { href: URL.createObjectURL(blob),
    download: `connectlab-${game.geometry}-${game.moveString(game.moves.length).slice(0, 12)}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

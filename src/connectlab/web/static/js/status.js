/** The line above the board: whose turn it is, what is thought about, how it ended. */

import { button, h } from "./dom.js";
import { HUMAN } from "./game.js";
import { seatNames } from "./names.js";

const TELLS_AFTER_S = 5;
const CLOCK_AFTER_S = 1;

/**
 * Keep the status line true.
 * @param {object} app
 */
export function mountStatus(app) {
  const { game, turns } = app;
  const place = document.querySelector("#status");
  let shown = "";
  const update = () => {
    const parts = statusOf(app);
    const key = JSON.stringify([parts.text, parts.actions.map((action) => action.label)]);
    if (key !== shown) {
      shown = key;
      document.title = `${parts.text} – connectlab`;
      place.replaceChildren(h("span", { class: "status-text", text: parts.text }),
        h("span", { class: "clock", "aria-hidden": "true" }),
        ...parts.actions.map((action) => button(action.label, action.run,
          { class: "button button-small", test: action.test })));
    }
    place.querySelector(".clock").textContent = parts.clock ?? "";
  };
  turns.addEventListener("change", update);
  app.review.addEventListener("change", update);
  game.addEventListener("change", () => tellMove(app));
  update();
}

/** What the line says now, and what can be done about it. */
function statusOf(app) {
  const { game, turns } = app;
  const names = seatNames(game.players);
  const name = names[game.position.side];
  switch (turns.stand) {
    case "person":
      return { text: name === "You" ? "Your turn" : `${name} to move`, actions: [] };
    case "thinking":
      return thinkingStatus(app, name);
    case "paused":
      return { text: `Paused; ${name} to move`, actions: [] };
    case "stopped":
      return { text: `You stopped the thought of ${name}`, actions: againActions(app) };
    case "failed":
      return { text: turns.failure, actions: againActions(app) };
    case "past":
      return { text: `Looking back; ${name} was to move`, actions: [
        { label: "Play on from here", test: "play-on", run: () => turns.playOn() }] };
    case "rest":
      return { text: `${name} is to move`, actions: [
        { label: "Play on from here", test: "play-on", run: () => turns.playOn() }] };
    case "setup":
      return { text: "Set up a position", actions: [] };
    case "over":
      return overStatus(app, names);
    default:
      return { text: "…", actions: [] };
  }
}

function thinkingStatus(app, name) {
  const { seconds } = app.turns;
  const long = seconds >= TELLS_AFTER_S;
  const spec = app.game.toMove;
  return {
    text: long ? `${name} still thinks: ${deedOf(spec)}` : `${name} thinks`,
    clock: seconds >= CLOCK_AFTER_S ? `${Math.floor(seconds)} s` : "",
    actions: seconds >= CLOCK_AFTER_S
      ? [{ label: "Cancel", test: "cancel", run: () => app.turns.cancel() }] : [],
  };
}

/** What a player does that takes so long, in a few words. */
function deedOf(spec) {
  const [name] = spec.split(":");
  const deeds = {
    perfect: "it solves the position to the end",
    minimax: "it looks ahead ply by ply",
    negamax: "it looks ahead ply by ply",
    mcts: "it plays the game on in its mind, many times",
    allis: "it looks for rules that prove a result",
  };
  return deeds[name] ?? "it searches, or waits for its turn on a busy server";
}

function againActions(app) {
  return [
    { label: "Try again", test: "try-again", run: () => app.turns.resume() },
    { label: "Change player", test: "change-player",
      run: () => app.players.choose(app.game.position.side) },
  ];
}

function overStatus(app, names) {
  const again = () => {
    app.game.newGame();
    app.board.focus();
  };
  const actions = [{ label: "New game", test: "again", run: again }];
  if (app.game.geometry.isPlain && !app.review.complete && !app.review.asking) {
    actions.unshift({ label: "Review", test: "review-now", run: () => app.review.ask() });
  }
  return { text: resultSentence(app.game, names), actions };
}

/** "You win", "Champion wins", "A draw". */
function resultSentence(game, names) {
  if (game.result === "draw") return "A draw";
  const name = names[game.result === "first" ? 0 : 1];
  return name === "You" ? "You win!" : `${name} wins`;
}

/** Tell the last move to a screen reader, and with a player's answer what it answers to. */
function tellMove(app) {
  const { game } = app;
  const last = game.played.at(-1);
  if (!last) {
    app.say(game.personToMove ? "New game. Your turn." : "New game.");
    return;
  }
  const before = game.played.at(-2);
  const both = last.mover !== HUMAN && before?.mover === HUMAN;
  const end = game.over ? `. ${resultSentence(game, seatNames(game.players))}` : "";
  const said = `${both ? `${moveText(game, game.place - 1)}. ` : ""}${moveText(game, game.place)}${end}`;
  app.say(/[.!]$/.test(said) ? said : `${said}.`);
}

/** "You: column 4", with what chance made of it. */
function moveText(game, place) {
  const move = game.moves[place - 1];
  const name = seatNames(game.players)[game.positionAt(place - 1).side];
  const slipped = move.chosen === null ? "" : `, meant for ${game.geometry.columnName(move.chosen)}`;
  const fell = move.fell ? ", the bottom row falls" : "";
  return `${name}: column ${game.geometry.columnName(move.column)}${slipped}${fell}`;
}

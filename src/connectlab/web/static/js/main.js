/** Puts the page together. */

import * as api from "./api.js";
import { Actions } from "./actions.js";
import { Address } from "./address.js";
import { mountAnalysis } from "./analysis.js";
import { Archive, mountGames } from "./archive.js";
import { mountBar } from "./bar.js";
import { BoardView } from "./board.js";
import { mountFiles } from "./files.js";
import { Game } from "./game.js";
import { mountHelp } from "./help.js";
import { mountHint } from "./hint.js";
import { mountInside } from "./inside.js";
import { Insight } from "./insight.js";
import { mountKeys } from "./keys.js";
import { mountLessons } from "./lessons.js";
import { mountMoves } from "./moves.js";
import { Panels } from "./panels.js";
import { Players } from "./players.js";
import { Review } from "./review.js";
import { makeVoice } from "./say.js";
import { mountSeats } from "./seats.js";
import { Setup } from "./setup.js";
import { mountStatus } from "./status.js";
import { mountTable } from "./table.js";
import { restoreTheme } from "./theme.js";
import { mountTimeline } from "./timeline.js";
import { mountTournament } from "./tournament.js";
import { mountTraining } from "./training.js";
import { Turns } from "./turns.js";
import { mountWatch } from "./watch.js";

restoreTheme();

const find = (id) => document.getElementById(id);
const app = {
  api,
  game: new Game(),
  board: new BoardView(find("board")),
  panels: new Panels(find("tabs"), find("panels")),
  actions: new Actions(find("actions"), find("actions-more")),
  ...makeVoice(find("live"), find("notices")),
};
app.turns = new Turns(app);
app.players = new Players(app);
app.address = new Address(app);
app.review = new Review(app);
app.archive = new Archive(app);
app.insight = new Insight(app);
app.setup = new Setup(app);

for (const mount of [
  mountTable, mountSeats, mountStatus, mountWatch, mountBar, mountHint, mountAnalysis, mountFiles,
  mountTimeline, mountMoves, mountInside, mountTraining, mountTournament, mountGames,
  mountLessons, mountHelp, mountKeys,
]) mount(app);

app.address.open();
app.archive.send(); // what an earlier visit left
app.panels.restore();
app.players.load().catch(() => {}); // the board plays on; who opens the list of players is told

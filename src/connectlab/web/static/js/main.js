/** Puts the page together. */

import * as api from "./api.js";
import { Actions } from "./actions.js";
import { BoardView } from "./board.js";
import { Game } from "./game.js";
import { mountKeys } from "./keys.js";
import { Panels } from "./panels.js";
import { makeVoice } from "./say.js";
import { mountSeats } from "./seats.js";
import { mountStatus } from "./status.js";
import { mountTable } from "./table.js";
import { restoreTheme } from "./theme.js";
import { Turns } from "./turns.js";

restoreTheme();

const find = (id) => document.getElementById(id);
const game = new Game();
const app = {
  api,
  game,
  board: new BoardView(find("board")),
  panels: new Panels(find("tabs"), find("panels")),
  actions: new Actions(find("actions"), find("actions-more")),
  ...makeVoice(find("live"), find("notices")),
};
app.turns = new Turns(app);

mountTable(app);
mountSeats(app);
mountStatus(app);
mountKeys(app);
game.newGame({ players: ["human", "ntuple:champion"] });

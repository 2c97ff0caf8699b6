/** The cross table of a tournament, and the ratings with their intervals as bars. */

import { h, svg } from "./dom.js";
import { nameOf } from "./names.js";
import { withMinus } from "./words.js";

const BAR = { width: 120, height: 16 };

/** Shows a tournament as it stands; rows and columns are in the order of the ratings. */
export class CrossTable {
  constructor() {
    this.ratings = h("tbody");
    this.head = h("tr");
    this.rows = h("tbody", { data: { test: "cross-table" } });
    this.element = h("div", { class: "standings" },
      h("h3", { text: "Ratings" }),
      h("div", { class: "scroll" }, h("table", { class: "values ratings" },
        h("caption", { class: "unseen", text: "Ratings with 95 % intervals" }),
        h("thead", {}, h("tr", {}, ...["", "player", "rating", "95 % interval", "score"]
          .map((text) => h("th", { scope: "col", text })))), this.ratings)),
      h("h3", { text: "Who beats whom" }),
      h("p", { class: "soft small", text: "Score of the row against the column in percent, and its 95 % interval." }),
      h("div", { class: "scroll" }, h("table", { class: "values cross" },
        h("caption", { class: "unseen", text: "Cross table" }), h("thead", {}, this.head), this.rows)));
  }

  /** @param {object} found a tournament, as the server tells it */
  show(found) {
    const order = orderOf(found);
    const ends = found.ratings.flatMap((rating) => rating.rating_interval);
    const range = [Math.min(...ends), Math.max(...ends)];
    this.ratings.replaceChildren(...found.ratings.map((rating, place) => ratingRow(rating, place, range)));
    this.head.replaceChildren(h("th", { scope: "col" }), h("th", { scope: "col", text: "player" }),
      ...order.map((index, place) => h("th", { scope: "col", text: String(place + 1),
        title: found.agents[index] })));
    this.rows.replaceChildren(...order.map((row, place) => h("tr", {},
      h("td", { text: String(place + 1) }),
      h("th", { scope: "row", text: nameOf(found.agents[row]), title: found.agents[row] }),
      ...order.map((column) => cell(found, row, column)))));
  }
}

function orderOf(found) {
  const rated = found.ratings.map((rating) => found.agents.indexOf(rating.agent));
  const others = found.agents.map((_, index) => index).filter((index) => !rated.includes(index));
  return [...rated, ...others];
}

function cell(found, row, column) {
  if (row === column) return h("td", { class: "cross-self", text: "–" });
  const [wins, draws, losses] = [found.wins, found.draws, found.losses].map((table) => table[row][column]);
  const score = found.score_rates[row][column];
  if (score) {
    return h("td", { class: "cross-cell", data: { played: "1" },
      title: `${wins} won, ${draws} drawn, ${losses} lost`,
      style: { "--score": `${points(score.rate)}%` } },
    points(score.rate), h("span", { class: "cross-range", text: ends(score.interval) }));
  }
  const { now } = found;
  const playing = now && ((now.first === row && now.second === column)
    || (now.first === column && now.second === row));
  return playing
    ? h("td", { class: "cross-now", text: `${Math.round((100 * now.done) / Math.max(1, now.games))} %`,
      title: `${now.done} of ${now.games} games` })
    : h("td", { class: "cross-open", text: "·" });
}

/** A rating with a true minus sign. */
function whole(rating) {
  return withMinus(rating.toFixed(0));
}

/** A share in whole per cent, without the sign. */
function points(share) {
  return (100 * share).toFixed(0);
}

/** The ends of an interval of shares. */
function ends([low, high]) {
  return `${points(low)} to ${points(high)}`;
}

function ratingRow(rating, place, [low, high]) {
  const [from, to] = rating.rating_interval;
  const x = (value) => ((value - low) / (high - low || 1)) * (BAR.width - 8) + 4;
  const middle = BAR.height / 2;
  const bar = svg("svg", { class: "rating-bar", viewBox: `0 0 ${BAR.width} ${BAR.height}`,
    "aria-hidden": "true" },
  svg("line", { class: "rating-range", x1: x(from), x2: x(to), y1: middle, y2: middle }),
  svg("path", { class: "rating-ends", d: [from, to].map((end) => `M${x(end)} ${middle - 4}v8`).join("") }),
  svg("circle", { class: "rating-dot", cx: x(rating.rating), cy: middle, r: 4 }));
  return h("tr", {},
    h("td", { text: String(place + 1) }),
    h("th", { scope: "row", text: nameOf(rating.agent), title: rating.agent }),
    h("td", { text: whole(rating.rating) }),
    h("td", { class: "rating-cell" }, bar,
      h("span", { text: `${whole(from)} to ${whole(to)}` })),
    h("td", { class: "score-cell",
      title: `${rating.wins} won, ${rating.draws} drawn, ${rating.losses} lost` },
    `${points(rating.score_rate)} %`, h("span", { text: ends(rating.score_rate_interval) })));
}

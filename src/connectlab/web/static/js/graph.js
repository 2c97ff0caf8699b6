/** The shape of the evaluation graph, in a box of 100 x 40 with the first player's side up. */

const MIDDLE = 20;
const REACH = 17;
const LEAST = 0.3;

/**
 * How high a score stands, from -1 to 1: a draw in the middle, a win that is near at the edge, and
 * the slowest win still clearly off the middle.
 * @param {number|null} score for the first player
 * @param {number} cells of the board
 * @returns {number|null}
 */
export function heightOf(score, cells) {
  if (score === null || score === 0) return score;
  const share = Math.min(1, Math.abs(score) / (cells / 2));
  return Math.sign(score) * (LEAST + (1 - LEAST) * share);
}

/**
 * Draw heights as a line, and the areas above and below the middle.
 * @param {(number|null)[]} heights null where nothing is known
 * @returns {{line: string, up: string, down: string}} path data
 */
export function graphPaths(heights) {
  const step = 100 / (heights.length - 1);
  const points = heights.map((height, place) =>
    (height === null ? null : [place * step, MIDDLE - REACH * height]));
  const runs = runsOf(points);
  return {
    line: runs.map((run) => `M${run.map(pair).join("L")}`).join(""),
    up: runs.map((run) => area(run, (y) => Math.min(y, MIDDLE))).join(""),
    down: runs.map((run) => area(run, (y) => Math.max(y, MIDDLE))).join(""),
  };
}

/** Points that follow each other without a gap. */
function runsOf(points) {
  const runs = [[]];
  for (const point of points) {
    if (point) runs.at(-1).push(point);
    else if (runs.at(-1).length) runs.push([]);
  }
  return runs.filter((run) => run.length);
}

function area(run, cut) {
  const edge = withCrossings(run).map(([x, y]) => [x, cut(y)]);
  return `M${pair([edge[0][0], MIDDLE])}L${edge.map(pair).join("L")}L${pair([edge.at(-1)[0], MIDDLE])}z`;
}

/** The same points, and those where the line crosses the middle. */
function withCrossings(run) {
  return run.flatMap(([x, y], index) => {
    const next = run[index + 1];
    if (!next || (y - MIDDLE) * (next[1] - MIDDLE) >= 0) return [[x, y]];
    const share = (MIDDLE - y) / (next[1] - y);
    return [[x, y], [x + share * (next[0] - x), MIDDLE]];
  });
}

function pair([x, y]) {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

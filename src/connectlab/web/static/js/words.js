/** How figures are written for people. */

const MINUS = "−";

/**
 * Write a verdict so that sign and number tell it: "+7" wins in 7 plies, "=", "−12", "?".
 * @param {number|null|undefined} score
 * @param {number|null|undefined} distance plies to the end
 * @returns {string}
 */
export function verdictText(score, distance) {
  if (score === null || score === undefined) return "?";
  if (score === 0) return "=";
  const plies = distance ?? "";
  return score > 0 ? `+${plies}` : `${MINUS}${plies}`;
}

/**
 * The word for a score: it names the colour, too.
 * @param {number|null|undefined} score
 * @returns {"win"|"draw"|"loss"|"unknown"}
 */
export function outcomeOf(score) {
  if (score === null || score === undefined) return "unknown";
  return score > 0 ? "win" : score < 0 ? "loss" : "draw";
}

/**
 * Write a number with its sign, and a true minus.
 * @param {number} value
 * @param {number} [decimals]
 * @returns {string}
 */
export function signed(value, decimals = 3) {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : `${value > 0 ? "+" : MINUS}${text}`;
}

/**
 * Write a value in very little room: "+0.18", "−12".
 * @param {number|null|undefined} value
 * @returns {string}
 */
export function compact(value) {
  if (!Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (Number.isInteger(value)) return signed(value, 0);
  return signed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/**
 * Write a figure as a table has it: whole numbers with separators, others with few decimals.
 * @param {unknown} value
 * @returns {string}
 */
export function tableFigure(value) {
  if (value === null || value === undefined) return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value !== "number") return String(value);
  const size = Math.abs(value);
  const text = Number.isInteger(value) || size >= 100
    ? size.toLocaleString("en", { maximumFractionDigits: 1 }) : size.toPrecision(3);
  return value < 0 ? `${MINUS}${text}` : text;
}

/**
 * Write a chance in per cent.
 * @param {number} chance
 * @returns {string}
 */
export function percent(chance) {
  return `${chance > 0 && chance < 0.01 ? "<1" : Math.round(100 * chance)} %`;
}

/**
 * Turn the name of a fact or a column into words: "lines_covered" reads "lines covered".
 * @param {string} name
 * @returns {string}
 */
export function wordsOf(name) {
  return name.replaceAll("_", " ");
}

/**
 * The name of a file without its folders and its ending.
 * @param {string} path
 * @returns {string}
 */
export function nameIn(path) {
  return path.split("/").at(-1).replace(/\.\w+$/, "");
}

/**
 * @param {string} text
 * @returns {string}
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Use the true minus for the signs of numbers that were written with a hyphen.
 * @param {string} text a number, or a sentence with numbers in it
 * @returns {string}
 */
export function withMinus(text) {
  return text.replace(/(?<=^|[\s([]|\de)-(?=\.?\d)/g, MINUS);
}

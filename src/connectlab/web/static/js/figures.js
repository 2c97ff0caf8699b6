/** How numbers are written: counts, shares with their intervals, times. */

import { withMinus } from "./words.js";

/**
 * A count, such as "750,000".
 * @param {number} number
 * @returns {string}
 */
export function count(number) {
  return withMinus(Math.round(number).toLocaleString("en"));
}

/**
 * A count where room is short: "750k", "5M".
 * @param {number} number
 * @returns {string}
 */
export function short(number) {
  const size = Math.abs(number);
  if (size >= 1e9) return `${trim(number / 1e9)}G`;
  if (size >= 1e6) return `${trim(number / 1e6)}M`;
  if (size >= 1e4) return `${trim(number / 1e3)}k`;
  return size >= 10 || number === Math.round(number) ? count(number) : trim(number);
}

/**
 * A measured number with as many digits as mean something.
 * @param {number|null|undefined} value
 * @returns {string}
 */
export function figure(value) {
  if (value === null || value === undefined) return "beyond all";
  const size = Math.abs(value);
  if (size >= 1000) return count(value);
  if (size >= 10) return withMinus(value.toFixed(1));
  return withMinus(size >= 0.001 || value === 0 ? value.toFixed(3) : value.toExponential(1));
}

const MOST_DECIMALS = 6;

/**
 * Two values of the same thing, with as many digits as it takes to see that they differ.
 * @param {number} before
 * @param {number} after
 * @returns {[string, string]}
 */
export function change(before, after) {
  let texts = [figure(before), figure(after)];
  for (let digits = 2; texts[0] === texts[1] && before !== after && digits <= MOST_DECIMALS; digits += 1) {
    texts = [before, after].map((value) => withMinus(value.toFixed(digits)));
  }
  return texts;
}

/**
 * A number with its interval: "0.960 [0.923, 0.980]".
 * @param {number|null} value
 * @param {[number, number|null]|null} [interval]
 * @returns {string}
 */
export function withInterval(value, interval) {
  if (!interval) return figure(value);
  const [low, high] = interval;
  return `${figure(value)} [${figure(low)}, ${high === null ? "…" : figure(high)}]`;
}

/**
 * A time: "0:42", "3:05", "2:10:00".
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(whole / 3600);
  return hours ? [hours, ...parts].join(":") : `${Number(parts[0])}:${parts[1]}`;
}

function trim(number) {
  return withMinus(String(Number(number.toPrecision(3))));
}

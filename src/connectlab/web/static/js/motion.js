/** How things move: shortly, and not at all where the system asks for less motion. */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LONGEST_MS = 240;
const FALL_SHARE = 0.72;
const BOUNCE = 0.045;

/**
 * Let a disc fall to its place with a tiny bounce: it gathers speed, so a fall twice as deep does
 * not take twice as long.
 * @param {SVGElement} place
 * @param {number} height from where it falls, in units of the drawing
 * @returns {number} how long that takes, in milliseconds
 */
export function dropDisc(place, height) {
  if (STILL.matches) return 0;
  const duration = Math.min(LONGEST_MS, 110 + 6 * Math.sqrt(height));
  const at = (y) => `translateY(${y}px)`;
  place.firstElementChild.animate(
    [
      { transform: at(-height), easing: "cubic-bezier(0.33, 0, 0.67, 0.33)" },
      { transform: at(0), offset: FALL_SHARE, easing: "cubic-bezier(0.33, 0.67, 0.67, 1)" },
      { transform: at(-BOUNCE * height), offset: (1 + FALL_SHARE) / 2,
        easing: "cubic-bezier(0.33, 0, 0.67, 0.33)" },
      { transform: at(0) },
    ],
    { duration, fill: "none" },
  );
  return duration;
}

/**
 * Let something appear only when a fall is over.
 * @param {Element} element
 * @param {number} ms how long the fall takes
 */
export function appearAfter(element, ms) {
  if (ms > 0) element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: ms });
}

/**
 * Let all discs sink by a cell, as the bottom row has fallen.
 * @param {SVGElement} discs
 * @param {number} cell
 */
export function sinkDiscs(discs, cell) {
  if (STILL.matches) return;
  discs.animate([{ transform: `translateY(${-cell}px)` }, { transform: "none" }],
    { duration: LONGEST_MS, easing: "ease-in" });
}

/**
 * Let all discs fall out of the board, while the group itself is free for the next ones.
 * @param {SVGElement} discs
 * @param {number} height of the drawing
 */
export function sweepDiscs(discs, height) {
  if (STILL.matches || !discs.childElementCount) return;
  const leaving = discs.cloneNode(true);
  for (const disc of leaving.children) disc.removeAttribute("data-cell");
  discs.before(leaving);
  leaving.animate([{ transform: "none" }, { transform: `translateY(${height}px)` }],
    { duration: LONGEST_MS, easing: "cubic-bezier(0.5, 0, 1, 0.6)" })
    .finished.finally(() => leaving.remove());
}

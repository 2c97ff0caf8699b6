/** How things move: shortly, and not at all where the system asks for less motion. */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LONGEST_MS = 240;
const FALL_SHARE = 0.72;
const BOUNCE = 0.045;

/** Whether nothing should move. */
export function still() {
  return STILL.matches;
}

/**
 * Let a disc fall to its place with a tiny bounce: it gathers speed, so a fall twice as deep does
 * not take twice as long.
 * @param {SVGElement} place
 * @param {number} height from where it falls, in units of the drawing
 */
export function dropDisc(place, height) {
  if (STILL.matches) return;
  const at = (y) => `translateY(${y}px)`;
  place.firstElementChild.animate(
    [
      { transform: at(-height), easing: "cubic-bezier(0.33, 0, 0.67, 0.33)" },
      { transform: at(0), offset: FALL_SHARE, easing: "cubic-bezier(0.33, 0.67, 0.67, 1)" },
      { transform: at(-BOUNCE * height), offset: (1 + FALL_SHARE) / 2,
        easing: "cubic-bezier(0.33, 0, 0.67, 0.33)" },
      { transform: at(0) },
    ],
    { duration: Math.min(LONGEST_MS, 110 + 6 * Math.sqrt(height)), fill: "none" },
  );
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

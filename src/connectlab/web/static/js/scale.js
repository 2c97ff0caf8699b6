/** How high bars are drawn. */

/** Values that differ by this factor are drawn on a logarithmic scale. */
const STEEP = 200;

/**
 * Turn values into heights from -1 to 1: measured against a sure win where a player knows what
 * that is worth, else against the largest of them, on a logarithmic scale where they differ much.
 * @param {(number|null|undefined)[]} values
 * @param {number|null} [winValue]
 * @returns {(number|null)[]}
 */
export function barHeights(values, winValue = null) {
  const most = winValue || Math.max(...sizesOf(values), 0);
  const steep = isSteep(values, winValue);
  return values.map((value) => {
    if (!Number.isFinite(value)) return null;
    if (!most || value === 0) return 0;
    const size = Math.abs(value);
    const height = steep ? Math.log1p(size) / Math.log1p(most) : size / most;
    return Math.sign(value) * Math.min(1, height);
  });
}

/**
 * Whether values differ so much that their bars are logarithmic, which has to be said beside them.
 * @param {(number|null|undefined)[]} values
 * @param {number|null} [winValue]
 * @returns {boolean}
 */
export function isSteep(values, winValue = null) {
  const sizes = sizesOf(values);
  const most = Math.max(...sizes, 0);
  return !winValue && most >= STEEP && most >= STEEP * Math.min(...sizes);
}

function sizesOf(values) {
  return values.filter((value) => Number.isFinite(value) && value !== 0).map(Math.abs);
}

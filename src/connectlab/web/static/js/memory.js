/** What this window remembers over a reload, as far as the browser lets it. */

/**
 * Keep a value.
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // without storage a reload begins anew
  }
}

/**
 * Return what was kept; null if there is nothing.
 * @param {string} name
 * @returns {any}
 */
export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Light or dark: as the system has it, unless a person chose. */

const KEY = "connectlab.theme";
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Take the theme that was chosen last; call this early, before the page is seen. */
export function restoreTheme() {
  const chosen = read();
  if (chosen) document.documentElement.dataset.theme = chosen;
}

/** Change between light and dark; back at the system's own it follows the system again. */
export function changeTheme() {
  const root = document.documentElement;
  const dark = (root.dataset.theme ?? (DARK.matches ? "dark" : "light")) === "dark";
  const next = dark ? "light" : "dark";
  if ((next === "dark") === DARK.matches) {
    delete root.dataset.theme;
    write(null);
  } else {
    root.dataset.theme = next;
    write(next);
  }
  root.dispatchEvent(new CustomEvent("theme", { bubbles: true }));
}

function read() {
  try {
    const chosen = localStorage.getItem(KEY);
    return chosen === "light" || chosen === "dark" ? chosen : null;
  } catch {
    return null; // storage is switched off: the system decides
  }
}

function write(theme) {
  try {
    if (theme) localStorage.setItem(KEY, theme);
    else localStorage.removeItem(KEY);
  } catch {
    // the choice lasts as long as the page
  }
}

/** What the page says: quietly to those who listen, and in plain sight when something is wrong. */

import { button, h } from "./dom.js";

/**
 * Make the two voices of the page.
 * @param {HTMLElement} live a polite live region
 * @param {HTMLElement} notices where sentences stand until they are dismissed
 */
export function makeVoice(live, notices) {
  /**
   * Tell a screen reader what happened.
   * @param {string} sentence
   */
  function say(sentence) {
    live.textContent = "";
    requestAnimationFrame(() => { live.textContent = sentence; });
  }

  /**
   * Show a sentence with what can be done about it; the next one takes its place.
   * @param {string} sentence
   * @param {{label: string, run: () => void}[]} [actions]
   * @param {"error"|"note"} [kind]
   */
  function fail(sentence, actions = [], kind = "error") {
    const notice = h("div", { class: `notice notice-${kind}`, data: { test: "notice" },
      role: kind === "error" ? "alert" : null }, h("p", { text: sentence }));
    for (const action of actions) {
      notice.append(button(action.label, () => { notice.remove(); action.run(); },
        { class: "button button-small" }));
    }
    notice.append(button("Dismiss", () => notice.remove(),
      { class: "button button-quiet button-icon", icon: "close" }));
    notices.replaceChildren(notice);
  }

  /**
   * Show a sentence that is no complaint, and tell it: a region that is born with its text stays
   * unheard by many screen readers.
   * @param {string} sentence
   * @param {{label: string, run: () => void}[]} [actions]
   */
  function note(sentence, actions) {
    fail(sentence, actions, "note");
    say(sentence);
  }

  /** Take away whatever stands there. */
  function calm() {
    notices.replaceChildren();
  }

  return { say, fail, note, calm };
}

/** How a sentence begins that must not get a capital: the name of a player, a path, a setting. */
const NAME_FIRST = /^[\w./-]+[:=]/;

/**
 * Say what an error means to a person.
 * @param {unknown} error
 * @returns {string}
 */
export function sentenceOf(error) {
  const said = String(error?.detail ?? error?.message ?? error).trim();
  const sentence = NAME_FIRST.test(said) ? said : said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

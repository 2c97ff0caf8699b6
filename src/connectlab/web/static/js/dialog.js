/** Dialogs: one way to open them, so that all of them close, focus and name themselves alike. */

import { button, h } from "./dom.js";

let opened = 0;

/**
 * Open a dialog.
 * @param {{title: string, body: Node[], test?: string, wide?: boolean,
 *   actions?: {label: string, main?: boolean, test?: string,
 *     run: () => void|boolean|Promise<void|boolean>}[]}} options an action that returns false keeps
 *   the dialog open; the main one also runs on Enter
 * @returns {HTMLDialogElement & {fail: (sentence: string) => void}}
 */
export function openDialog({ title, body, test, wide = false, actions = [] }) {
  opened += 1;
  const heading = h("h2", { id: `dialog-${opened}`, text: title });
  const complaint = h("p", { class: "complaint", role: "alert" });
  const dialog = h("dialog", { class: wide ? "dialog dialog-wide" : "dialog",
    "aria-labelledby": heading.id, data: { test: test ?? "dialog" } });
  const close = () => dialog.close();
  const form = h("form", { class: "dialog-form", novalidate: true },
    h("header", { class: "dialog-head" }, heading,
      button("Close", close, { icon: "close", class: "button button-quiet button-icon" })),
    h("div", { class: "dialog-body", tabindex: actions.length ? null : "0" }, ...body), complaint,
    h("footer", { class: "dialog-foot" }, ...actions.map((action) => actionButton(action, dialog))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const main = actions.find((action) => action.main);
    if (main) runAction(main, dialog);
  });
  dialog.fail = (sentence) => { complaint.textContent = sentence; };
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function actionButton(action, dialog) {
  if (action.main) {
    return h("button", { type: "submit", class: "button button-main", text: action.label,
      data: { test: action.test ?? "main-action" } });
  }
  return button(action.label, () => runAction(action, dialog), { test: action.test });
}

async function runAction(action, dialog) {
  dialog.fail("");
  if ((await action.run()) !== false) dialog.close();
}

/** Watching two players: pause, step, speed. */

import { button, h } from "./dom.js";
import { SPEEDS } from "./turns.js";

/**
 * Put the controls beside the status line; they are there only while nobody plays at the page.
 * @param {object} app
 */
export function mountWatch(app) {
  const { game, turns } = app;
  const held = () => turns.paused || turns.stand === "rest";
  const toggle = button("Pause", () => (held() ? turns.resume() : turns.pause()),
    { icon: "pause", test: "pause", class: "button button-small" });
  const step = button("Step", () => turns.step(),
    { icon: "step", test: "step", class: "button button-small" });
  const speed = h("select", { id: "speed", "aria-label": "Speed", data: { test: "speed" },
    on: { change: () => { turns.speed = speed.value; } } },
  ...Object.keys(SPEEDS).map((name) => h("option", { value: name, text: name,
    selected: name === turns.speed })));
  const bar = h("div", { class: "watch", hidden: true, role: "group", "aria-label": "Watching" },
    toggle, step, speed);
  document.querySelector("#status").after(bar);
  const update = () => {
    bar.hidden = !game.watched || turns.stand === "setup";
    toggle.querySelector(".button-label").textContent = held() ? "Go on" : "Pause";
    toggle.querySelector("use").setAttribute("href", held() ? "#icon-play" : "#icon-pause");
    toggle.disabled = step.disabled = game.over || turns.stand === "past";
  };
  turns.addEventListener("change", update);
  app.actions.add({ id: "watch", label: "Pause", key: "p", place: "none", order: 70,
    help: "Pause or go on, where two players are watched",
    run: () => { if (game.watched && !game.over) toggle.click(); } });
  update();
}

/** A hint: what perfect play would do here, in a sentence and as a light on the column. */

import { sentenceOf } from "./say.js";

/**
 * Add the hint.
 * @param {object} app
 */
export function mountHint(app) {
  const { game, board, actions } = app;
  let asked = null;
  actions.add({ id: "hint", label: "Hint", key: "h", icon: "hint", order: 20,
    help: "Ask perfect play what to do", run: () => ask() });

  async function ask() {
    asked?.abort();
    const question = new AbortController();
    asked = question;
    app.note("Perfect play looks at every column…");
    try {
      const verdicts = await app.api.post("/verdicts", { position: game.request() },
        { signal: question.signal });
      if (asked !== question) return;
      const wins = Object.keys(verdicts.scores).filter((name) => verdicts.scores[name] > 0);
      const names = verdicts.best.length ? verdicts.best : wins;
      board.light(names.map((name) => game.geometry.columnNamed(name)));
      app.note(verdicts.advice);
    } catch (error) {
      if (asked === question) app.fail(sentenceOf(error));
    }
  }

  const forget = () => {
    asked?.abort();
    asked = null;
  };
  app.setup.addEventListener("change", forget);
  game.addEventListener("change", () => {
    forget();
    actions.enable("hint", !game.over && game.geometry.isPlain);
  });
}

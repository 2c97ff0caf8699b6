/** The runs of the server as they are now: followed while somebody looks, and no longer. */

/** Fires "runs" when the list has changed, "rows" when a run that is watched has new rows. */
export class RunsFeed extends EventTarget {
  /** @param {object} api */
  constructor(api) {
    super();
    this.api = api;
    this.runs = [];
    this.plans = [];
    this.atOnce = 1;
    this.loaded = false;
    /** Whether the stream broke and is being taken up again. */
    this.lost = false;
    /** @type {Map<string, {version: number, rows: object[]}>} */
    this._rows = new Map();
    this._watched = [];
    this._abort = null;
  }

  /**
   * The rows of a run that is watched.
   * @param {string} name
   * @returns {object[]}
   */
  rowsOf(name) {
    return this._rows.get(name)?.rows ?? [];
  }

  /**
   * Say whose rows are wanted; the stream begins anew with them.
   * @param {string[]} names
   */
  watch(names) {
    if (names.join("\n") === this._watched.join("\n")) return;
    this._watched = [...names];
    if (this._abort) this.open();
  }

  /** Follow the server until `close`. */
  open() {
    this.close();
    const abort = new AbortController();
    this._abort = abort;
    const query = this._watched.map((name) => `run=${encodeURIComponent(name)}`).join("&");
    this.api.stream(`/runs/events?${query}`, (event) => {
      if (!abort.signal.aborted) this._take(event);
    }, { signal: abort.signal, onLost: () => this._setLost(true) }).catch((error) => {
      this.dispatchEvent(new CustomEvent("failed", { detail: error }));
    });
  }

  /** Follow no longer. */
  close() {
    this._abort?.abort();
    this._abort = null;
  }

  _take({ type, data }) {
    this._setLost(false);
    if (type === "runs") {
      this.runs = data.runs;
      this.plans = data.plans;
      this.atOnce = data.at_once;
      this.loaded = true;
      this.dispatchEvent(new Event("runs"));
    } else if (type === "rows") {
      const known = this._rows.get(data.run);
      const kept = known?.version === data.version ? known.rows.slice(0, data.first) : [];
      this._rows.set(data.run, { version: data.version, rows: [...kept, ...data.rows] });
      this.dispatchEvent(new Event("rows"));
    }
  }

  _setLost(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    this.dispatchEvent(new Event("runs"));
  }
}

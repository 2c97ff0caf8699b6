/** A set of n-tuples that somebody edits, with every step back. */

const MOST_STEPS = 200;

/**
 * Tuples are lists of [column, row] cells, 0-based from the bottom left. Fires "change" after
 * anything changed.
 */
export class TupleSet extends EventTarget {
  constructor() {
    super();
    this._state = { tuples: [], selected: 0 };
    this._before = [];
    this._after = [];
  }

  get tuples() {
    return this._state.tuples;
  }

  /** Index of the tuple that is edited. */
  get selected() {
    return this._state.selected;
  }

  /** The cells of the tuple that is edited. */
  get cells() {
    return this.tuples[this.selected] ?? [];
  }

  get canUndo() {
    return this._before.length > 0;
  }

  get canRedo() {
    return this._after.length > 0;
  }

  /**
   * Whether the tuple that is edited has a cell.
   * @param {number} column
   * @param {number} row
   */
  has(column, row) {
    return this.cells.some(([c, r]) => c === column && r === row);
  }

  /**
   * Add a cell to the tuple that is edited, or take it away.
   * @param {number} column
   * @param {number} row
   */
  toggle(column, row) {
    const tuples = this.tuples.length ? [...this.tuples] : [[]];
    const cells = tuples[this.selected];
    tuples[this.selected] = this.has(column, row)
      ? cells.filter(([c, r]) => c !== column || r !== row) : [...cells, [column, row]];
    this._step(tuples, this.selected);
  }

  /** Begin another tuple. */
  add() {
    this._step([...this.tuples, []], this.tuples.length);
  }

  /** Begin another tuple with the same cells. */
  duplicate() {
    if (!this.tuples.length) return;
    const at = this.selected + 1;
    this._step(this.tuples.toSpliced(at, 0, [...this.cells]), at);
  }

  /** Take the tuple that is edited away. */
  remove() {
    if (!this.tuples.length) return;
    const left = this.tuples.toSpliced(this.selected, 1);
    this._step(left, Math.max(0, Math.min(this.selected, left.length - 1)));
  }

  /**
   * Put another set in place of this one.
   * @param {number[][][]} tuples
   */
  replace(tuples) {
    this._step(structuredClone(tuples), 0);
  }

  /**
   * Edit another tuple.
   * @param {number} index
   */
  select(index) {
    this._state = { ...this._state, selected: index };
    this._changed();
  }

  undo() {
    this._travel(this._before, this._after);
  }

  redo() {
    this._travel(this._after, this._before);
  }

  _step(tuples, selected) {
    this._before.push(this._state);
    if (this._before.length > MOST_STEPS) this._before.shift();
    this._after = [];
    this._state = { tuples, selected };
    this._changed();
  }

  _travel(from, to) {
    if (!from.length) return;
    to.push(this._state);
    this._state = from.pop();
    this._changed();
  }

  _changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

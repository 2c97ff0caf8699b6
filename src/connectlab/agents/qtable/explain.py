"""What a table knows of a position, in words and as a picture."""

import numpy as np

from connectlab.agents.analysis import Analysis, Group
from connectlab.agents.qtable.model import Model
from connectlab.agents.qtable.states import first_value
from connectlab.agents.qtable.table import ABSENT
from connectlab.game import Position, PositionBatch
from connectlab.game.notation import column_name
from connectlab.training.measurement import Plain

LEGEND = "where the next stone of each column would lie (* best, + other), by its value"


def explain(model: Model, position: Position, policy: tuple[float, ...]) -> Analysis:
    """Return the value of every column, how often the position was met, and what is known of it."""
    batch = PositionBatch.of([position])
    entry = int(model.find(batch)[0])
    row = model.action_values(batch)[0]
    values = tuple(float(value) if np.isfinite(value) else None for value in row)
    begins = _first_values(model, position)
    notes = {column: _note(model, begins[column], values[column]) for column in begins}
    hidden = model.reading.counts  # where stones would land is not to be told
    return Analysis(
        position,
        policy,
        values,
        f"Q, where a win is worth {model.header.reward_win:g}",
        win_value=model.header.reward_win,
        column_notes={column: note for column, note in notes.items() if note},
        sentences=(_how_well_known(model, entry), _untouched(begins, values, entry)),
        facts=_facts(model, entry),
        groups=() if hidden else _groups(position, values, policy, notes),
        legend="" if hidden else LEGEND,
    )


def _first_values(model: Model, position: Position) -> dict[int, float]:
    """Return what each playable column would begin with if the position were new."""
    own, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    cells = {c: position.play(c).occupied ^ position.occupied for c in position.legal_columns}
    return {
        column: float(first_value(own, occupied, np.uint64(cell), model.reading))
        for column, cell in cells.items()
    }


def _note(model: Model, begins: float, value: float | None) -> str:
    """Say what a column does at once, if known states tell, and whether its value was learned."""
    reading = model.reading
    known = {
        reading.known_win: "wins",
        reading.known_block: "blocks a win",
        reading.known_streak: f"{reading.shape.connect - 1} in a row",
    }
    does = known.get(begins, "") if reading.known and begins else ""
    learned = "" if value == begins else f"began with {begins:g}"
    return ", ".join(filter(None, (does, learned)))


def _how_well_known(model: Model, entry: int) -> str:
    if entry == ABSENT:
        return f"It has never seen this position: none of its {len(model.table):,} states is it."
    visits = int(model.table.arrays.visits[entry])
    if visits == 0:
        return "It knows of this position, but has never chosen a move in it."
    seen = "once" if visits == 1 else f"{visits:,} times"
    if not model.table.has_epsilon:
        return f"It chose a move in this position {seen}."
    epsilon = float(model.table.arrays.epsilon[entry])
    still = f"would still explore with chance {epsilon:.2f}"
    return f"It chose a move in this position {seen}, and {still}."


def _untouched(begins: dict[int, float], values: tuple[float | None, ...], entry: int) -> str:
    learned = sum(values[column] != value for column, value in begins.items())
    if entry == ABSENT or learned == 0:
        source = "what its moves do at once" if any(begins.values()) else "zeros"
        return f"So its values are those it would begin with: {source}."
    return f"Values that were learned: {learned} of {len(begins)} columns."


def _facts(model: Model, entry: int) -> dict[str, Plain]:
    known = entry != ABSENT
    facts: dict[str, Plain] = {
        "states": len(model.table),
        "seen": known,
        "visits": int(model.table.arrays.visits[entry]) if known else 0,
    }
    if model.table.has_epsilon:
        facts["epsilon"] = float(model.table.arrays.epsilon[entry]) if known else 1.0
    return facts


def _groups(
    position: Position,
    values: tuple[float | None, ...],
    policy: tuple[float, ...],
    notes: dict[int, str],
) -> tuple[Group, ...]:
    """Return the landing cell of each column, the one of the highest value first."""
    geometry = position.geometry
    found = [(value, column) for column, value in enumerate(values) if value is not None]
    return tuple(
        Group(
            f"column {column_name(column, geometry)}",
            ((column, _height(position, column)),),
            ("*" if policy[column] else "+",),
            value,
            notes[column],
        )
        for value, column in sorted(found, key=lambda pair: (-pair[0], pair[1]))
    )


def _height(position: Position, column: int) -> int:
    rows = range(position.geometry.rows)
    return sum(bool(position.occupied & position.geometry.cell(column, row)) for row in rows)

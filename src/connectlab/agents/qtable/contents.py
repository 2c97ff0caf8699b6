"""What a table is made of: states by their stones, the most visited, those of largest values."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Cell, Group
from connectlab.agents.contents import Contents, Entries, Page, Part
from connectlab.agents.qtable.model import Model, decode_keys
from connectlab.game.batch import PositionBatch
from connectlab.game.notation import column_name

COLUMNS = {
    "stones": "stones on the board",
    "states": "states with so many stones",
    "visits": "moves chosen in them",
    "most_visited": "moves chosen in the one visited most",
    "learned": "states of which some value was learned",
    "largest": "largest value",
    "smallest": "smallest value",
}
LEGEND = "stones on the board (X of the side that decides, O of the other)"


def qtable_contents(model: Model) -> Contents:
    """Count the states and list them in layers by stones.

    Where only counts of streaks are seen nobody knows the boards, and there are no layers.
    """
    states = None if model.reading.counts else _States(model)
    table = model.table
    visits = table.arrays.visits[: len(table)]
    facts = {
        "states": len(table),
        "visits": int(visits.sum()),
        "visited_once": int(np.count_nonzero(visits == 1)),
        "learned": int(np.count_nonzero(model.changed)),
        "bytes": table.nbytes,
        "bytes_a_state": table.nbytes / max(1, len(table)),
        "mirror": model.header.mirror,
        "known": model.header.known,
    }
    if table.has_epsilon and len(table):
        facts["mean_epsilon"] = float(table.arrays.epsilon[: len(table)].mean())
    return Contents(
        model.geometry,
        "layer",
        facts=facts,
        columns=COLUMNS,
        parts=states.parts() if states else (),
        legend=LEGEND,
        find_entries=states.entries if states else lambda _number, _page: (),
    )


class _States:
    """All states of a table, sorted by the number of their stones."""

    def __init__(self, model: Model) -> None:
        arrays, n = model.table.arrays, len(model.table)
        self._geometry = model.geometry
        self._boards = decode_keys(arrays.keys[:n], model.geometry)
        self._values = np.where(_room(self._boards), arrays.values[:n], np.nan)
        self.visits = arrays.visits[:n]
        self.learned = model.changed
        stones = self._boards.plies
        self.plies = np.unique(stones)
        self._members = [np.flatnonzero(stones == ply) for ply in self.plies]

    def parts(self) -> tuple[Part, ...]:
        """Describe the states of every number of stones."""
        return tuple(self._part(number) for number in range(len(self.plies)))

    def _part(self, number: int) -> Part:
        which = self._members[number]
        values, visits = self._values[which], self.visits[which]
        return Part(
            number + 1,
            (),
            {
                "stones": int(self.plies[number]),
                "states": len(which),
                "visits": int(visits.sum()),
                "most_visited": int(visits.max()),
                "learned": int(np.count_nonzero(self.learned[which])),
                "largest": float(np.nanmax(values)),
                "smallest": float(np.nanmin(values)),
            },
        )

    def entries(self, number: int, page: Page) -> tuple[Entries, ...]:
        """List the states of a layer by their visits, and by the size of their values."""
        which = self._members[number]
        by_visits = which[np.argsort(-self.visits[which].astype(np.int64), kind="stable")]
        size = np.nanmax(np.abs(self._values[which]), axis=1)
        by_value = which[np.argsort(-size, kind="stable")]
        return (
            self._listed("most visited", by_visits, page),
            self._listed("largest values", by_value, page),
        )

    def _listed(self, title: str, states: NDArray[np.int64], page: Page) -> Entries:
        groups = tuple(self._group(state) for state in page.cut(states.tolist()))
        return Entries(title, groups, len(states))

    def _group(self, entry: int) -> Group:
        cells = self._boards[entry : entry + 1].cells()[0]
        held: list[tuple[Cell, str]] = [
            ((column, self._geometry.rows - 1 - row), "X" if cells[row, column] > 0 else "O")
            for row, column in zip(*(where.tolist() for where in np.nonzero(cells)), strict=True)
        ]
        best = int(np.nanargmax(np.abs(self._values[entry])))
        visits = int(self.visits[entry])
        return Group(
            f"state {entry + 1}",
            tuple(cell for cell, _ in held),
            tuple(mark for _, mark in held),
            float(self._values[entry, best]),
            f"column {column_name(best, self._geometry)}, {visits:,} visits",
        )


def _room(boards: PositionBatch) -> NDArray[np.bool_]:
    """Return which columns have room, bool[n, columns]."""
    shape = boards.geometry.shape
    tops = np.arange(shape.columns, dtype=np.uint64) * shape.column_bits + np.uint64(shape.rows - 1)
    room: NDArray[np.bool_] = (boards.occupied[:, None] >> tops) & np.uint64(1) == 0
    return room

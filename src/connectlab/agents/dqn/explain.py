"""Why a network prefers a column: which stones its value hangs on."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Analysis, Group
from connectlab.agents.dqn.network import Network
from connectlab.game import Position, PositionBatch
from connectlab.game.notation import column_name
from connectlab.training.measurement import Plain

SHOWN = 12
"""How many stones are told, those that matter most."""
LEGEND = (
    "the stones that matter most to the value of the chosen column: what it would lose (above 0) "
    "or gain if the stone were gone"
)

Values = NDArray[np.float64]
Evaluate = Callable[[PositionBatch], Values]
"""Q of every column of every position, float64[n, columns]."""


def explain(
    network: Network, position: Position, policy: tuple[float, ...], evaluate: Evaluate
) -> Analysis:
    """Tell Q of every column, and how the chosen one's would change without each stone.

    A stone that is gone leaves its cell free for the network, wherever it lies; no such position
    can come about where others rest on it, but the network is asked as if it could.
    """
    row = evaluate(PositionBatch.of([position]))[0]
    legal = position.legal_columns
    chosen = max(legal, key=lambda column: (row[column], -column))
    full = [column for column in range(len(row)) if column not in legal]
    groups = _groups(network, position, chosen, float(row[chosen]), evaluate)
    return Analysis(
        position,
        policy,
        tuple(float(row[column]) if column in legal else None for column in range(len(row))),
        f"Q, where a win is worth {network.header.reward_win:g}",
        win_value=network.header.reward_win,
        column_notes={c: f"{row[c] / network.header.reward_win:+.0%} of a win" for c in legal},
        sentences=_sentences(position, row, chosen, groups),
        facts=_facts(network, row, chosen, full),
        groups=groups,
        legend=LEGEND if groups else "",
    )


def _sentences(
    position: Position, row: Values, chosen: int, groups: tuple[Group, ...]
) -> tuple[str, ...]:
    geometry = position.geometry
    name = column_name(chosen, geometry)
    others = [float(row[c]) for c in position.legal_columns if c != chosen]
    preferred = f"Column {name} has the highest value, {row[chosen]:.3f}"
    first = f"{preferred}; the next best has {max(others):.3f}." if others else f"{preferred}."
    if not groups:
        return (first,)
    where = groups[0].cells[0]
    weight = groups[0].weight or 0.0
    change = "lose" if weight > 0 else "gain"
    stone = f"{column_name(where[0], geometry)}, row {where[1] + 1}"
    return (
        first,
        f"It hangs most on the stone in column {stone}: without it column {name} would "
        f"{change} {abs(weight):.3f}.",
    )


def _facts(network: Network, row: Values, chosen: int, full: list[int]) -> dict[str, Plain]:
    facts: dict[str, Plain] = {
        "q": float(row[chosen]),
        "reward_win": network.header.reward_win,
        "parameters": sum(int(array.size) for array in network.arrays.values()),
    }
    if full:
        facts["q_of_full_columns"] = max(float(row[column]) for column in full)
    return facts


def _groups(
    network: Network, position: Position, chosen: int, value: float, evaluate: Evaluate
) -> tuple[Group, ...]:
    """Return the stones one by one, those that matter most first."""
    geometry = position.geometry
    cells = [
        (column, row)
        for column in range(geometry.columns)
        for row in range(geometry.rows)
        if position.occupied & geometry.cell(column, row)
    ]
    if not cells:
        return ()
    without = evaluate(_without_each(network, position, cells))[:, chosen]
    found = [
        Group(
            f"column {column_name(column, geometry)}, row {row + 1}",
            ((column, row),),
            ("X" if position.first_stones & geometry.cell(column, row) else "O",),
            value - float(left),
        )
        for (column, row), left in zip(cells, without, strict=True)
    ]
    return tuple(sorted(found, key=lambda group: -abs(group.weight or 0.0)))[:SHOWN]


def _without_each(
    network: Network, position: Position, cells: list[tuple[int, int]]
) -> PositionBatch:
    """Return the position without each of these stones, as boards that look so to the network.

    Who sees the first and the second player tells them apart by the number of stones, which is now
    one less: the sides are exchanged, so that every other stone keeps its owner.
    """
    gone = np.array([position.geometry.cell(*cell) for cell in cells], dtype=np.uint64)
    own = position.mover if network.header.planes == "own" else position.opponent
    mover, occupied = (np.uint64(stones) & ~gone for stones in (own, position.occupied))
    return PositionBatch(position.geometry, mover, occupied, np.zeros_like(gone))

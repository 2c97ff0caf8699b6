"""What an n-tuple network is made of: counts of weights, its tuples, and their heaviest states."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Cell, Group
from connectlab.agents.contents import HEAVIEST, HIGHEST, LOWEST, Contents, Entries, Page, Part
from connectlab.agents.ntuple.coverage import lines_seen
from connectlab.agents.ntuple.explain import MARKS, describe_marks
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.tuples import winning_lines

NON_ZERO = "non_zero_weights"
COLUMNS = {
    "states": "states that can occur; each has a weight for either side to move, or one for both",
    NON_ZERO: "weights that are not 0, those for either side to move together",
    "largest": "largest weight, without its sign",
    "mean": "mean of all weights, without their signs",
    "lines": "winning lines that lie within its cells",
}
SIDES = ("first player to move", "second player to move")
"""Titles of the tables of a network with two; weights are told for the side to move."""
BOTH = "either side to move, weights for the first player"


def ntuple_contents(network: Network) -> Contents:
    """Count the weights as Table 1 of Thill 2012 does, and list the tuples."""
    layout, counts = network.layout, network.counts
    lines = winning_lines(network.geometry)
    parts = tuple(_part(network, number, lines) for number in range(len(layout.tuples)))
    return Contents(
        network.geometry,
        "tuple",
        facts={
            "tuples": len(layout.tuples),
            "readings": layout.slots,
            "tables": network.tables,
            "states_of_a_cell": layout.states,
            "weights": counts.all,
            "realisable_weights": counts.realisable,
            NON_ZERO: counts.non_zero,
            "lines": len(lines),
            "lines_covered": len(lines_seen(layout.tuples, network.geometry, mirror=layout.mirror)),
        },
        columns=COLUMNS,
        parts=parts,
        legend=f"states and their weights ({describe_marks(layout.states)})",
        orders=(HEAVIEST, HIGHEST, LOWEST),
        find_entries=lambda number, page: weighed_states(network, number, page),
    )


def tuple_weights(network: Network, number: int) -> NDArray[np.float32]:
    """Return the weights of a tuple (from 0), float32[tables, states], for the first player."""
    start = int(network.layout.offsets[number])
    size = int(network.layout.sizes[number])
    return network.weights.reshape(network.tables, -1)[:, start : start + size]


def weighed_states(network: Network, number: int, page: Page) -> tuple[Entries, ...]:
    """Return a page of the states of a tuple (from 0) by their weights, for each table."""
    tables = tuple_weights(network, number).astype(np.float64)
    if network.tables == 1:
        return (_entries(BOTH, network, number, tables[0], page),)
    return tuple(
        _entries(title, network, number, sign * weights, page)
        for title, sign, weights in zip(SIDES, (1, -1), tables, strict=True)
    )


def _entries(
    title: str, network: Network, number: int, weights: NDArray[np.float64], page: Page
) -> Entries:
    """List states by weight; of equal ones the lower number comes first, whatever the order."""
    rank = {HEAVIEST: -np.abs(weights), HIGHEST: -weights, LOWEST: weights}[page.order]
    states = page.cut(np.argsort(rank, kind="stable").tolist())
    groups = tuple(_state(network, number, state, float(weights[state])) for state in states)
    return Entries(title, groups, len(weights))


def _state(network: Network, number: int, state: int, weight: float) -> Group:
    held = network.layout.cell_states(number, state)
    marks = tuple(MARKS[cell] for cell in held)
    return Group(f"state {state + 1}", network.layout.tuples[number], marks, weight)


def _part(network: Network, number: int, lines: list[frozenset[Cell]]) -> Part:
    cells = network.layout.tuples[number]
    sizes = np.abs(tuple_weights(network, number))
    return Part(
        number + 1,
        cells,
        {
            "states": int(network.layout.sizes[number]),
            NON_ZERO: int(np.count_nonzero(sizes)),
            "largest": float(sizes.max()),
            "mean": float(sizes.mean(dtype=np.float64)),
            "lines": sum(line <= set(cells) for line in lines),
        },
    )

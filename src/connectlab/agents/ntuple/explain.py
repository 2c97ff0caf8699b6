"""What the tuples of a network see in a position, and how much each says."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Group
from connectlab.agents.ntuple.kernels import read_indices
from connectlab.agents.ntuple.layout import EMPTY, FIRST, REACHABLE, SECOND
from connectlab.agents.ntuple.network import Network, values_of
from connectlab.agents.ntuple.paper_index import cell_state
from connectlab.game import Position
from connectlab.training.measurement import Plain

SHOWN = 25
"""How many readings are told, those with the largest weights."""

MARKS = {EMPTY: "-", FIRST: "X", SECOND: "O", REACHABLE: "+"}
"""How the cells of a tuple are drawn."""


@dataclass(frozen=True)
class Explanation:
    """The parts of an ``Analysis`` that speak of tuples."""

    sentences: tuple[str, ...]
    facts: Mapping[str, Plain]
    groups: tuple[Group, ...]
    legend: str


def explain(network: Network, position: Position, shown: int = SHOWN) -> Explanation:
    """Return the network's view of a position, for the side to move.

    A *reading* is a tuple, or its mirror image, as it finds the board. ``weight_sum`` is the sum of
    the weights of all readings, ``network_value`` the value made of it. Each of the heaviest
    readings is a group: its note has the share of all that is said, which is its weight divided by
    the sum of all weights without their signs.
    """
    sign = 1 if position.first_to_move else -1
    weights = sign * active_weights(network, position)
    said = float(np.abs(weights).sum())
    order = np.argsort(-np.abs(weights), kind="stable")[:shown]
    value = float(values_of(weights.sum(), network.output))
    return Explanation(
        sentences=_sentences(weights, value),
        facts={
            "network_value": value,
            "weight_sum": float(weights.sum()),
            "readings": len(weights),
        },
        groups=tuple(
            _reading(network, position, int(slot), float(weights[slot]), said) for slot in order
        ),
        legend=(
            f"the {len(order)} heaviest of {len(weights)} tuple readings "
            f"({describe_marks(network.layout.states)})"
        ),
    )


def describe_marks(states: int) -> str:
    """Say what the marks mean for a network whose cells have P states."""
    empty = "+ empty and reachable, - empty" if states == 4 else "- empty"
    return f"X first, O second, {empty}"


def _sentences(weights: NDArray[np.float64], value: float) -> tuple[str, ...]:
    """Tell the value of the position itself, and how many readings speak for and against."""
    speaking = weights[weights > 0], weights[weights < 0]
    in_favour, against = (f"{len(w)} (together {w.sum():+.3f})" for w in speaking)
    return (
        f"The network values the position itself at {value:+.3f}.",
        f"Of its {len(weights)} readings {in_favour} speak for the side to move, "
        f"{against} against it.",
    )


def active_weights(network: Network, position: Position) -> NDArray[np.float64]:
    """Return the weight of every slot in a position, float64[slots], for the first player."""
    views = network.views
    index = np.empty(views.slots, dtype=np.uint32)
    first, occupied = np.uint64(position.first_stones), np.uint64(position.occupied)
    read_indices(index, first, occupied, views, network.geometry.shape)
    origin = 0 if position.first_to_move else views.second_table
    active: NDArray[np.float64] = network.weights[origin + index.astype(np.int64)].astype(
        np.float64
    )
    return active


def _reading(network: Network, position: Position, slot: int, weight: float, said: float) -> Group:
    """Describe what one slot looks at and finds there."""
    mirrored, number = divmod(slot, len(network.layout.tuples))
    cells = network.layout.tuples[number]
    if mirrored:
        cells = tuple((network.geometry.columns - 1 - column, row) for column, row in cells)
    share = weight / said if said else 0.0
    return Group(
        f"tuple {number + 1}{', mirrored' if mirrored else ''}",
        cells,
        tuple(MARKS[cell_state(position, cell, network.layout.states)] for cell in cells),
        weight,
        f"{100 * share:+.1f} %",
        part=number + 1,
    )

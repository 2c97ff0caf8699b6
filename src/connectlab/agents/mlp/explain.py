"""Why a network prefers a move: what its hidden neurons say, and which cells each looks at."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Cell, Group
from connectlab.agents.mlp.network import Network
from connectlab.agents.mlp.observation import observe
from connectlab.game import Position
from connectlab.game.notation import column_name
from connectlab.training.measurement import Plain

SHOWN = 12
"""How many neurons are told, those that say most."""
CELLS = 8
"""Cells that are drawn of a neuron, those of the largest weights."""
MARKS = "X and O excite it, x and o inhibit it"

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Explanation:
    """The parts of an ``Analysis`` that speak of neurons."""

    sentences: tuple[str, ...]
    facts: Mapping[str, Plain]
    groups: tuple[Group, ...]
    legend: str


@dataclass(frozen=True)
class Choice:
    """The best column beside the others, and what each hidden neuron says to it."""

    column: int
    value: float
    """V after it."""
    others: float | None
    """V of the best other column; None if there is none."""
    voices: Vector
    """float64[hidden]: how much more each neuron adds to the output's potential after this move
    than on average after the other moves (than before the move, if there is no other)."""


def explain(network: Network, position: Position, values: Mapping[int, float]) -> Explanation:
    """Tell why the column of the highest V is preferred; ``values`` has V of each playable one.

    The *voice* of a hidden neuron is its output weight times the difference that the best move
    makes to its output, compared with the mean over the other moves: all voices together are the
    difference of the potentials of the output neuron.
    """
    choice = _choice(network, position, values)
    said = float(np.abs(choice.voices).sum())
    order = np.argsort(-np.abs(choice.voices), kind="stable")[:SHOWN].tolist()
    groups = tuple(_voice(network, position, choice, neuron, said) for neuron in order)
    if network.geometry.variant.counts:  # nobody knows where the stones are
        groups = ()
    return Explanation(
        _sentences(position, choice),
        {
            "hidden": network.hidden,
            "V": choice.value,
            "lead_in_potential": float(choice.voices.sum()),
        },
        groups,
        f"the {len(groups)} of {network.hidden} hidden neurons that say most to column "
        f"{column_name(choice.column, position.geometry)}, each with the stones after that move "
        f"which weigh most in it ({MARKS})"
        if groups
        else "",
    )


def inputs_after(network: Network, position: Position, column: int | None) -> Vector:
    """Return the inputs in the view of the side to move, float64[inputs], once it has moved.

    Without a column they are those before the move.
    """
    if network.geometry.variant.counts:
        return _counted(network, position, column)
    if column is None:
        return inputs_of(network, position.mover, position.opponent)
    after = position.play(column)
    return inputs_of(network, after.opponent, after.mover)


def inputs_of(network: Network, own: int, other: int) -> Vector:
    """Return the inputs for these stones, float64[inputs] of 0 and 1."""
    places, inputs = network.brain.places, np.zeros(network.inputs)
    for bits, bit in ((other, 0), (own, 1)):
        cells = [place for place in range(len(places)) if bits >> place & 1]
        inputs[2 * places[cells] + bit] = 1
    return inputs


def _counted(network: Network, position: Position, column: int | None) -> Vector:
    """Return what is seen before a move, and the column that is chosen."""
    shape, inputs = network.geometry.shape, np.zeros(network.inputs, dtype=np.float32)
    observe(np.uint64(position.mover), np.uint64(position.occupied), shape, inputs)
    if column is not None:
        inputs[2 * (shape.connect + column) + 1] = 1
    return inputs.astype(np.float64)


def hidden_outputs(network: Network, inputs: Vector) -> Vector:
    """Return the outputs of the hidden layer, float64[hidden]."""
    arrays = network.arrays
    potentials = inputs @ arrays["inputs"].astype(np.float64) - arrays["thresholds"]
    outputs: Vector = 1 / (1 + np.exp(-potentials))
    return outputs


def _choice(network: Network, position: Position, values: Mapping[int, float]) -> Choice:
    """Compare the column of the highest V, the leftmost of equals, with the others."""
    best = max(values, key=lambda column: (values[column], -column))
    outputs = {column: _after(network, position, column) for column in values}
    others = [column for column in values if column != best]
    if others:
        beside = np.mean([outputs[column] for column in others], axis=0)
    else:
        beside = _after(network, position, None)
    weights = network.arrays["outputs"].astype(np.float64)
    second = max((values[column] for column in others), default=None)
    return Choice(best, values[best], second, weights * (outputs[best] - beside))


def _after(network: Network, position: Position, column: int | None) -> Vector:
    """Return the hidden outputs after a move, in the view of the player who made it."""
    return hidden_outputs(network, inputs_after(network, position, column))


def _sentences(position: Position, choice: Choice) -> tuple[str, ...]:
    name = column_name(choice.column, position.geometry)
    preferred = f"V, the discounted chance to win, is {choice.value:.3f} after column {name}"
    if choice.others is None:
        return (f"{preferred}, the only one with room.",)
    voices = choice.voices
    speaking = voices[voices > 0], voices[voices < 0]
    in_favour, against = (f"{len(v)} (together {v.sum():+.3f})" for v in speaking)
    return (
        f"{preferred}, and {choice.others:.3f} at most after any other.",
        f"Of its {len(voices)} hidden neurons {in_favour} speak for column {name} rather than "
        f"for the others, {against} against it.",
    )


def strongest_cells(
    network: Network, neuron: int, inputs: Vector, *, own: str = "X", top: int = CELLS
) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """Return the cells of a neuron's largest weights among these inputs, and their marks.

    Each cell comes once, with the stone that matters more there. ``own`` is the letter of the
    player who values; a small letter is a stone that lowers the neuron's potential.
    """
    weights = network.arrays["inputs"][:, neuron] * inputs
    of_cells = np.abs(weights).reshape(-1, 2)
    order = np.argsort(-of_cells.max(axis=1), kind="stable")[:top]
    strongest = [int(2 * place + of_cells[place].argmax()) for place in order]
    shown = [number for number in strongest if weights[number]]
    letters = ("O" if own == "X" else "X", own)
    marks = (letters[n % 2] if weights[n] > 0 else letters[n % 2].lower() for n in shown)
    return tuple(_cell(network, number // 2) for number in shown), tuple(marks)


def _cell(network: Network, place: int) -> Cell:
    """Return column and row of a cell that is counted from the upper left."""
    above, column = divmod(place, network.geometry.columns)
    return column, network.geometry.rows - 1 - above


def _voice(network: Network, position: Position, choice: Choice, neuron: int, said: float) -> Group:
    inputs = inputs_after(network, position, choice.column)
    own = "X" if position.first_to_move else "O"
    cells, marks = strongest_cells(network, neuron, inputs, own=own)
    weight = float(choice.voices[neuron])
    share = weight / said if said else 0.0
    return Group(f"neuron {neuron + 1}", cells, marks, weight, f"{100 * share:+.1f} %", neuron + 1)

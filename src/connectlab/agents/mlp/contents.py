"""What a multi-layer perceptron is made of: its hidden neurons and what excites each of them."""

import numpy as np

from connectlab.agents.analysis import Group
from connectlab.agents.contents import Contents, Entries, Page, Part
from connectlab.agents.mlp.explain import MARKS, strongest_cells
from connectlab.agents.mlp.network import Network

COLUMNS = {
    "output_weight": "its weight in the output: above 0 it speaks for a win",
    "strength": "the same without its sign",
    "threshold": "what its inputs must sum up to for an output of 1/2",
    "largest": "largest input weight, without its sign",
    "mean": "mean of its input weights, without their signs",
}


def mlp_contents(network: Network) -> Contents:
    """Count the weights and list the hidden neurons."""
    arrays = network.arrays
    return Contents(
        network.geometry,
        "neuron",
        facts={
            "inputs": network.inputs,
            "hidden": network.hidden,
            "weights": network.hidden * (network.inputs + 1),
            "thresholds": network.hidden + 1,
            "output_threshold": float(arrays["output_threshold"][0]),
            "speak_for_a_win": int((arrays["outputs"] > 0).sum()),
        },
        columns=COLUMNS,
        parts=tuple(_part(network, neuron) for neuron in range(network.hidden)),
        legend=f"the input weights of its cells; X is the player who has just moved ({MARKS})",
        find_entries=lambda neuron, page: strongest_inputs(network, neuron, page),
    )


def strongest_inputs(network: Network, neuron: int, page: Page) -> tuple[Entries, ...]:
    """List the input weights of a neuron (from 0) that excite it, and those that inhibit it."""
    if network.geometry.variant.counts:
        return ()  # its inputs are no cells
    weights = network.arrays["inputs"][:, neuron]
    order = np.argsort(-weights, kind="stable").tolist()
    excite = [i for i in order if weights[i] > 0]
    inhibit = [i for i in reversed(order) if weights[i] < 0]
    return tuple(
        Entries(title, tuple(_input(network, neuron, i) for i in page.cut(inputs)), len(inputs))
        for title, inputs in (("excite it", excite), ("inhibit it", inhibit))
    )


def _input(network: Network, neuron: int, number: int) -> Group:
    weight = float(network.arrays["inputs"][number, neuron])
    above, column = divmod(number // 2, network.geometry.columns)
    letter = "X" if number % 2 else "O"
    mark = letter if weight > 0 else letter.lower()
    cell = column, network.geometry.rows - 1 - above
    return Group(f"input {number + 1}", (cell,), (mark,), weight)


def _part(network: Network, neuron: int) -> Part:
    arrays = network.arrays
    sizes = np.abs(arrays["inputs"][:, neuron])
    weight = float(arrays["outputs"][neuron])
    seen = not network.geometry.variant.counts
    return Part(
        neuron + 1,
        strongest_cells(network, neuron, np.ones(network.inputs))[0] if seen else (),
        {
            "output_weight": weight,
            "strength": abs(weight),
            "threshold": float(arrays["thresholds"][neuron]),
            "largest": float(sizes.max()),
            "mean": float(sizes.mean(dtype=np.float64)),
        },
    )

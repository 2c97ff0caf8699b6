"""What a network of move values is made of: its layers, and the filters of the first one."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Cell, Group
from connectlab.agents.contents import Contents, Entries, Page, Part
from connectlab.agents.dqn.network import KERNEL, PLANES, Network

COLUMNS = {
    "inputs": "features or neurons coming in",
    "outputs": "features or neurons going out",
    "weights": "weights, biases included",
    "mean": "mean of its weights, without their signs",
    "largest": "largest weight, without its sign",
    "dead": "outputs whose weights and bias are all too small to matter",
}
LEGEND = (
    "filters of the first convolution as boards of 3x3 cells: what each cell likes best "
    "(. free, X a stone of the first plane of stones, O of the second)"
)
MARKS = ".XO"
SMALL = 1e-3
"""Weights below this share of a layer's largest do not matter."""


def dqn_contents(network: Network) -> Contents:
    """Count the weights and list the layers."""
    names = [name for name in network.layers if not name.endswith("_bias")]
    header = network.header
    return Contents(
        network.geometry,
        "layer",
        facts={
            "weights": sum(int(array.size) for array in network.arrays.values()),
            "convolutions": header.layers,
            "channels": header.channels,
            "padding": header.padding,
            "hidden_layers": header.hidden_layers,
            "hidden": header.hidden,
            "planes": header.planes,
            "dueling": header.dueling,
            "stored_as": str(next(iter(network.arrays.values())).dtype),
            "reward_win": header.reward_win,
        },
        columns=COLUMNS,
        parts=tuple(_part(network, number, name) for number, name in enumerate(names, start=1)),
        legend=LEGEND,
        find_entries=lambda layer, page: _filters(network, page) if layer == 0 else (),
    )


def _part(network: Network, number: int, name: str) -> Part:
    weights, bias = network.layers[name], network.layers[f"{name}_bias"]
    sizes = np.abs(weights.reshape(-1, weights.shape[-1]))
    reach = np.maximum(sizes.max(axis=0), np.abs(bias))
    return Part(
        number,
        (),
        {
            "inputs": weights.shape[-2],
            "outputs": weights.shape[-1],
            "weights": weights.size + bias.size,
            "mean": float(sizes.mean(dtype=np.float64)),
            "largest": float(sizes.max()),
            "dead": int(np.count_nonzero(reach < SMALL * reach.max())),
        },
    )


def _filters(network: Network, page: Page) -> tuple[Entries, ...]:
    """List the filters by how well they tell cells apart: the spread of their weights."""
    kernels = network.layers["conv1"]
    spread = kernels.std(axis=2).sum(axis=(0, 1))
    order = np.argsort(-spread, kind="stable").tolist()
    groups = tuple(_filter(network, number) for number in page.cut(order))
    return (Entries("largest filters", groups, len(order)),)


def _filter(network: Network, number: int) -> Group:
    kernel = network.layers["conv1"][..., number]
    cells, marks = _likes(kernel, network.geometry.columns, network.geometry.rows)
    bias = float(network.layers["conv1_bias"][number])
    return Group(f"filter {number + 1}", cells, marks, float(kernel.sum()), f"bias {bias:+.3f}")


def _likes(
    kernel: NDArray[np.float32], columns: int, rows: int
) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """Return the cells of a filter at the lower left of the board, and what each likes best."""
    assert kernel.shape == (KERNEL, KERNEL, PLANES)
    cells = [
        (column, KERNEL - 1 - above)
        for above in range(KERNEL)
        for column in range(KERNEL)
        if column < columns and KERNEL - 1 - above < rows
    ]
    best = [int(kernel[KERNEL - 1 - row, column].argmax()) for column, row in cells]
    return tuple(cells), tuple(MARKS[plane] for plane in best)

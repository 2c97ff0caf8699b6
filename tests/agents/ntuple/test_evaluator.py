"""Values in fixed point: as fine as they can be, and never beyond their limit."""

from collections.abc import Callable

import numpy as np
import pytest
from small_networks import random_network

from connectlab.agents.ntuple.evaluator import SUM_LIMIT, Evaluator
from connectlab.agents.ntuple.network import Network


def network_with(first: float, second: float) -> Network:
    """A network whose tables, one for each side to move, have weights of different sizes."""
    network = random_network()
    half = len(network.weights) // 2
    network.weights[:half] *= first
    network.weights[half:] *= second
    return network


def largest_sum(network: Network, weights: np.ndarray) -> int:
    """The greatest sum over the slots of any position, if every state were its tuple's largest."""
    layout = network.layout
    greatest = 0
    for table in np.abs(weights.astype(np.int64)).reshape(network.tables, -1):
        tuples = np.split(table, layout.offsets[1:])
        both_sides = layout.slots // len(layout.tuples)
        greatest = max(greatest, both_sides * sum(int(states.max()) for states in tuples))
    return greatest


@pytest.mark.parametrize(("first", "second"), [(1, 1), (1, 1000), (1000, 1), (1e-6, 1e4)])
def test_no_sum_of_either_table_can_leave_its_limit(first: float, second: float) -> None:
    network = network_with(first, second)
    evaluator = Evaluator.of(network)
    assert largest_sum(network, evaluator.brain.weights) <= SUM_LIMIT
    rounded = evaluator.brain.weights / evaluator.scale
    assert np.abs(rounded - network.weights).max() <= 0.5 / evaluator.scale


@pytest.mark.parametrize(("first", "second"), [(1, 1000), (1000, 1)])
def test_the_scale_is_not_coarser_than_the_larger_table_needs(first: float, second: float) -> None:
    network = network_with(first, second)
    assert largest_sum(network, Evaluator.of(network).brain.weights) > SUM_LIMIT / 4


@pytest.mark.parametrize(("output", "expected"), [("tanh", np.tanh), ("linear", lambda f: f)])
def test_people_are_told_values_by_the_output_of_the_network(
    output: str, expected: Callable[[float], float]
) -> None:
    evaluator = Evaluator.of(random_network(output=output))
    for total in (-0.9, 0.0, 0.4):
        value = round(total * evaluator.scale)
        assert evaluator.readable(value, 7) == pytest.approx(expected(total), abs=1e-6)
        assert evaluator.bounded(np.array([value])) == pytest.approx(expected(total), abs=1e-6)
    beyond = np.array([3, -3]) * round(evaluator.scale)
    assert np.abs(evaluator.bounded(beyond)).max() <= 1

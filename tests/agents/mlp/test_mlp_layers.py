"""The layers: the logistic function, and potentials that are carried along from move to move."""

import numpy as np
import pytest
from naive_mc import encode

from connectlab.agents.mlp.config import MLPConfig
from connectlab.agents.mlp.layers import (
    LANES,
    feed_forward,
    logistic,
    move_stones,
    padded,
    potential_with,
    rest,
    value_of,
)
from connectlab.agents.mlp.network import Network
from connectlab.agents.mlp.play import read_board
from connectlab.game import Geometry, Position
from naive import to_cells

BOARDS = [Geometry(), Geometry(4, 4, 3), Geometry(9, 5, 4), Geometry(1, 6, 4)]


def exact(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x.astype(np.float64))))


def test_the_logistic_function_is_exact_to_three_ten_millionths() -> None:
    x = np.linspace(-40, 40, 20_001).astype(np.float32)
    found = np.array([logistic(value) for value in x])
    assert np.abs(found - exact(x)).max() < 3e-7
    assert logistic(np.float32(0)) == 0.5


def test_a_layer_computes_the_logistic_function_of_each_neuron() -> None:
    """Whole registers at a time: not one lane may differ from the function called alone."""
    network = Network.create(MLPConfig(hidden=70))
    hidden = np.linspace(-20, 20, padded(70)).astype(np.float32)
    outputs = np.empty_like(hidden)
    potential = feed_forward(hidden, network.parameters, outputs)
    assert outputs == pytest.approx(exact(hidden), abs=3e-7)
    arrays = network.arrays
    total = exact(hidden[:70]) @ arrays["outputs"].astype(np.float64)
    assert potential == pytest.approx(total - arrays["output_threshold"][0], abs=1e-5)


@pytest.mark.parametrize("hidden", [1, 31, 32, 33, 250])
def test_a_width_is_the_next_multiple_of_the_lanes(hidden: int) -> None:
    width = padded(hidden)
    assert width % LANES == 0
    assert 0 <= width - hidden < LANES


def position_after(plies: int, geometry: Geometry, rng: np.random.Generator) -> Position:
    position = Position(geometry)
    while position.ply < plies and not position.is_over:
        position = position.play(int(rng.choice(position.legal_columns)))
    return position


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_potentials_carried_along_equal_the_full_product(geometry: Geometry) -> None:
    board = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    network = Network.create(MLPConfig.model_validate({**board, "hidden": 20}))
    brain, arrays = network.brain, network.arrays
    rng = np.random.default_rng(3)
    for plies in range(geometry.cells):
        position = position_after(plies, geometry, rng)
        own, other = np.uint64(position.mover), np.uint64(position.opponent)
        hidden = np.empty(padded(20), dtype=np.float32)
        read_board(own, other, hidden, brain)
        sets = (to_cells(int(bits), geometry.columns, geometry.rows) for bits in (own, other))
        s = np.array(encode(*sets, geometry.columns, geometry.rows))
        full = s @ arrays["inputs"].astype(np.float64) - arrays["thresholds"]
        assert hidden[:20] == pytest.approx(full, abs=3e-6)
        assert not hidden[20:].any()


def test_one_more_stone_costs_one_row() -> None:
    network = Network.create(MLPConfig(hidden=40))
    table = network.parameters
    hidden, outputs = np.empty((2, padded(40)), dtype=np.float32)
    rest(hidden, table)
    carried = potential_with(hidden, table, 7)
    hidden += table[7]
    assert carried == pytest.approx(feed_forward(hidden, table, outputs), abs=1e-5)


def test_stones_that_are_taken_away_leave_nothing_behind() -> None:
    network = Network.create(MLPConfig(hidden=8))
    brain = network.brain
    hidden, start = np.empty((2, padded(8)), dtype=np.float32)
    rest(start, brain.parameters)
    rest(hidden, brain.parameters)
    stones = np.uint64(0b1011), np.uint64(0)
    for before, after in (stones[::-1], stones):
        move_stones(hidden, brain.parameters, before, after, brain.places, 1)
        assert np.abs(hidden - start).max() > 0.1 or after == 0
    assert hidden == pytest.approx(start, abs=1e-6)


def test_the_value_is_the_chance_that_belongs_to_a_potential() -> None:
    assert value_of(np.float32(0)) == 0.5
    assert value_of(np.float32(2)) == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert 0 <= value_of(np.float32(-300)) < 1e-100
    assert value_of(np.float32(300)) == 1

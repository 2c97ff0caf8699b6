"""Lessons: a network comes to play what it is told, by the step that costs least."""

import numpy as np
import pytest
from numpy.typing import NDArray
from small_networks import random_network, random_positions

from connectlab.agents.ntuple.kernels import total_many
from connectlab.agents.ntuple.lessons import UNREAD, Lessons, add_burden
from connectlab.agents.ntuple.network import Network
from connectlab.game import Geometry, Position, PositionBatch

SMALL = Geometry(4, 4, 3)
MARGIN = 0.1
Vector = NDArray[np.float64]


def features(network: Network, positions: list[Position]) -> NDArray[np.float64]:
    """How often each position reads each weight, found by giving one weight at a time the value 1:
    float64[positions, weights].
    """
    batch, shape = PositionBatch.of(positions), network.geometry.shape
    found = np.zeros((len(positions), len(network.weights)))
    for weight in range(len(network.weights)):
        alone = np.zeros(len(network.weights), np.float32)
        alone[weight] = 1
        totals = np.empty(len(positions), np.float32)
        total_many(batch.mover, batch.occupied, alone, network.views, shape, totals)
        found[:, weight] = totals
    return found


def first_to_move(n: int, seed: int) -> list[Position]:
    """Positions in which the first player has a choice and does not win at once."""
    found = [
        position
        for position in random_positions(SMALL, 20 * n, seed=seed)
        if position.ply % 2 == 0
        and len(position.legal_columns) > 1
        and not any(position.play(c).is_over for c in position.legal_columns)
    ]
    return found[:n]


def told(positions: list[Position], right: list[int]) -> NDArray[np.bool_]:
    """One right column for each position."""
    holds = np.zeros((len(positions), SMALL.columns), np.bool_)
    holds[np.arange(len(positions)), right] = True
    return holds


def best_columns(network: Network, position: Position) -> NDArray[np.bool_]:
    """The columns that a network would play: two where a board mirrors itself."""
    after = [position.play(column) for column in position.legal_columns]
    values = network.first_player_values(PositionBatch.of(after))
    best = np.zeros(SMALL.columns, np.bool_)
    best[list(position.legal_columns)] = values > values.max() - 1e-5
    return best


@pytest.fixture
def network() -> Network:
    return random_network(SMALL, tuples=4, length=4)


def flat(network: Network) -> NDArray[np.float32]:
    return np.zeros(len(network.weights), np.float32)


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_the_least_by_what_weights_carry(network: Network, seed: int) -> None:
    """Where there are two moves one step is enough, and the formula says which."""
    position = next(p for p in first_to_move(400, seed) if len(p.legal_columns) == 2)
    x = features(network, [position.play(column) for column in position.legal_columns])
    before = network.weights.astype(np.float64)
    worse = int(np.argmin(x @ before))
    burden = np.random.default_rng(seed).uniform(0, 5, len(before)).astype(np.float32)
    lessons = Lessons(network)
    lessons.add(PositionBatch.of([position]), told([position], [position.legal_columns[worse]]))
    assert lessons.learn(burden, MARGIN, seed=0) == 1
    difference, ease = x[worse] - x[1 - worse], 1 / (UNREAD + burden.astype(np.float64))
    step = (MARGIN - difference @ before) * difference * ease / (difference**2 @ ease)
    assert np.abs(step).max() > 0.01
    assert network.weights == pytest.approx(before + step, abs=1e-3)  # float16 in the end
    assert difference @ network.weights == pytest.approx(MARGIN, abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_a_network_learns_to_play_as_another_does(seed: int) -> None:
    teacher = random_network(SMALL, tuples=8, length=5, seed=seed + 10)
    pupil = random_network(SMALL, tuples=8, length=5, seed=seed)
    positions = first_to_move(60, seed)
    right = np.array([best_columns(teacher, position) for position in positions])
    lessons = Lessons(pupil)
    lessons.add(PositionBatch.of(positions[:10]), right[:10])
    lessons.add(PositionBatch.of(positions[10:]), right[10:])
    assert len(lessons) == len(positions)
    margin = 0.02
    assert lessons.kept(margin) < 0.8 * len(positions)
    assert lessons.learn(flat(pupil), margin, seed) > 0
    assert lessons.kept(margin) == len(positions)
    played = np.array([best_columns(pupil, position) for position in positions])
    assert not (played & ~right).any()
    assert (pupil.weights == pupil.weights.astype(np.float16)).all()


def test_a_lesson_that_is_kept_changes_nothing(network: Network) -> None:
    positions = first_to_move(1, 2)
    after = [positions[0].play(column) for column in positions[0].legal_columns]
    best = int(np.argmax(features(network, after) @ network.weights))
    lessons = Lessons(network)
    lessons.add(PositionBatch.of(positions), told(positions, [positions[0].legal_columns[best]]))
    before = network.weights.copy()
    assert lessons.learn(flat(network), 1e-6, seed=0) == 0
    assert np.array_equal(network.weights, before.astype(np.float16))


def test_a_lesson_without_a_right_or_a_wrong_move_asks_for_nothing(network: Network) -> None:
    positions = first_to_move(2, 3)
    holds = np.array([position.ply >= 0 for position in positions])[:, None].repeat(4, axis=1)
    holds[1] = False
    lessons = Lessons(network)
    lessons.add(PositionBatch.of(positions), holds)
    assert lessons.kept(MARGIN) == 2
    assert lessons.learn(flat(network), MARGIN, seed=0) == 0


def test_a_weight_that_carries_much_moves_little(network: Network) -> None:
    positions = first_to_move(1, 4)
    after = [positions[0].play(column) for column in positions[0].legal_columns]
    x = features(network, after)
    worst = int(np.argmin(x @ network.weights))
    read = np.flatnonzero(
        x[worst] > x.max(axis=0, where=(np.arange(len(x)) != worst)[:, None], initial=0)
    )
    burden = flat(network)
    burden[read[0]] = 1000
    before = network.weights.copy()
    lessons = Lessons(network)
    lessons.add(PositionBatch.of(positions), told(positions, [positions[0].legal_columns[worst]]))
    lessons.learn(burden, 1.0, seed=0)
    moved = np.abs(network.weights - before)
    assert moved[read[0]] < 0.01 * moved[read[1:]].min()


def test_close_decisions_are_counted_as_by_hand(network: Network) -> None:
    near, positions = 0.5, first_to_move(12, 5)
    expected = np.zeros(len(network.weights))
    for position in positions:
        x = features(network, [position.play(column) for column in position.legal_columns])
        totals = x @ network.weights
        order = np.argsort(-totals)
        behind = totals[order[0]] - totals
        behind[order[0]] = totals[order[0]] - totals[order[1]]
        expected += np.maximum(0, 1 - behind / near) @ x
    burden = flat(network)
    add_burden(network, PositionBatch.of(positions), near, burden)
    assert expected.max() > 1
    assert burden == pytest.approx(expected, abs=1e-4)


def test_a_winning_move_is_no_decision(network: Network) -> None:
    position = Position.from_moves("112233"[:4], SMALL)  # 3 wins along the bottom
    assert position.play(2).is_over
    burden = flat(network)
    add_burden(network, PositionBatch.of([position]), 100.0, burden)
    assert not burden.any()


@pytest.mark.parametrize("seed", range(4))
def test_a_right_move_that_cannot_be_told_from_a_wrong_one_gives_way_to_another(seed: int) -> None:
    """On the empty board the outer columns look alike, and so do the inner ones."""
    network = random_network(SMALL, tuples=4, length=4, seed=seed)
    empty = [Position(SMALL)]
    outer = {0, 3} if best_columns(network, empty[0])[0] else {1, 2}
    holds = np.ones((1, SMALL.columns), np.bool_)
    holds[0, max(outer)] = False
    lessons = Lessons(network)
    lessons.add(PositionBatch.of(empty), holds)
    assert lessons.kept(MARGIN) == 0
    assert lessons.learn(flat(network), MARGIN, seed) == 1
    assert lessons.kept(MARGIN) == 1
    assert not best_columns(network, empty[0])[list(outer)].any()


def test_moves_that_look_alike_stay_equal(network: Network) -> None:
    empty = [Position(SMALL)]
    holds = np.array([[True, True, False, False]])
    lessons = Lessons(network)
    lessons.add(PositionBatch.of(empty), holds)
    before = network.weights.copy()
    steps = lessons.learn(flat(network), MARGIN, seed=0)
    assert lessons.kept(MARGIN) == 0
    assert steps > 0 or np.array_equal(network.weights, before.astype(np.float16))

"""The compiled search finds the values of plain minimax, only sooner.

Depths count the plies beyond the own move, as those of the kernels do.
"""

from functools import cache

import numpy as np
import pytest
from small_networks import random_network, random_positions, wins_of

from connectlab.agents.ntuple.evaluator import WON, Evaluator, make_memory
from connectlab.agents.ntuple.explain import active_weights
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.search import search_root
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch

SMALL = Geometry(4, 4, 3)
BOARDS = [STANDARD, SMALL, Geometry(5, 4, 4), Geometry(3, 5, 3), Geometry(8, 7, 5), Geometry(3, 3)]


class Plain:
    """Minimax as the module describes it, without pruning, table or bits."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.scale = Evaluator.of(network).scale

    def column_values(self, position: Position, depth: int) -> list[float]:
        children = [position.play(column) for column in position.legal_columns]
        if depth == 0:
            return [-(self.ended(c) if c.is_over else self.leaf(c)) for c in children]
        return [-self.value(child, depth) for child in children]

    def value(self, position: Position, depth: int) -> float:
        if position.is_over:
            return self.ended(position)
        if wins_of(position, position.mover):
            return WON - (position.ply + 1)
        threats = wins_of(position, position.opponent)
        if len(threats) > 1:
            return position.ply + 2 - WON
        if threats:
            return -self.value(position.play(threats[0]), depth)
        if depth == 0:
            return self.leaf(position)
        return max(-self.value(position.play(c), depth - 1) for c in position.legal_columns)

    def ended(self, position: Position) -> float:
        return 0 if position.outcome is Outcome.DRAW else position.ply - WON

    def leaf(self, position: Position) -> float:
        sign = 1 if position.first_to_move else -1
        rounded = np.rint(active_weights(self.network, position) * self.scale)
        return sign * float(rounded.sum())


@cache
def network_for(geometry: Geometry, tables: int = 2, states: int = 4) -> Network:
    return random_network(geometry, tables=tables, states=states)


def searched(evaluator: Evaluator, position: Position, depth: int) -> list[int]:
    values = np.zeros(position.geometry.columns, dtype=np.int64)
    mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    memory = make_memory(evaluator.brain, depth)
    search_root(mover, occupied, depth, True, evaluator.brain, memory, values)
    return values[: len(position.legal_columns)].tolist()


def best_columns(evaluator: Evaluator, position: Position, depth: int, *, exact: bool) -> int:
    values = np.zeros(position.geometry.columns, dtype=np.int64)
    mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    memory = make_memory(evaluator.brain, depth)
    return int(search_root(mover, occupied, depth, exact, evaluator.brain, memory, values))


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_values_are_those_of_plain_minimax(geometry: Geometry, depth: int) -> None:
    network = network_for(geometry)
    plain, evaluator = Plain(network), Evaluator.of(network)
    many = geometry.columns < 6 or depth < 2
    for position in random_positions(geometry, 20 if many else 12 // depth**2, seed=depth):
        assert searched(evaluator, position, depth) == plain.column_values(position, depth)


@pytest.mark.parametrize("depth", [4, 5, 9, 16])
def test_deep_values_are_those_of_plain_minimax(depth: int) -> None:
    network = network_for(SMALL)
    plain, evaluator = Plain(network), Evaluator.of(network)
    late = [p for p in random_positions(SMALL, 60, seed=depth) if p.ply > 3]
    for position in late[:10]:
        assert searched(evaluator, position, depth) == plain.column_values(position, depth)


@pytest.mark.parametrize(("tables", "states"), [(1, 4), (2, 3), (1, 3)])
def test_other_kinds_of_network_are_read_rightly(tables: int, states: int) -> None:
    network = network_for(STANDARD, tables, states)
    plain, evaluator = Plain(network), Evaluator.of(network)
    for position in random_positions(STANDARD, 15, seed=7):
        assert searched(evaluator, position, 2) == plain.column_values(position, 2)


def test_a_network_is_read_in_fixed_point_without_loss_that_matters() -> None:
    network = network_for(STANDARD)
    evaluator = Evaluator.of(network)
    for position in random_positions(STANDARD, 20):
        children = [position.play(c) for c in position.legal_columns]
        sign = 1 if position.first_to_move else -1
        values = sign * network.first_player_values(PositionBatch.of(children))
        for child, value, fixed in zip(
            children, values, searched(evaluator, position, 0), strict=True
        ):
            if not child.is_over:
                assert evaluator.readable(fixed, position.ply) == pytest.approx(value, abs=1e-5)


def test_huge_weights_do_not_overflow() -> None:
    network = network_for(STANDARD)
    huge = Network(network.layout, network.tables, network.weights * np.float32(1e9))
    evaluator = Evaluator.of(huge)
    for position in random_positions(STANDARD, 20):
        values = searched(evaluator, position, 0)
        sign = 1 if position.first_to_move else -1
        for column, value in zip(position.legal_columns, values, strict=True):
            child = position.play(column)
            if not child.is_over:
                f = sign * active_weights(huge, child).sum() * evaluator.scale
                assert value == pytest.approx(f, abs=2 * network.layout.slots)


@pytest.mark.parametrize("depth", [1, 2, 4, 6])
def test_pruning_keeps_every_best_column(depth: int) -> None:
    evaluator = Evaluator.of(network_for(STANDARD))
    for position in [Position(), *random_positions(STANDARD, 15, seed=depth)]:
        pruned = best_columns(evaluator, position, depth, exact=False)
        assert pruned == best_columns(evaluator, position, depth, exact=True) != 0


def test_pruning_saves_nodes() -> None:
    evaluator = Evaluator.of(network_for(STANDARD))
    nodes = []
    for exact in (False, True):
        memory = make_memory(evaluator.brain, 6)
        values = np.zeros(7, dtype=np.int64)
        for position in random_positions(STANDARD, 10, seed=5):
            mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
            search_root(mover, occupied, 6, exact, evaluator.brain, memory, values)
        nodes.append(int(memory.nodes[0]))
    assert 0 < nodes[0] < nodes[1]


def test_the_table_changes_no_value() -> None:
    """Searches that share a memory find what fresh ones find."""
    evaluator = Evaluator.of(network_for(STANDARD))
    shared = make_memory(evaluator.brain, 5)
    for position in random_positions(STANDARD, 12, seed=9):
        for depth in (5, 4, 5):
            values = np.zeros(7, dtype=np.int64)
            mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
            search_root(mover, occupied, depth, True, evaluator.brain, shared, values)
            fresh = searched(evaluator, position, depth)
            assert values[: len(fresh)].tolist() == fresh


def test_a_sooner_win_is_valued_higher_and_any_win_above_any_sum() -> None:
    evaluator = Evaluator.of(network_for(STANDARD))
    now, later = WON - 10, WON - 12
    values = [
        evaluator.readable(value, 9) for value in (now, later, 1 << 29, 0, -(1 << 29), -later, -now)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(1.99)
    assert values[3] == 0
    assert max(values[2], -values[4]) < 1.3 < values[1]
    assert [Evaluator.plies_to_end(value, 9) for value in (now, -later, 5)] == [1, 3, None]

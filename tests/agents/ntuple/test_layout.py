"""How boards become indices, against indices found the obvious way."""

from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from greedy import greedy_columns
from naive_td import Grid, NaiveLearner, NaiveRule
from numpy.typing import NDArray

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.kernels import (
    make_key,
    make_views,
    move_indices,
    move_key,
    read_indices,
)
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.tuples import create_tuples
from connectlab.agents.settings import AgentError
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch

TINY = Geometry(3, 3, 3)
MODES = [(3, False), (3, True), (4, False), (4, True)]


def layout_of(geometry: Geometry, states: int, mirror: bool, kind: str = "walk") -> Layout:
    length = min(5, geometry.cells)
    return Layout(geometry, create_tuples(kind, 6, length, geometry, 1), states, mirror)


def reader_of(layout: Layout) -> NaiveLearner:
    """A naive learner, for what it sees of a board."""
    geometry = layout.geometry
    board = geometry.columns, geometry.rows, geometry.connect
    rule = NaiveRule("fixed", 0.0, np.zeros((0, 0)))
    return NaiveLearner(*board, layout.tuples, layout.states, 1, layout.mirror, np.zeros(0), rule)


def grid_of(position: Position) -> Grid:
    geometry = position.geometry
    grid = [[0] * geometry.rows for _ in range(geometry.columns)]
    first, occupied = map(int, first_stones(position))
    for column, row in product(range(geometry.columns), range(geometry.rows)):
        bit = 1 << (column * (geometry.rows + 1) + row)
        if occupied & bit:
            grid[column][row] = 1 if first & bit else 2
    return tuple(tuple(column) for column in grid)


@cache
def all_positions(geometry: Geometry) -> list[Position]:
    """Every position that play can reach, the finished ones too."""
    found = {Position(geometry): None}
    for position in (pending := list(found)):
        if position.outcome is Outcome.ONGOING:
            for column in position.legal_columns:
                child = position.play(column)
                if child not in found:
                    found[child] = None
                    pending.append(child)
    return list(found)


def random_game(geometry: Geometry, seed: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    positions = [Position(geometry)]
    while positions[-1].outcome is Outcome.ONGOING:
        positions.append(positions[-1].play(int(rng.choice(positions[-1].legal_columns))))
    return positions


def first_stones(position: Position) -> tuple[np.uint64, np.uint64]:
    first = position.mover if position.first_to_move else position.mover ^ position.occupied
    return np.uint64(first), np.uint64(position.occupied)


def indices_of(layout: Layout, position: Position) -> NDArray[np.uint32]:
    index = np.empty(layout.slots, dtype=np.uint32)
    shape = layout.geometry.shape
    read_indices(index, *first_stones(position), make_views(layout, 1), shape)
    return index


@pytest.mark.parametrize(("states", "mirror"), MODES)
def test_every_reachable_board_is_read_as_it_looks(states: int, mirror: bool) -> None:
    layout = layout_of(TINY, states, mirror)
    reader, views = reader_of(layout), make_views(layout, 1)
    index = np.empty(layout.slots, dtype=np.uint32)
    positions = all_positions(TINY)
    assert len(positions) > 500
    for position in positions:
        read_indices(index, *first_stones(position), views, TINY.shape)
        grid = grid_of(position)
        for slot, found in enumerate(index):
            number = slot % len(layout.tuples)
            seen_grid = grid if slot < len(layout.tuples) else grid[::-1]
            state = int(found) - int(layout.offsets[number])
            assert 0 <= state < layout.sizes[number]
            seen = tuple(reader.seen(cell, seen_grid) for cell in layout.tuples[number])
            assert layout.cell_states(number, state) == seen


@pytest.mark.parametrize("states", [3, 4])
def test_the_states_are_exactly_those_that_columns_under_gravity_can_show(states: int) -> None:
    layout = layout_of(TINY, states, False, "sample")
    reader = reader_of(layout)
    filled = [stones for n in range(4) for stones in product((1, 2), repeat=n)]
    columns = [stones + (0,) * (3 - len(stones)) for stones in filled]
    for number, cells in enumerate(layout.tuples):
        shown = {
            tuple(reader.seen(cell, grid) for cell in cells) for grid in product(columns, repeat=3)
        }
        size = int(layout.sizes[number])
        assert {layout.cell_states(number, state) for state in range(size)} == shown
        assert size == len(shown)


@pytest.mark.parametrize(
    "geometry",
    [TINY, Geometry(5, 4, 3), STANDARD, Geometry(9, 6, 4), Geometry(5, 10, 4)],
    ids=str,
)
@pytest.mark.parametrize(("states", "mirror"), MODES)
def test_indices_kept_move_by_move_equal_those_read_anew(
    geometry: Geometry, states: int, mirror: bool
) -> None:
    layout = layout_of(geometry, states, mirror)
    views, shape = make_views(layout, 2), geometry.shape
    for seed in range(10):
        game = random_game(geometry, seed)
        index, key = views.start.copy(), shape.bottom
        for before, after in pairwise(game):
            player = 0 if before.first_to_move else 1
            cell = np.uint64(after.occupied ^ before.occupied)
            move_indices(index, player, cell, key, views, shape)
            key = np.uint64(move_key(key, cell, player))
            assert np.array_equal(index, indices_of(layout, after))
            assert key == make_key(*first_stones(after), shape)


def test_column_steps_add_up_to_the_index() -> None:
    layout = layout_of(STANDARD, 4, True)
    for position in random_game(STANDARD, 3):
        total = layout.base.copy()
        for column, stones in enumerate(grid_of(position)):
            height = 6 - stones.count(0)
            content = (1 << height) | sum(1 << r for r, stone in enumerate(stones) if stone == 1)
            total += layout.steps[column, content]
        assert np.array_equal(total, indices_of(layout, position))


def network_of(mirror: bool, weights: float = 0.1) -> Network:
    return Network.create(NTupleConfig(mirror=mirror, tuples=20, initial_weights=weights))


def test_mirrored_positions_have_equal_values() -> None:
    batch = PositionBatch.of([p for seed in range(5) for p in random_game(STANDARD, seed)[1:]])
    values = network_of(True).first_player_values(batch)
    assert np.allclose(values, network_of(True).first_player_values(batch.mirror()), atol=1e-6)
    plain = network_of(False)
    mirrored = plain.first_player_values(batch.mirror())
    assert not np.allclose(plain.first_player_values(batch), mirrored, atol=1e-3)


def test_mirror_images_of_the_best_move_are_drawn_by_lot() -> None:
    """They are equal but for rounding, which must not choose."""
    off_centre = 0
    for seed in range(20):
        network = Network.create(NTupleConfig(tuples=20, initial_weights=0.1, seed=seed))
        batch = PositionBatch.of([Position(STANDARD)] * 200, seed=seed)
        columns = greedy_columns(network, batch)
        for column in set(columns.tolist()) - {3}:
            off_centre += 1
            assert 60 < (columns == column).sum() < 140
            assert (columns == 6 - column).any()
    assert off_centre > 10


@pytest.mark.parametrize(("states", "weights"), [(3, 918_540), (4, 9_175_040)])
def test_weights_are_counted_as_in_table_1_of_the_paper(states: int, weights: int) -> None:
    config = NTupleConfig.model_validate({"states": states, "creation": "walk"})
    network = Network.create(config)
    assert network.counts.all == weights
    assert 0 < network.counts.non_zero <= network.counts.realisable < weights
    assert network.counts.realisable == 2 * network.layout.weights


def test_about_as_many_states_can_occur_as_the_paper_finds_weights_that_are_not_zero() -> None:
    """Table 1 of Thill 2012: 304,444 with P=3 and 646,693 with P=4, for 70 random walks."""
    sets = [create_tuples("walk", 70, 8, STANDARD, seed) for seed in range(3)]
    for states, published in ((3, 304_444), (4, 646_693)):
        found = np.mean([2 * Layout(STANDARD, tuples, states, True).weights for tuples in sets])
        assert 0.9 < found / published < 1.15


def test_the_tallest_board_is_read_as_it_looks() -> None:
    """Ten rows: the contents of a full column fill eleven bits."""
    geometry = Geometry(3, 10, 3)
    top = tuple((column, row) for column in range(3) for row in (8, 9))
    layout = Layout(geometry, (top, ((1, 0), (1, 9))), 4, False)
    reader, views = reader_of(layout), make_views(layout, 1)
    index = np.empty(layout.slots, dtype=np.uint32)
    games = [random_game(Geometry(3, 10, 31), seed) for seed in range(3)]
    for position in (position for game in games for position in game):
        read_indices(index, *first_stones(position), views, geometry.shape)
        for number, cells in enumerate(layout.tuples):
            state = int(index[number]) - int(layout.offsets[number])
            seen = tuple(reader.seen(cell, grid_of(position)) for cell in cells)
            assert layout.cell_states(number, state) == seen


def test_tuples_that_need_too_much_memory_are_refused_before_they_take_it() -> None:
    tuples = create_tuples("sample", 2000, 14, Geometry(9, 6, 4), 1)
    with pytest.raises(AgentError, match=r"need [\d,]+ weights .* fewer or shorter tuples"):
        Layout(Geometry(9, 6, 4), tuples, 4, True)


def test_too_tall_a_board_is_refused() -> None:
    with pytest.raises(AgentError, match="up to 10 rows, not 11"):
        Layout(Geometry(3, 11, 3), (((0, 0),),), 4, True)

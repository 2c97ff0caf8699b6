"""Some moves lead to every position that was played, whatever the board."""

from itertools import product

import pytest

from connectlab.agents import make_agent
from connectlab.agents.external.order import find_moves
from connectlab.errors import GameError
from connectlab.game import Geometry, Position, PositionBatch

BOARDS = [Geometry(7, 6, 4), Geometry(5, 11, 4), Geometry(3, 15, 4), Geometry(32, 1, 9)]


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_the_moves_found_lead_to_the_stones(geometry: Geometry) -> None:
    batch = PositionBatch.start(60, geometry, seed=8)
    random, n_found = make_agent("random", geometry), 0
    while len(batch):
        for position in batch.positions():
            moves = find_moves(position)
            assert moves is not None
            assert Position.from_moves(moves, geometry) == position
            n_found += 1
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
    assert n_found > 500


def test_moves_are_found_exactly_where_there_are_some() -> None:
    geometry = Geometry(3, 3, 4)
    reached = {Position(geometry)}
    edge = set(reached)
    while edge:
        edge = {p.play(c) for p in edge if not p.is_over for c in p.legal_columns}
        reached |= edge
    n_impossible = 0
    for position in every_position(geometry):
        found = find_moves(position)
        assert (found is not None) == (position in reached)
        n_impossible += found is None
    assert n_impossible > 10


def every_position(geometry: Geometry) -> list[Position]:
    """All stones that obey gravity and the turns, whether or not moves lead to them."""
    piles = [pile for height in range(geometry.rows + 1) for pile in product("XO", repeat=height)]
    found = []
    for columns in product(piles, repeat=geometry.columns):
        first, second = (
            sum(
                geometry.cell(column, row)
                for column, pile in enumerate(columns)
                for row, stone in enumerate(pile)
                if stone == side
            )
            for side in "XO"
        )
        try:
            found.append(Position.from_stones(first, second, geometry))
        except GameError:
            continue
    return found


def test_the_same_stones_get_the_same_moves() -> None:
    one, two = Position.from_moves("1234"), Position.from_moves("3214")
    assert one == two
    assert find_moves(one) == find_moves(two)

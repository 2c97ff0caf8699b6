from collections import Counter

import pytest
from naive_players import extended_lengths, position_of, random_games

from connectlab.agents import make_agent
from connectlab.game import Geometry, Position

BOARDS = [
    Geometry(),
    Geometry(4, 4, 3),
    Geometry(8, 7, 5),
    Geometry(16, 3, 4),
    Geometry(1, 63, 4),
    Geometry(7, 1, 4),
]


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_each_column_counts_the_longest_streak_it_extends(geometry: Geometry) -> None:
    agent = make_agent("extend", geometry)
    for game in random_games(geometry, 60, seed=1):
        lengths = extended_lengths(game)
        analysis = agent.analyse(position_of(game))
        assert analysis.values == tuple(lengths.get(c) for c in range(geometry.columns))


def test_plays_only_columns_that_extend_the_longest_streak_each_as_often() -> None:
    agent = make_agent("extend")
    position = Position.from_moves("4455")  # X has 4 and 5 in the bottom row: 3 and 6 extend them
    chosen = Counter(agent.choose_one(position, stream=seed) for seed in range(400))
    assert set(chosen) == {2, 5}
    assert min(chosen.values()) > 160


def test_turns_to_a_shorter_streak_when_the_longest_is_shut_in() -> None:
    position = Position.from_moves("171711")  # X has three in column 1, and O sits on top of them
    analysis = make_agent("extend").analyse(position)
    assert analysis.values == (0, 1, 0, 0, 0, 0, 0)
    assert analysis.best == (1,)


def test_plays_anywhere_on_the_empty_board() -> None:
    agent = make_agent("extend")
    chosen = {agent.choose_one(Position(), stream=seed) for seed in range(100)}
    assert chosen == set(range(7))

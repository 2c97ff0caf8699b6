from collections import Counter

import numpy as np
import pytest
from naive_players import heuristic, minimax_values, position_of, random_games

from connectlab.agents import Analysis, make_agent
from connectlab.agents.minimax import SIXTHS, evaluate, streak_gains
from connectlab.game import STANDARD, Geometry, Position

BOARDS = [
    STANDARD,
    Geometry(4, 4, 3),
    Geometry(5, 4, 4),
    Geometry(8, 7, 5),
    Geometry(16, 3, 4),
    Geometry(7, 1, 3),
    Geometry(1, 63, 4),
    Geometry(2, 31, 20),
    Geometry(3, 3, 2**61 + 1),
]


def analyse(spec: str, position: Position) -> Analysis:
    return make_agent(spec, position.geometry).analyse(position)


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_heuristic_is_the_papers(geometry: Geometry) -> None:
    gains = streak_gains(geometry)
    for game in random_games(geometry, 60, seed=2):
        game.play(game.legal_columns()[-1])  # finished games count too
        own, other = position_of(game).mover, position_of(game).opponent
        value = evaluate(np.uint64(own), np.uint64(other), geometry.shape, gains)
        assert value == SIXTHS * heuristic(game, game.player)


def test_heuristic_of_a_position_counted_by_hand() -> None:
    position = Position.from_drawing("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O X O . .
        . O X X X O .
        1 2 3 4 5 6 7""")
    own = 3 * 2**3 / 2 + 3 * (2 * 2**2 / 2)  # a row of three; upright, rising and falling pairs
    other = 2 * (2 * 2**2 / 6)  # a rising and a falling pair
    assert analyse("minimax", position).facts["static_value"] == pytest.approx(own - other)


@pytest.mark.parametrize(
    ("geometry", "depth", "n"),
    [
        (STANDARD, 1, 20),
        (STANDARD, 2, 12),
        (STANDARD, 3, 4),
        (Geometry(4, 4, 3), 4, 12),
        (Geometry(5, 4, 4), 3, 8),
        (Geometry(3, 5, 3), 5, 10),
        (Geometry(8, 7, 5), 2, 3),
    ],
    ids=str,
)
@pytest.mark.parametrize("alpha_beta", ["true", "false"])
def test_values_are_those_of_naive_minimax(
    geometry: Geometry, depth: int, n: int, alpha_beta: str
) -> None:
    agent = make_agent(f"minimax:depth={depth},alpha_beta={alpha_beta}", geometry)
    for game in random_games(geometry, n, seed=3, longest=20):
        expected = minimax_values(game, depth)
        analysis = agent.analyse(position_of(game))
        assert analysis.values == tuple(
            float(expected[c]) if c in expected else None for c in range(geometry.columns)
        )


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
@pytest.mark.parametrize("depth", [1, 2, 4, 5])
def test_alpha_beta_changes_neither_values_nor_choice(geometry: Geometry, depth: int) -> None:
    if geometry.columns > 10 and depth > 2:
        pytest.skip("plain minimax is slow on wide boards")
    pruned = make_agent(f"minimax:depth={depth}", geometry)
    plain = make_agent(f"minimax:depth={depth},alpha_beta=false", geometry)
    for number, game in enumerate(random_games(geometry, 15, seed=4)):
        position = position_of(game)
        assert pruned.analyse(position) == plain.analyse(position)
        assert pruned.choose_one(position, stream=number) == plain.choose_one(
            position, stream=number
        )


def test_takes_a_win_at_once_although_a_later_one_counts_more() -> None:
    position = Position.from_moves("47513774")  # X wins in 2 and in 6
    analysis = analyse("minimax", position)
    assert analysis.values[1] is not None
    assert max(value for value in analysis.values if value is not None) > analysis.values[1]
    assert analysis.best == (1, 5)
    chosen = {make_agent("minimax").choose_one(position, stream=seed) for seed in range(30)}
    assert chosen == {1, 5}


def test_blocks_a_threat() -> None:
    assert analyse("minimax:depth=2", Position.from_moves("41424")).best == (3,)


def test_columns_that_tie_are_played_equally_often() -> None:
    agent = make_agent("minimax:depth=1")
    assert analyse("minimax:depth=1", Position()).best == tuple(range(7))
    chosen = Counter(agent.choose_one(Position(), stream=seed) for seed in range(1400))
    assert sorted(chosen) == list(range(7))
    assert min(chosen.values()) > 150 and max(chosen.values()) < 250


@pytest.mark.parametrize(
    ("columns", "middle"), [(7, {3}), (6, {2, 3}), (4, {1, 2}), (1, {0}), (2, {0, 1})]
)
def test_force_center_opens_in_the_middle(columns: int, middle: set[int]) -> None:
    agent = make_agent("minimax:depth=1,force_center=true", Geometry(columns, 5, 4))
    empty = Position(agent.geometry)
    assert {agent.choose_one(empty, stream=seed) for seed in range(40)} == middle
    analysis = agent.analyse(empty)
    assert set(analysis.best) == middle


def test_force_center_does_nothing_after_the_first_stone() -> None:
    position = Position.from_moves("1")
    forced, free = (
        analyse(f"minimax:depth=2,force_center={value}", position) for value in ("true", "false")
    )
    assert forced == free

from collections import Counter

import pytest
from naive_players import kaggle_chances, kaggle_values, position_of, random_games

from connectlab.agents import make_agent
from connectlab.game import STANDARD, Geometry, Position, PositionBatch

CASES = [
    (STANDARD, 0, 30),
    (STANDARD, 1, 15),
    (STANDARD, 2, 4),
    (STANDARD, 3, 2),
    (STANDARD, 4, 2),
    (Geometry(4, 4, 3), 4, 15),
    (Geometry(5, 4, 4), 3, 4),
    (Geometry(3, 5, 3), 6, 5),
    (Geometry(16, 3, 4), 1, 3),
    (Geometry(7, 1, 3), 4, 10),
    (Geometry(1, 63, 4), 4, 10),
]


@pytest.mark.parametrize(("geometry", "depth", "n"), CASES, ids=str)
def test_values_and_chances_are_those_of_kaggles_search(
    geometry: Geometry, depth: int, n: int
) -> None:
    """Kaggle does not count the ply whose moves are scored by their neighbours."""
    agent = make_agent(f"negamax:depth={depth + 1}", geometry)
    for game in random_games(geometry, n, seed=5, longest=20):
        expected, winner = kaggle_values(game, depth)
        analysis = agent.analyse(position_of(game))
        for column, value in expected.items():
            assert analysis.values[column] == float(value)
        assert (analysis.best == (winner,)) if winner is not None else len(analysis.best) > 0
        chances = kaggle_chances(game, depth)
        assert analysis.policy == tuple(chances.get(c, 0) for c in range(geometry.columns))


@pytest.mark.parametrize("moves", ["", "4", "44", "2233", "12345671234567", "4455"])
@pytest.mark.parametrize("depth", [0, 2])
def test_ties_are_broken_from_left_to_right_by_coin(moves: str, depth: int) -> None:
    n = 4000
    game = next(random_games(STANDARD, 1, seed=0, longest=0))
    for digit in moves:
        game.play(int(digit) - 1)
    agent = make_agent(f"negamax:depth={depth + 1}")
    position = position_of(game)
    batch = PositionBatch.of([position] * n, seed=7)
    chosen = Counter(agent.choose(batch).tolist())
    chances = kaggle_chances(game, depth)
    assert set(chosen) <= set(chances)
    for column, chance in chances.items():
        spread = 4 * (n * chance * (1 - chance)) ** 0.5
        assert abs(chosen[column] - n * chance) <= spread


def test_wins_in_the_leftmost_of_several_winning_columns() -> None:
    position = Position.from_moves("223344")  # 1 and 5 both win
    agent = make_agent("negamax")
    assert {agent.choose_one(position, stream=seed) for seed in range(30)} == {0}
    analysis = agent.analyse(position)
    assert analysis.best == (0,)
    assert analysis.values[0] == analysis.values[4] == (42 + 1 - 6) / 2


def test_a_stone_of_the_bottom_row_does_not_count_from_above() -> None:
    stacked = make_agent("negamax:depth=1").analyse(Position.from_moves("17"))
    higher = make_agent("negamax:depth=1").analyse(Position.from_moves("1171"))
    assert stacked.values[0] == (42 + 1 - 2) / 2  # no bonus for standing on X's own stone
    assert stacked.values[1] == (42 + 1 - 2) / 2 + 1
    assert higher.values[0] == (42 + 1 - 4) / 2


def test_blocks_a_threat() -> None:
    assert make_agent("negamax").choose_one(Position.from_moves("41424")) == 3

"""A step has as many games as fit into it, a number that people like to look at."""

import pytest

from connectlab.game import Geometry
from connectlab.game.variants import Variant
from connectlab.training.pace import games_a_step, longest_plies


@pytest.mark.parametrize(
    ("work_a_step", "work_a_game", "games", "expected"),
    [
        (120_000, 42, 10**7, 2_000),  # 2,857 would fit
        (120_000, 60, 10**7, 2_000),  # 2,000 fit exactly
        (120_000, 61, 10**7, 1_000),
        (120_000, 42, 1_000, 50),  # at least twenty steps
        (120_000, 42, 999, 20),
        (1e9, 1, 10**9, 10_000),  # never more
        (1, 10, 10**6, 1),  # a game is the least, however much work it is
        (1e9, 1, 3, 1),
    ],
)
def test_a_step_is_the_largest_round_number_that_fits(
    work_a_step: float, work_a_game: float, games: int, expected: int
) -> None:
    assert games_a_step(work_a_step, work_a_game, games) == expected


@pytest.mark.parametrize(
    ("variant", "plies"),
    [("", 42), ("slip:0.3", 42), ("drop-row:0.05", 65), ("drop-row:0.5", 10_000)],
)
def test_games_are_long_where_rows_fall(variant: str, plies: int) -> None:
    assert round(longest_plies(Geometry(7, 6, 4, Variant.parse(variant)))) == plies

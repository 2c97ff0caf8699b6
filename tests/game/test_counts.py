"""What is seen of a board that is told in counts."""

import numpy as np
from hypothesis import given
from strategies import games

from connectlab.agents.minimax import evaluate, streak_gains
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.counts import count_all, runs_shape
from connectlab.game.variants import count_runs
from naive import NaiveGame, streaks


def counts_of(position: Position) -> list[list[int]]:
    shape = position.geometry.shape
    counts = np.full(runs_shape(shape), -1, dtype=np.int64)
    count_runs(position.mover, position.occupied, shape, counts)
    return counts.tolist()


@given(games())
def test_counts_the_streaks_that_a_naive_walk_finds(game: tuple[Geometry, NaiveGame]) -> None:
    board, naive = game
    position = Position.from_moves(naive.history, board)
    longest = min(board.connect, 64) - 1
    expected = []
    for player in (naive.player, 3 - naive.player):
        lengths = streaks(naive.stones(player))
        expected.append([lengths.count(x) for x in range(1, longest + 1)])
    assert counts_of(position) == expected


@given(games())
def test_longer_streaks_are_those_of_minimax(game: tuple[Geometry, NaiveGame]) -> None:
    board, naive = game
    position = Position.from_moves(naive.history, board)
    if position.is_over or board.columns == 1:
        return
    gains = streak_gains(board)
    worth = np.cumsum(gains, axis=1)
    own, other = (
        sum(n * worth[side, x] for x, n in enumerate(row, start=1) if n and x > 1)
        for side, row in enumerate(counts_of(position))
    )
    value = evaluate(position.mover, position.opponent, board.shape, gains)
    assert own - other == value


def test_a_small_board_in_counts() -> None:
    position = Position.from_drawing(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O . . . . .
        O X . . . . .
        X X X O . . O
        """
    )
    # X: three in a row, a pair up and two aslant. O: a pair aslant, two stones alone.
    assert counts_of(position) == [[0, 3, 1], [2, 1, 0]]


def test_many_boards_are_counted_as_one() -> None:
    positions = [Position.from_moves(moves) for moves in ("", "4", "4455", "123456712345")]
    batch = PositionBatch.of(positions)
    counts = np.empty((4, 2, 3), dtype=np.int64)
    count_all(batch.mover, batch.occupied, batch.geometry.shape, counts)
    assert counts.tolist() == [counts_of(position) for position in positions]

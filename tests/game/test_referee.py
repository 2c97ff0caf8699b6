"""Random games in step with OpenSpiel's Connect Four, a referee from outside."""

import random

import pyspiel
import pytest

from connectlab.game import Geometry, Outcome, Position

BOARDS = [
    Geometry(),
    Geometry(7, 6, 5),
    Geometry(4, 4, 3),
    Geometry(5, 4, 3),
    Geometry(6, 7, 4),
    Geometry(9, 6, 4),
    Geometry(8, 7, 5),
    Geometry(10, 5, 4),
    Geometry(16, 3, 4),
    Geometry(32, 1, 3),
    Geometry(3, 20, 4),
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_random_games_agree_with_openspiel(board: Geometry) -> None:
    referee = pyspiel.load_game(
        f"connect_four(columns={board.columns},rows={board.rows},x_in_row={board.connect})"
    )
    choice = random.Random(board.cells)
    outcomes = [play_in_step(referee, board, choice) for _ in range(60)]
    assert {Outcome.FIRST_WINS, Outcome.SECOND_WINS} <= set(outcomes)


def play_in_step(referee: pyspiel.Game, board: Geometry, choice: random.Random) -> Outcome:
    state, position = referee.new_initial_state(), Position(board)
    while not position.is_over:
        assert not state.is_terminal()
        assert position.legal_columns == tuple(state.legal_actions())
        assert position.first_to_move == (state.current_player() == 0)
        column = choice.choice(position.legal_columns)
        position = position.play(column)
        state.apply_action(column)
        assert drawing_of(position) == str(state).lower().strip()
    assert state.is_terminal()
    value = position.outcome.first_player_value
    assert state.returns() == [value, -value]
    return position.outcome


def drawing_of(position: Position) -> str:
    """Draw without blanks and column names, as OpenSpiel does."""
    rows = position.drawing().lower().splitlines()[:-1]
    return "\n".join(row.replace(" ", "") for row in rows)

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import games

import naive
from connectlab.game import STANDARD, GameError, Geometry, Outcome, Position
from naive import NaiveGame

OUTCOMES = {
    "ongoing": Outcome.ONGOING,
    "first wins": Outcome.FIRST_WINS,
    "second wins": Outcome.SECOND_WINS,
    "draw": Outcome.DRAW,
}


@settings(max_examples=200)
@given(games())
def test_a_game_is_that_of_the_oracle_move_by_move(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, whole = drawn
    game = NaiveGame(board.columns, board.rows, board.connect)
    position = Position(board)
    for column in [*whole.history, None]:
        assert position.first_stones == naive.to_bits(game.stones(1), board.rows)
        assert position.second_stones == naive.to_bits(game.stones(2), board.rows)
        assert position.legal_columns == tuple(game.legal_columns())
        assert position.outcome is OUTCOMES[game.outcome()]
        assert position.is_over == (game.outcome() != "ongoing")
        assert (position.ply, position.first_to_move) == (len(game.history), game.player == 1)
        if column is not None:
            position = position.play(column)
            game.play(column)


@settings(max_examples=200)
@given(games())
def test_a_position_is_that_of_the_oracle(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    position = Position.from_moves(game.history, board)
    assert set(position.winning_line) == game.line_cells(3 - game.player)
    assert position.winning_line == tuple(sorted(position.winning_line))
    assert position.history == tuple(game.history)
    assert position.drawing() == str(position) == game.drawing()
    assert position.mirror().drawing() == game.mirror().drawing()
    assert position.mirror().history == tuple(game.mirror().history)
    assert position.mirror().mirror() == position
    assert position.to_array().tolist() == game.array(-1)
    assert position.to_array(signed=False).tolist() == game.array(2)


@given(games())
def test_repr_rebuilds_the_position(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    position = Position.from_moves(game.history, board)
    rebuilt = eval(repr(position))
    assert (rebuilt, rebuilt.history) == (position, position.history)
    bare = Position(board, position.mover, position.occupied)
    assert eval(repr(bare)) == bare == position
    assert hash(bare) == hash(position)


def test_repr_is_short_on_the_standard_board() -> None:
    assert repr(Position.from_moves("4453")) == "Position.from_moves('4453')"


@given(games())
def test_a_position_survives_pickling(drawn: tuple[Geometry, NaiveGame]) -> None:
    position = Position.from_moves(drawn[1].history, drawn[0])
    assert pickle.loads(pickle.dumps(position)) == position


@given(games())
def test_undo_takes_back_one_move(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    steps = [Position.from_moves(game.history[:n], board) for n in range(len(game.history) + 1)]
    for earlier, later in pairwise(steps):
        assert later.undo() == earlier
        assert later.undo().history == earlier.history


def test_nothing_to_undo_is_an_error() -> None:
    with pytest.raises(GameError, match="no move to take back"):
        Position().undo()


def test_positions_with_the_same_stones_are_equal_whatever_the_order() -> None:
    assert Position.from_moves("1234") == Position.from_moves("3412")
    assert Position.from_moves("12") != Position.from_moves("21")
    assert Position() != Position(Geometry(7, 6, 5))


def test_a_position_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Position().mover = 1  # type: ignore[misc]


def test_a_position_without_moves_has_no_move_string() -> None:
    position = Position(STANDARD, 0, 1)
    assert position.history is None
    assert position.play(0).history is None
    with pytest.raises(GameError, match="not reached by moves"):
        _ = position.moves


def test_values_of_outcomes_are_the_first_players() -> None:
    values = {outcome.name: outcome.first_player_value for outcome in Outcome}
    assert values == {"ONGOING": 0, "FIRST_WINS": 1, "SECOND_WINS": -1, "DRAW": 0}


def test_stone_words_stay_plain_ints() -> None:
    position = Position(STANDARD, np.uint64(0), np.uint64(1)).play(np.int64(3))  # type: ignore[arg-type]
    assert type(position.mover) is type(position.occupied) is int


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("8", r"move 1: there is no column '8': choose 1 to 7"),
        ("44x", r"move 3: there is no column 'x': choose 1 to 7"),
        ("0", r"move 1: there is no column '0'"),
        ("4 4", r"move 2: there is no column ' '"),
        ("4444444", r"move 7: column 4 is full"),
        ("12121213", r"move 8: the game is over \(first wins\)"),
        ([7], r"move 1: there is no column 8: choose 1 to 7"),
        ([-1], r"move 1: there is no column 0: choose 1 to 7"),
        ([0, 3.0], r"move 2: there is no column 3.0"),
        ([True], r"move 1: there is no column True"),
        (["4"], r"move 1: there is no column '4'"),
        ([np.int8(127)], r"move 1: there is no column 128"),
    ],
)
def test_an_illegal_move_is_named(moves: str | list[int], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Position.from_moves(moves)


def test_wide_boards_name_their_columns_in_base_36() -> None:
    wide = Geometry(10, 5)
    assert Position.from_moves("aA1", wide).history == (9, 9, 0)
    with pytest.raises(GameError, match="move 6: column a is full"):
        Position.from_moves("aaaaaa", wide)
    with pytest.raises(GameError, match=r"move 1: there is no column 'b': choose 1 to a"):
        Position.from_moves("b", wide)
    with pytest.raises(GameError, match=r"there is no column 11: choose 1 to a"):
        Position(wide).play(10)


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [("1212121", "first wins"), ("12121272", "second wins")],
)
def test_a_finished_game_takes_no_more_moves(moves: str, outcome: str) -> None:
    position = Position.from_moves(moves)
    assert position.legal_columns == ()
    with pytest.raises(GameError, match=rf"the game is over \({outcome}\)"):
        position.play(4)


def test_a_full_board_is_a_draw_and_takes_no_more_moves() -> None:
    position = Position.from_moves([0, 0, 1, 1], Geometry(2, 2, 3))
    assert position.outcome is Outcome.DRAW
    with pytest.raises(GameError, match=r"the game is over \(draw\)"):
        position.play(0)


def test_the_last_stone_of_a_full_board_can_win() -> None:
    position = Position.from_moves("132332121", Geometry(3, 3, 3))
    assert position.ply == 9
    assert position.outcome is Outcome.FIRST_WINS


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("O . .", "0 stones of the first player and 1 of the second cannot be"),
        ("X X .", "2 stones of the first player and 0 of the second cannot be"),
        ("O X O X O", "2 stones of the first player and 3 of the second cannot be"),
        ("X . .\n. . .\nO . .", "the stone at column 1, row 3 floats"),
        ("X O\n. .", "the stone at column 1, row 2 floats"),
        ("X O .\nX O .\nX O .", "both sides have a winning line"),
        ("X . .\nX O .\nX O O", "the side to move has a winning line already"),
        ("O X O .\nX X X O", "no single last stone completes all winning lines"),
        ("O O X\nX X X\nO O X", "the game ended earlier"),
        ("O O . O . O .\nX X X O X X X", "the game ended earlier"),
    ],
)
def test_a_drawing_of_an_impossible_position_says_why(drawing: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Position.from_drawing(drawing, 3)


def test_several_lines_finished_by_one_stone_are_one_win() -> None:
    position = Position.from_moves("1122335566774")
    assert position.outcome is Outcome.FIRST_WINS
    assert position.winning_line == tuple((column, 0) for column in range(7))
    assert Position.from_drawing(str(position)) == position


@pytest.mark.parametrize(
    ("mover", "occupied", "message"),
    [
        (0, 1 << 6, "stones outside the 7x6 connect-4 board"),
        (0, 1 << 49, "stones outside"),
        (0, -1, "stones outside"),
        (0, 1 << 64, "stones outside"),
        (2, 1, "mover=0x2 has stones where occupied=0x1 has none"),
        (-1, 1, "has stones where"),
        (0, 0b10, "column 1, row 2 floats"),
        (1, 1, "0 stones of the first player and 1 of the second cannot be"),
        (0, 0b11, "0 stones of the first player and 2 of the second cannot be"),
        (0, 1 | 1 << 7 | 1 << 14, "3 stones of the first player and 0 of the second"),
    ],
)
def test_words_that_are_no_position(mover: int, occupied: int, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Position(STANDARD, mover, occupied)


def test_a_cell_cannot_hold_both_sides() -> None:
    with pytest.raises(GameError, match="column 2, row 1 holds stones of both sides"):
        Position.from_stones(0b1 << 7, 0b1 << 7)


def test_stones_keep_their_owner() -> None:
    for moves in ("4", "44", "4453", "12345"):
        position = Position.from_moves(moves)
        assert Position.from_stones(position.first_stones, position.second_stones) == position


def test_a_history_must_lead_to_the_stones() -> None:
    assert Position(STANDARD, 0, 1, (0,)).moves == "1"
    with pytest.raises(GameError, match="the moves 2 lead to other stones than those given"):
        Position(STANDARD, 0, 1, (1,))
    with pytest.raises(GameError, match="the moves 4 lead to other stones"):
        Position(history=(3,))


@given(games())
def test_every_position_of_a_game_passes_the_checks(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    played = Position.from_moves(game.history, board)
    assert Position(board, played.mover, played.occupied) == played
    assert Position.from_stones(played.first_stones, played.second_stones, board) == played


@given(games())
def test_a_cell_tells_whose_stone_it_holds(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    position = Position.from_moves(game.history, board)
    for cell in ((c, r) for c in range(board.columns) for r in range(board.rows)):
        holder = "first" if cell in game.stones(1) else "second" if cell in game.stones(2) else None
        assert position.holds(*cell) == holder

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NOTABLE_BOARDS, any_board, games

import naive
from connectlab.game import STANDARD, GameError, Geometry, Outcome, Position, PositionBatch
from naive import NaiveGame


def test_a_new_batch_holds_empty_boards() -> None:
    batch = PositionBatch.start(3, Geometry(5, 4, 3), seed=1)
    assert len(batch) == 3
    assert batch.positions() == [Position(Geometry(5, 4, 3))] * 3
    assert batch.outcomes.tolist() == [Outcome.ONGOING] * 3
    assert batch.legal.all()


@settings(max_examples=60)
@given(st.one_of(st.sampled_from(NOTABLE_BOARDS), any_board()), st.integers(0, 2**32))
def test_a_batch_plays_as_single_positions_do(board: Geometry, seed: int) -> None:
    random = np.random.default_rng(seed)
    singles = [Position(board)] * 12
    batch = PositionBatch.start(12, board)
    while singles:
        assert_same(batch, singles)
        going = np.array([not single.is_over for single in singles])
        batch = batch[going]
        singles = [single for single in singles if not single.is_over]
        columns = np.array([random.choice(s.legal_columns) for s in singles], dtype=np.int64)
        batch = batch.play(columns)
        singles = [s.play(int(c)) for s, c in zip(singles, columns, strict=True)]


def assert_same(batch: PositionBatch, singles: list[Position]) -> None:
    assert batch.positions() == singles
    assert batch.outcomes.tolist() == [single.outcome for single in singles]
    assert batch.plies.tolist() == [single.ply for single in singles]
    assert batch.mirror().positions() == [single.mirror() for single in singles]
    for row, single in zip(batch.legal, singles, strict=True):
        assert tuple(np.flatnonzero(row)) == single.legal_columns


@settings(max_examples=60)
@given(st.lists(games(), min_size=1, max_size=1), st.integers(1, 4))
def test_cells_are_seen_by_the_side_to_move(
    drawn: list[tuple[Geometry, NaiveGame]], copies: int
) -> None:
    board, game = drawn[0]
    batch = PositionBatch.of([Position.from_moves(game.history, board)] * copies)
    sign = 1 if game.player == 1 else -1
    expected = sign * np.array(game.array(-1))
    assert batch.cells().dtype == np.int8
    assert np.array_equal(batch.cells(), np.repeat(expected[None], copies, axis=0))


@given(games())
def test_a_column_is_legal_if_it_has_room_and_the_game_goes_on(
    drawn: tuple[Geometry, NaiveGame],
) -> None:
    board, game = drawn
    legal = PositionBatch.of([Position.from_moves(game.history, board)]).legal
    assert legal.dtype == np.bool_
    room = {column for column, _ in game.landing_cells()}
    assert set(np.flatnonzero(legal[0])) == (set() if game.winner() else room)


def test_no_column_of_a_won_game_is_legal() -> None:
    assert not PositionBatch.of([Position.from_moves("1212121")]).legal.any()


@given(games())
def test_words_are_those_of_the_oracle(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    batch = PositionBatch.of([Position.from_moves(game.history, board)])
    assert batch.mover[0] == naive.to_bits(game.stones(game.player), board.rows)
    assert batch.occupied[0] == naive.to_bits(game.stones(1) | game.stones(2), board.rows)
    assert batch.mover.dtype == batch.occupied.dtype == batch.streams.dtype == np.uint64


def test_positions_of_two_boards_make_no_batch() -> None:
    with pytest.raises(GameError, match=r"a batch has one board, not .*4x4 connect-3"):
        PositionBatch.of([Position(), Position(Geometry(4, 4, 3))])


def test_an_empty_batch_is_a_batch() -> None:
    batch = PositionBatch.of([])
    assert batch.geometry == STANDARD
    assert len(batch.play([])) == len(batch.outcomes) == 0  # type: ignore[arg-type]
    assert batch.cells().shape == (0, 6, 7)
    assert batch.legal.shape == (0, 7)


@pytest.mark.parametrize(
    ("moves", "columns", "message"),
    [
        (["", "444444", "4"], [0, 3, 3], "position 1 of the batch: column 4 is full"),
        (["", "", "1212121"], [0, 1, 6], "position 2 of the batch: the game is over (first wins)"),
        (["", ""], [0, 7], "position 1 of the batch: there is no column 8: choose 1 to 7"),
        (["", ""], [-1, 0], "position 0 of the batch: there is no column 0: choose 1 to 7"),
        # A shift by a multiple of 64 bits does nothing: column 64 must not become column 0.
        ([""], [64], "position 0 of the batch: there is no column 65: choose 1 to 7"),
        ([""], [2**40], "position 0 of the batch: there is no column"),
        (["", ""], [0], "2 positions need as many columns, not (1,)"),
        (["", ""], [[0, 0]], "2 positions need as many columns, not (1, 2)"),
        ([""], 0, "1 positions need as many columns, not ()"),
        ([""], [3.0], "columns are whole numbers, not float64"),
        ([""], [True], "columns are whole numbers, not bool"),
        ([""], ["4"], "columns are whole numbers, not <U1"),
    ],
)
def test_an_illegal_move_in_a_batch_names_its_position(
    moves: list[str], columns: object, message: str
) -> None:
    batch = PositionBatch.of([Position.from_moves(text) for text in moves])
    with pytest.raises(GameError, match=re.escape(message)):
        batch.play(np.array(columns))


def test_a_full_board_takes_no_move() -> None:
    batch = PositionBatch.of([Position.from_moves([0, 0, 1, 1], Geometry(2, 2, 3))])
    with pytest.raises(GameError, match=r"position 0 of the batch: the game is over \(draw\)"):
        batch.play(np.array([0]))


def test_a_refused_move_leaves_the_batch_as_it_was() -> None:
    batch = PositionBatch.start(2)
    with pytest.raises(GameError):
        batch.play(np.array([3, 9]))
    assert batch.positions() == [Position(), Position()]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_columns_of_any_integer_type_are_played(dtype: type) -> None:
    batch = PositionBatch.start(4).play(np.arange(8)[::2].astype(dtype))
    assert [p.drawing()[-27:-14] for p in batch.positions()] == [
        Position.from_moves([column]).drawing()[-27:-14] for column in (0, 2, 4, 6)
    ]


@pytest.mark.parametrize("name", ["mover", "occupied", "streams"])
def test_nothing_in_a_batch_can_be_changed(name: str) -> None:
    batch = PositionBatch.start(3).play(np.zeros(3, dtype=np.int64))
    for some in (batch, batch[1:], batch[np.array([True, False, True])], batch.mirror()):
        with pytest.raises(ValueError, match="read-only"):
            getattr(some, name)[0] = 1


def test_what_a_batch_is_made_from_stays_writable() -> None:
    words = np.zeros(2, dtype=np.uint64)
    PositionBatch(STANDARD, words, words, words)
    words[0] = 1


@settings(max_examples=60)
@given(st.lists(games(), min_size=1, max_size=1), st.integers(0, 5))
def test_a_key_tells_positions_apart(drawn: list[tuple[Geometry, NaiveGame]], back: int) -> None:
    board, game = drawn[0]
    moves = game.history
    positions = [Position.from_moves(moves[:n], board) for n in range(len(moves) + 1)]
    keys = PositionBatch.of([*positions, *positions[-1 - back :]]).keys.tolist()
    assert len(set(keys)) == len(positions)
    assert keys[len(positions) :] == keys[max(0, len(positions) - 1 - back) : len(positions)]


def test_no_two_positions_of_a_whole_board_share_a_key() -> None:
    """The same stones in other hands are another position, and so is a mirror image."""
    found = {Position(Geometry(3, 3, 3))}
    latest = found
    while latest:
        latest = {p.play(column) for p in latest for column in p.legal_columns}
        found |= latest
    assert len(found) > 500
    assert len(set(PositionBatch.of(found).keys.tolist())) == len(found)


def test_each_position_comes_once_and_can_be_found_again() -> None:
    rows = [Position.from_moves(moves) for moves in ("12", "21", "12", "", "76", "21", "12")]
    distinct, where = PositionBatch.of(rows, seed=1).distinct()
    assert len(distinct) == 4, "a mirror image is a position of its own"
    assert [distinct.position(i) for i in where] == rows


def test_batches_are_joined_in_order() -> None:
    one, two = PositionBatch.start(2, seed=1), PositionBatch.of([Position.from_moves("4")], seed=2)
    joined = PositionBatch.joined([one, two])
    assert joined.positions() == [*one.positions(), *two.positions()]
    assert joined.streams.tolist() == [*one.streams.tolist(), *two.streams.tolist()]


@pytest.mark.parametrize(
    "index", [slice(None, None, 2), slice(None, None, -1), np.array([4, 4, 0])]
)
def test_any_selection_can_be_played_on(index: slice) -> None:
    batch = PositionBatch.start(7).play(np.arange(7))
    chosen = batch[index]
    wanted = np.arange(7)[index]
    assert chosen.positions() == [Position.from_moves([int(c)]) for c in wanted]
    after = chosen.play(np.zeros(len(chosen), dtype=np.int64))
    assert after.outcomes.tolist() == [0] * len(chosen)
    assert after.mirror().mirror().positions() == after.positions()


def test_one_position_is_asked_for_by_name() -> None:
    batch = PositionBatch.start(3)
    assert batch.position(1) == Position()
    with pytest.raises(TypeError, match=r"use position\(i\) or positions\(\)"):
        batch[1]  # type: ignore[index]
    with pytest.raises(TypeError, match="positions"):
        list(batch)  # type: ignore[call-overload]


def test_a_move_keeps_the_streams() -> None:
    batch = PositionBatch.start(3, seed=2)
    for after in (batch.play(np.array([1, 2, 3])), batch.mirror()):
        assert np.array_equal(after.streams, batch.streams)

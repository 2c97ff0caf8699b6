"""The kernels on any set of stones, reachable or not, against sets of cells."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards, games

import naive
from connectlab.game import Geometry, bitboard
from naive import NaiveGame


@st.composite
def scattered_stones(draw: st.DrawFn) -> tuple[Geometry, set[naive.Cell], set[naive.Cell]]:
    """A board and two disjoint sets of cells, dense enough for lines of any direction."""
    board = draw(boards)
    random = Random(draw(st.integers(0, 2**32)))
    share = draw(st.sampled_from([0.2, 0.5, 0.8, 1.0]))
    cells = [(c, r) for c in range(board.columns) for r in range(board.rows)]
    own = {cell for cell in cells if random.random() < share}
    others = {cell for cell in cells if cell not in own and random.random() < 0.3}
    return board, own, others


@settings(max_examples=400)
@given(scattered_stones())
def test_lines_are_those_of_the_oracle(
    drawn: tuple[Geometry, set[naive.Cell], set[naive.Cell]],
) -> None:
    board, own, _ = drawn
    bits = naive.to_bits(own, board.rows)
    expected = naive.line_cells(own, board.columns, board.rows, board.connect)
    found = bitboard.line_cells(bits, board.shape)
    assert naive.to_cells(found, board.columns, board.rows) == expected
    assert bitboard.has_line(bits, board.shape) == bool(expected)


@settings(max_examples=400)
@given(scattered_stones())
def test_winning_cells_are_those_of_the_oracle(
    drawn: tuple[Geometry, set[naive.Cell], set[naive.Cell]],
) -> None:
    board, own, others = drawn
    bits, occupied = (naive.to_bits(cells, board.rows) for cells in (own, own | others))
    found = bitboard.winning_cells(bits, occupied, board.shape)
    expected = naive.winning_cells(own, others, board.columns, board.rows, board.connect)
    assert naive.to_cells(found, board.columns, board.rows) == expected


def test_every_single_line_of_every_notable_board_is_seen() -> None:
    for board in (Geometry(), Geometry(8, 7, 4), Geometry(16, 3, 3), Geometry(4, 15, 4)):
        for line in naive.all_lines(board.columns, board.rows, board.connect):
            bits = naive.to_bits(set(line), board.rows)
            assert bitboard.has_line(bits, board.shape)
            for cell in line:
                rest = bits ^ board.cell(*cell)
                assert not bitboard.has_line(rest, board.shape)
                assert bitboard.winning_cells(rest, rest, board.shape) & board.cell(*cell)


@settings(max_examples=200)
@given(games())
def test_landing_cells_are_those_of_the_oracle(drawn: tuple[Geometry, NaiveGame]) -> None:
    board, game = drawn
    occupied = naive.to_bits(game.stones(1) | game.stones(2), board.rows)
    found = bitboard.landing_cells(occupied, board.shape)
    assert naive.to_cells(found, board.columns, board.rows) == game.landing_cells()
    for column in range(board.columns):
        expected = {cell for cell in game.landing_cells() if cell[0] == column}
        single = bitboard.landing_cell(occupied, column, board.shape)
        assert naive.to_cells(single, board.columns, board.rows) == expected


@given(boards)
def test_columns_of_cells(board: Geometry) -> None:
    for column in range(board.columns):
        cells = {(column, row) for row in range(board.rows)}
        assert bitboard.column_cells(column, board.shape) == naive.to_bits(cells, board.rows)
        for row in range(board.rows):
            assert bitboard.column_of(board.cell(column, row), board.shape) == column


@given(scattered_stones())
def test_mirror_exchanges_left_and_right(
    drawn: tuple[Geometry, set[naive.Cell], set[naive.Cell]],
) -> None:
    board, own, _ = drawn
    expected = {(board.columns - 1 - column, row) for column, row in own}
    mirrored = bitboard.mirror(naive.to_bits(own, board.rows), board.shape)
    assert naive.to_cells(mirrored, board.columns, board.rows) == expected


@given(st.integers(1, 2**64 - 1))
def test_popcount_and_pick_cell_count_set_bits(bits: int) -> None:
    ones = [1 << i for i in range(64) if bits >> i & 1]
    assert bitboard.popcount(bits) == len(ones)
    assert [bitboard.pick_cell(bits, i) for i in range(len(ones))] == ones


def test_a_set_has_no_cell_past_its_last() -> None:
    assert bitboard.pick_cell(0b101, 2) == 0
    assert bitboard.pick_cell(0, 0) == 0


@given(
    st.integers(0, 2**64 - 1), st.sampled_from([Geometry(7, 6), Geometry(8, 7), Geometry(3, 19)])
)
def test_the_short_cut_for_connect_four_finds_the_same_lines(bits: int, board: Geometry) -> None:
    shape = board.shape
    stones = bits & int(shape.board)
    assert bitboard.has_line(stones, shape) == bitboard._has_any_line(stones, shape)
    anywhere = bitboard._completes_any(stones, shape) & (int(shape.board) ^ stones)
    assert bitboard.winning_cells(stones, stones, shape) == anywhere

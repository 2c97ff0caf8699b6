"""What Hypothesis draws for tests of the rules: boards, and random play on them."""

from random import Random

from hypothesis import strategies as st

from connectlab.game import Geometry
from naive import NaiveGame

NOTABLE_BOARDS = [
    Geometry(),
    Geometry(4, 4, 3),
    Geometry(4, 4, 4),
    Geometry(5, 4, 3),
    Geometry(6, 5, 4),
    Geometry(9, 6, 4),
    Geometry(9, 6, 5),
    Geometry(8, 7, 4),  # all 64 bits
    Geometry(8, 7, 5),
    Geometry(16, 3, 4),  # all 64 bits, base 36
    Geometry(10, 5, 4),  # base 36
    Geometry(12, 4, 5),
    Geometry(32, 1, 3),  # one row
    Geometry(7, 1, 4),
    Geometry(1, 63, 3),  # one column
    Geometry(1, 63, 63),
    Geometry(1, 6, 4),
    Geometry(2, 31, 4),
    Geometry(3, 20, 3),
    Geometry(4, 15, 7),
    Geometry(1, 1, 3),
    Geometry(3, 3, 4),  # no line fits
    Geometry(7, 6, 9),
    Geometry(8, 7, 64),
    Geometry(7, 6, 2**61 + 1),
]

SIZES = [(c, r) for c in range(1, 33) for r in range(1, 64) if c * (r + 1) <= 64]


@st.composite
def any_board(draw: st.DrawFn) -> Geometry:
    columns, rows = draw(st.sampled_from(SIZES))
    return Geometry(columns, rows, draw(st.integers(3, 8)))


boards = st.one_of(st.sampled_from(NOTABLE_BOARDS), any_board())


@st.composite
def games(draw: st.DrawFn) -> tuple[Geometry, NaiveGame]:
    """A board and a random game on it, as far as a drawn number of moves or its end."""
    board = draw(boards)
    game = NaiveGame(board.columns, board.rows, board.connect)
    random = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, board.cells))):
        if not game.legal_columns():
            break
        game.play(random.choice(game.legal_columns()))
    return board, game

"""What the tables of Cheng, Fan and Nguyen have in common: players, boards, sizes, matches."""

from collections.abc import Mapping

from connectlab.lab.papers.cells import Board, MatchCell
from connectlab.lab.papers.experiment import Scale, Size
from connectlab.lab.wording import count

PAPER = "Cheng et al."
MATCH_GAMES = 10
"""Games of a match for each game that tests a learner: nobody has to learn first."""
MATCH_SEED = 0
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=200, repeats=1, tests=10),
    "quick": Size(games=10_000, repeats=3, tests=200),
    "full": Size(games=10_000, repeats=5, tests=1_000),
}
# Times of the experiments: quick was measured (2.5 s a run, up to 3 ms a game), and full
# follows from it: 7 s a run with its tests, 10,000 games a match.
SQUARE = Board(columns=7, rows=7)
BOARDS = (Board(columns=6, rows=6), Board(), SQUARE, Board(columns=8, rows=7))
MCTS = "mcts:iterations=200"
D2, D4, D5 = (f"minimax:depth={depth}" for depth in (2, 4, 5))
SILENT = (
    "The paper's boards are square, and it does not say how large; ours is the standard board of 7 "
    "columns and 6 rows unless a table says otherwise."
)


def play(
    first: str, second: str, size: Size, board: Board | None = None, *, factor: int = 1
) -> MatchCell:
    """Return a match with fixed sides."""
    games = factor * MATCH_GAMES * size.tests
    board = board or Board()
    return MatchCell(first=first, second=second, games=games, board=board, seed=MATCH_SEED)


def board_name(board: Board) -> str:
    """Return columns and rows, such as "7x6"."""
    return f"{board.columns}x{board.rows}"


def matches_settings(size: Size) -> str:
    """Say how many games a match had."""
    games = count(MATCH_GAMES * size.tests, "game")
    return (
        f"Matches of {games} with fixed sides, seed {MATCH_SEED}, on the standard board unless a "
        "table says so."
    )

"""What the tables of Cheng, Fan and Nguyen have in common: players, boards, sizes, matches."""

from collections.abc import Mapping

from connectlab.lab.papers.cells import Board, MatchCell
from connectlab.lab.papers.experiment import Scale, Size
from connectlab.lab.papers.outcomes import beside, match
from connectlab.lab.papers.results import Found
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
RANDOM_D5 = "0.03 / 0.0 / 0.97"
"""Random first against minimax of depth 5, as Table 1 has it."""
D5_RANDOM = "0.99 / 0.0 / 0.01"
"""The same players from the side of minimax, as Table 5 has them."""
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


def twice_line(found: Found, size: Size) -> str:
    """Say that two tables tell the same games otherwise, and what ours are beside each."""
    cell = play("random", D5, size)
    rows = [match(cell, "Table 1", RANDOM_D5), match(cell, "Table 5", D5_RANDOM, flip=True)]
    told = " and ".join(f"*{pair.verdict}* in {pair.contest.name}" for pair in beside(rows, found))
    printed = (
        "Random first against minimax of depth 5 is printed twice: minimax wins .97 of the games "
        "in Table 1 and .99 in Table 5."
    )
    return f"{printed} So the verdict on the same games of ours is {told}." if told else printed


def matches_settings(size: Size) -> str:
    """Say how many games a match had."""
    games = count(MATCH_GAMES * size.tests, "game")
    return (
        f"Matches of {games} with fixed sides, seed {MATCH_SEED}, on the standard board unless a "
        "table says so."
    )

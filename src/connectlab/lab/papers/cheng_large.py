"""The future work of Cheng, Fan and Nguyen: Q-learning as the board and N grow.

They hope that on large boards search of small budgets grows so weak that Q-learning can "perform
competitively". Here tables learn by self-play, and play against search of a fixed budget.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from connectlab.lab.measures import parse_measure
from connectlab.lab.papers.cells import Board, Cell
from connectlab.lab.papers.cheng_common import PAPER, board_name
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.large_plot import draw_panels
from connectlab.lab.papers.lines import Line, by_repeat, make_line
from connectlab.lab.papers.outcomes import NOT_COMPUTED
from connectlab.lab.papers.page import Compared, Picture, Report, Table, spread_text
from connectlab.lab.papers.results import Found, measured_of
from connectlab.lab.statistics import Spread
from connectlab.lab.wording import count, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=300, repeats=1, tests=4),
    "quick": Size(games=100_000, repeats=3, tests=200),
    "full": Size(games=1_000_000, repeats=3, tests=1_000),
}
BOARDS = (
    Board(columns=4, rows=4, connect=3),
    Board(columns=5, rows=4, connect=4),
    Board(columns=5, rows=5, connect=4),
    Board(columns=6, rows=5, connect=4),
    Board(),
    Board(columns=8, rows=7, connect=4),
    Board(columns=8, rows=7, connect=5),
)
OPPONENTS = ("random", "minimax:depth=2", "mcts:iterations=20", "mcts:iterations=100")
SEARCH = OPPONENTS[1:]
LARGEST = BOARDS[-2:]
UNTRAINED = "untrained"
PLAIN = "no known states"
HOPE = 'future work: "could potentially allow Q learning to perform competitively"'


def score_of(opponent: str, size: Size) -> str:
    """Return the measure: games from both sides in turn."""
    return parse_measure(f'score:"{opponent}",games={size.tests}').spec


def training_budgets(size: Size) -> dict[str, int]:
    """Return the games of self-play of each line, by its name."""
    budgets = (size.games // 100, size.games // 10, size.games)
    return {UNTRAINED: 1, **{count(games, "game"): games for games in budgets}}


def lines_of(board: Board, size: Size) -> list[Line]:
    """Return the learners of a board: budgets with known states, and the largest without."""
    made = [_line(name, board, size, games) for name, games in training_budgets(size).items()]
    return [*made, _line(PLAIN, board, size, size.games, known="off")]


def _line(name: str, board: Board, size: Size, games: int, **changes: object) -> Line:
    final = tuple(score_of(opponent, size) for opponent in OPPONENTS)
    shaped = {**board.model_dump(), **changes}
    return make_line(
        name, "qtable", "quick", replace(size, games=games), shaped, measures=(), final=final
    )


def place(board: Board) -> str:
    """Return board and N, such as "7x6, N = 4"."""
    return f"{board_name(board)}, N = {board.connect}"


@dataclass(frozen=True)
class Scores:
    """Mean scores by opponent, line and board, as far as they were computed."""

    spreads: Mapping[tuple[str, str, Board], Spread]

    @classmethod
    def of(cls, found: Found, size: Size) -> "Scores":
        """Read the results."""
        spreads = {
            (opponent, line.name, board): spread
            for board in BOARDS
            for line in lines_of(board, size)
            for opponent in OPPONENTS
            if (spread := _spread(line, score_of(opponent, size), found)) is not None
        }
        return cls(spreads)

    def mean(self, opponent: str, line: str, board: Board) -> float | None:
        """Return a mean score."""
        spread = self.spreads.get((opponent, line, board))
        return None if spread is None else spread.mean

    def gain(self, opponent: str, line: str, board: Board) -> float | None:
        """Return what training added to the score of an untrained player."""
        after = self.mean(opponent, line, board)
        before = self.mean(opponent, UNTRAINED, board)
        return None if after is None or before is None else after - before

    def to_json(self) -> list[dict[str, object]]:
        """Return all spreads as plain data."""
        return [
            {"opponent": opponent, "line": line, "board": place(board), **spread.to_json()}
            for (opponent, line, board), spread in self.spreads.items()
        ]


def _spread(line: Line, measure: str, found: Found) -> Spread | None:
    results = [result for cell in line.cells if (result := found.get(cell)) is not None]
    values = [m.value for r in results for m in measured_of(r) if m.name == measure]
    return Spread.of([value for value in values if value is not None])


@dataclass(frozen=True, kw_only=True)
class LargeBoards(Experiment):
    """Scores of tables against search, board by board."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the runs of all boards, first repeats first."""
        return by_repeat([line for board in BOARDS for line in lines_of(board, size)])

    def report(self, found: Found, size: Size) -> Report:
        """Draw score against board for each opponent, and say what training adds."""
        scores = Scores.of(found, size)
        most = list(training_budgets(size))[-1]
        return Report(
            settings=_settings(size),
            compared=[_compared(scores, each, most, board) for board in LARGEST for each in SEARCH],
            differences=_differences(scores, most),
            tables=[_table(scores, opponent, size) for opponent in OPPONENTS],
            pictures=[Picture("boards.png", _draw(scores, size), _CAPTION)],
            data={"scores": scores.to_json()},
            summary=_summary(scores, most),
        )


_CAPTION = "Mean score over the runs as the board grows; bars: one standard deviation"


def _settings(size: Size) -> str:
    budgets = ", ".join(f"{games:,}" for games in list(training_budgets(size).values())[1:])
    return (
        f"Q-learning by self-play, known states and mirror images (preset `quick`), {budgets} "
        f"games, {count(size.repeats, 'run')} each ({size.seeds}). "
        f"*{UNTRAINED}*: known states after one game. *{PLAIN}*: the same table without "
        f"them, {size.games:,} games. Score: {count(size.tests, 'game')} against each opponent, "
        "sides alternate, a draw counts half."
    )


def _compared(scores: Scores, opponent: str, line: str, board: Board) -> Compared:
    spread = scores.spreads.get((opponent, line, board))
    what = f"score against {opponent} on {place(board)}, {line}"
    if spread is None:
        return Compared(what, HOPE, NOT_COMPUTED)
    return Compared(what, HOPE, spread_text(spread), spread.mean, spread.mean_interval)


def _table(scores: Scores, opponent: str, size: Size) -> Table:
    names = [*training_budgets(size), PLAIN]
    most = names[-2]
    rows = [
        (
            place(board),
            *(_text(scores.spreads.get((opponent, name, board))) for name in names),
            _signed(scores.gain(opponent, most, board)),
        )
        for board in BOARDS
    ]
    headings = ("board", *names, f"{most} add")
    return Table(f"Against {opponent}", headings, rows)


def _text(spread: Spread | None) -> str:
    if spread is None:
        return NOT_COMPUTED
    deviation = f" ± {spread.standard_deviation:.3f}" if spread.n > 1 else ""
    return f"{spread.mean:.3f}{deviation}"


def _signed(gain: float | None) -> str:
    return "" if gain is None else signed(gain, 3)


def _differences(scores: Scores, most: str) -> str:
    told = [_opponent_line(scores, opponent, most) for opponent in SEARCH]
    return (
        "The paper only asks the question, so all settings are ours: self-play, so that no "
        "opponent of the test is known beforehand, and budgets of search and of training that stay "
        f"the same on every board. {' '.join(filter(None, told))} {_plain_line(scores)} Known "
        "states look one move ahead on every board alike; what the table adds rests on meeting a "
        "state again, and the number of states grows with every cell of the board."
    )


def _opponent_line(scores: Scores, opponent: str, most: str) -> str:
    small, large = BOARDS[0], BOARDS[-1]
    ends = [scores.mean(opponent, most, board) for board in (small, large)]
    gains = [scores.gain(opponent, most, board) for board in (small, large)]
    added = [signed(gain, 2) for gain in gains if gain is not None]
    if None in ends or len(added) < len(gains):
        return ""
    verdict = "at least even" if (ends[1] or 0) >= 0.5 else "behind"
    return (
        f"Against {opponent} a table of {most} scores {ends[0]:.2f} on {place(small)} and "
        f"{ends[1]:.2f} on {place(large)} ({verdict}); training added {added[0]} "
        f"and {added[1]}."
    )


def _plain_line(scores: Scores) -> str:
    """Say how a table that knows nothing of its own does against random, board by board."""
    means = [scores.mean("random", PLAIN, board) for board in BOARDS]
    there = [f"{mean:.2f}" for mean in means if mean is not None]
    return (
        f"Without known states the scores against random are {', '.join(there)}." if there else ""
    )


def _summary(scores: Scores, most: str) -> str:
    return _opponent_line(scores, OPPONENTS[-1], most) or NOT_COMPUTED


def _draw(scores: Scores, size: Size) -> "Drawing":
    names = [*training_budgets(size), PLAIN]
    labels = [f"{board_name(board)}\nN = {board.connect}" for board in BOARDS]
    panels = {
        opponent: {
            name: [scores.spreads.get((opponent, name, board)) for board in BOARDS]
            for name in names
        }
        for opponent in OPPONENTS
    }
    return draw_panels(panels, labels)


EXPERIMENTS: Sequence[Experiment] = [
    LargeBoards(
        name="cheng-large-n",
        paper=PAPER,
        title="Q-learning against search of small budgets as the board grows (future work)",
        published="only the hope that Q-learning performs competitively where N is large",
        sizes=SIZES,
        core_minutes={"mini": 0.1, "quick": 2, "full": 15},
    )
]

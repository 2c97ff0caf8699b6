"""Tables 2 and 3 of Cheng, Fan and Nguyen: the Q-learner moves first."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from connectlab.lab.papers.cheng_common import D2, D4, MCTS, PAPER, SILENT, SIZES, SQUARE
from connectlab.lab.papers.cheng_learners import (
    FIRST,
    PLAIN,
    READINGS,
    draws_line,
    learners_settings,
    line,
    taught,
    untrained,
)
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.outcome_tables import Grid, OutcomesExperiment
from connectlab.lab.papers.outcomes import NOT_COMPUTED, Contest, Published, beside
from connectlab.lab.papers.results import Found

TRAINED = "trained"
ON_SQUARE = "trained, on 7x7"
PLAIN_FIRST = {
    "random": ("Random", "0.7604 / 0.1118 / 0.1278"),
    MCTS: ("MCTS, 200 iterations", "0.75 / 0.05 / 0.2"),
    D2: ("Minimax d2", "0.139 / 0.351 / 0.51"),
    D4: ("Minimax d4", "0.0 / 0.4 / 0.6"),
}
KNOWN_FIRST = {
    "random": ("Random", "0.7502 / 0.1192 / 0.1306"),
    D2: ("Minimax d2", "0.149 / 0.334 / 0.517"),
    D4: ("Minimax d4", "0.0905 / 0.8438 / 0.0657"),
}


def _plain_first(size: Size) -> Sequence[Contest]:
    return [taught(PLAIN, size, *row) for row in _rows(PLAIN_FIRST)]


def _known_first(size: Size) -> Sequence[Contest]:
    return [taught(FIRST, size, *row) for row in _rows(KNOWN_FIRST)]


def _rows(table: Mapping[str, tuple[str, str]]) -> list[tuple[str, str, str]]:
    return [(opponent, name, printed) for opponent, (name, printed) in table.items()]


def _trained_or_not(reading: str, table: Mapping[str, tuple[str, str]], size: Size) -> Grid:
    lines = {
        TRAINED: line(reading, size),
        "untrained (one game)": untrained(reading, size),
        ON_SQUARE: line(reading, size, SQUARE),
    }
    rows = {
        name: [taught(reading, size, *row, cells=runs.cells) for row in _rows(table)]
        for name, runs in lines.items()
    }
    columns = [name for name, _ in table.values()]
    note = (
        'The paper found the win rate after 10,000 games "not much higher than using the untrained '
        'Q Learner".'
    )
    return Grid("What training is worth, and the board", "learner", columns, rows, note)


def _plain_grids(size: Size) -> Sequence[Grid]:
    return [_trained_or_not(PLAIN, PLAIN_FIRST, size)]


def _known_grids(size: Size) -> Sequence[Grid]:
    return [_trained_or_not(FIRST, KNOWN_FIRST, size), _readings(size)]


def _readings(size: Size) -> Grid:
    rows = {
        f"{reading} (`known={settings['known']}`, `shaping={settings['shaping']}`)".lower(): [
            taught(reading, size, *row) for row in _rows(KNOWN_FIRST)
        ]
        for reading, settings in READINGS.items()
    }
    columns = [name for name, _ in KNOWN_FIRST.values()]
    note = (
        "Section 4.0.2 leaves open whether a state is populated once or whenever it is met, and "
        "whether the numbers 15, 20 and 25 are values or rewards. Each reading is a setting; "
        f"*{FIRST}* is the preset `cheng-known`, *{PLAIN}* the preset `cheng` of Table 2."
    )
    return Grid("Which reading comes nearest", "reading", columns, rows, note)


def _tell_plain(found: Found, size: Size) -> str:
    return (
        f"{SILENT} {draws_line(_plain_first(size)[2:], found)} {_square_line(found, size)} "
        f"{_mcts_line(found, size)} Minimax of depth 2 and 4 are among the opponents in training "
        '(the paper: "many different strategies"), so some lines against them are learned by '
        "heart, and runs differ by far more than games of a run do."
    )


def _square_line(found: Found, size: Size) -> str:
    """Say which board gives the draws, and what the paper supposes."""
    grid = _trained_or_not(PLAIN, PLAIN_FIRST, size).rows
    standard, square = (beside(grid[name][2:], found) for name in (TRAINED, ON_SQUARE))
    if not square or not standard:
        return ""
    enough = fmean(pair.published.shares.draws for pair in square) / 2
    here, there = (fmean(p.ours.shares.draws for p in each) for each in (standard, square))
    boards = [name for name, draws in (("7x6", here), ("7x7", there)) if draws >= enough]
    given = f"half of them or more come about on {' and '.join(boards)}"
    return (
        f"On 7x7, whose rare draws fit the paper's random games better, it is {there:.3f} of ours: "
        f"{given if boards else 'neither board gives them'}. The paper supposes (section 5.0.5) "
        "that its learner shuts down enough streaks of minimax to fill the board."
    )


def _mcts_line(found: Found, size: Size) -> str:
    pairs = beside(_plain_first(size)[1:2], found)
    shares = [f"{pair.ours.shares.wins:.3f}" for pair in pairs]
    ours = shares[0] if shares else NOT_COMPUTED
    return (
        f"The paper's learner, which stacks stones in one column, wins 0.75 against its MCTS; "
        f"share of wins against ours: {ours}."
    )


def _tell_known(found: Found, size: Size) -> str:
    return (
        f"{SILENT} {draws_line(_known_first(size)[1:], found)} A move that wins at once has the "
        "highest known value, and who always takes it can hardly lose to random; against random "
        f"the paper's player wins no more often with known states ({_printed(KNOWN_FIRST)}) than "
        f"without ({_printed(PLAIN_FIRST)}). So its Table 3 speaks for rewards and against values, "
        f"its section 4.0.2 for values. {_nearest_line(found, size)}"
    )


def _printed(table: Mapping[str, tuple[str, str]]) -> float:
    """Return the printed share of wins against random."""
    return Published(table["random"][1]).shares.wins


def _nearest_line(found: Found, size: Size) -> str:
    """Say which reading comes nearest in wins and in outcomes."""
    pairs = {name: beside(row, found) for name, row in _readings(size).rows.items()}
    whole = {name: each for name, each in pairs.items() if len(each) == len(KNOWN_FIRST)}
    if len(whole) < len(READINGS):
        return "Not all readings are computed."
    wins = {
        name: fmean(abs(p.ours.shares.wins - p.published.shares.wins) for p in each)
        for name, each in whole.items()
    }
    outcomes = {name: fmean(p.off_by for p in each) for name, each in whole.items()}
    nearest, closest = min(wins, key=wins.__getitem__), min(outcomes, key=outcomes.__getitem__)
    never = fmean(p.published.shares.draws for p in whole[nearest])
    return (
        f"In wins *{nearest}* comes nearest ({wins[nearest]:.3f}), in outcomes *{closest}* "
        f"({outcomes[closest]:.3f}), where one that never draws is off by {never:.3f} at least."
    )


EXPERIMENTS: list[Experiment] = [
    OutcomesExperiment(
        name="cheng-table2",
        paper=PAPER,
        title="A Q-learner trained on 10,000 games moves first (Table 2)",
        published="wins .76 against random; draws a third of its games against minimax",
        sizes=SIZES,
        core_minutes={"mini": 0.1, "quick": 0.3, "full": 2},
        contests=_plain_first,
        grids=_plain_grids,
        settings=learners_settings,
        differences=_tell_plain,
    ),
    OutcomesExperiment(
        name="cheng-table3",
        paper=PAPER,
        title="The Q-learner with known states moves first (Table 3)",
        published="wins .75 against random; draws .84 of its games against minimax of depth 4",
        sizes=SIZES,
        core_minutes={"mini": 0.1, "quick": 1, "full": 4},
        contests=_known_first,
        grids=_known_grids,
        settings=learners_settings,
        differences=_tell_known,
    ),
]

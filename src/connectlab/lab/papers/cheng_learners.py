"""The Q-learners of Cheng, Fan and Nguyen, in each reading of their known states."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from connectlab.lab.measures import parse_measure
from connectlab.lab.papers.cells import Board, TrainingCell
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line, make_line
from connectlab.lab.papers.outcomes import Contest, Published, beside
from connectlab.lab.papers.results import Found
from connectlab.lab.wording import count

PRESET = "cheng-known"
PLAIN = "none"
FIRST = "values, once"
READINGS: Mapping[str, Mapping[str, object]] = {
    PLAIN: {"known": "off", "shaping": False},
    FIRST: {"known": "first", "shaping": False},
    "values, always": {"known": "always", "shaping": False},
    "rewards": {"known": "off", "shaping": True},
    "values once, and rewards": {"known": "first", "shaping": True},
    "values always, and rewards": {"known": "always", "shaping": True},
}
"""The readings of "known states and shaping rewards", as settings of the learner."""
OPPONENTS = ("random", "mcts:iterations=200", *(f"minimax:depth={depth}" for depth in (2, 4, 5)))


def score_of(opponent: str, size: Size) -> str:
    """Return the measure: games that the learner begins."""
    return parse_measure(f'score:"{opponent}",games={size.tests},sides=first').spec


def line(reading: str, size: Size, board: Board | None = None) -> Line:
    """Return the runs of a reading; all are measured alike, so that tables share them."""
    shape = (board or Board()).model_dump()
    final = tuple(score_of(opponent, size) for opponent in OPPONENTS)
    changes = {**READINGS[reading], **shape}
    return make_line(reading, "qtable", PRESET, size, changes, measures=(), final=final)


def untrained(reading: str, size: Size) -> Line:
    """Return players that have learned from a single game."""
    return line(reading, replace(size, games=1))


def taught(
    reading: str,
    size: Size,
    opponent: str,
    name: str,
    printed: str,
    *,
    cells: tuple[TrainingCell, ...] | None = None,
    flip: bool = False,
) -> Contest:
    """Return the games of learners against an opponent; ``flip`` tells them from its side."""
    runs = line(reading, size).cells if cells is None else cells
    return Contest(name, runs, Published(printed), score_of(opponent, size), seen_by_opponent=flip)


def learners_settings(size: Size) -> str:
    """Say how the learners were taught and tested."""
    return (
        f"Q-learners: {count(size.games, 'game')} as first player against random, extend and "
        f"minimax of depth 2 and 4 in turn, VDBE-softmax, limited traces, ties by first index, "
        f"{count(size.repeats, 'run')} ({size.seeds}); then {count(size.tests, 'game')} of each "
        "as first player against each opponent, without exploring."
    )


def draws_line(contests: Sequence[Contest], found: Found) -> str:
    """Say how many games of the Q-learners against minimax are drawn, there and here."""
    pairs = beside(contests, found)
    if not pairs:
        return "Draws of the Q-learners against minimax: not computed."
    theirs = fmean(pair.published.shares.draws for pair in pairs)
    ours = fmean(pair.ours.shares.draws for pair in pairs)
    return (
        f"Of the games of Q-learners against minimax {theirs:.2f} of the paper's are drawn, and "
        f"{ours:.3f} of ours."
    )

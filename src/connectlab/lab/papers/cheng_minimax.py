"""Tables 4 and 5 of Cheng, Fan and Nguyen: minimax moves second, and the shares are its own."""

from collections.abc import Mapping, Sequence

from connectlab.lab.papers.cells import Board
from connectlab.lab.papers.cheng_common import (
    D2,
    D4,
    D5,
    D5_RANDOM,
    PAPER,
    SILENT,
    SIZES,
    SQUARE,
    board_name,
    matches_settings,
    play,
    twice_line,
)
from connectlab.lab.papers.cheng_learners import (
    FIRST,
    PLAIN,
    draws_line,
    learners_settings,
    taught,
)
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.outcome_tables import Grid, OutcomesExperiment
from connectlab.lab.papers.outcomes import Contest, match
from connectlab.lab.papers.results import Found

MIDDLE = "minimax:depth=4,force_center=true"
OWN_CHANCE = (
    "Ours draws among equally good columns; a player that takes the first one plays the same game "
    "again and again, which is how shares of 0 and 1 come about."
)


def _seen_by_minimax(
    opponent: str, size: Size, matches: Mapping[str, tuple[str, str]], q: tuple[str, str]
) -> Sequence[Contest]:
    rows = [
        match(play(first, opponent, size), name, printed, flip=True)
        for name, (first, printed) in matches.items()
    ]
    for reading, name, printed in zip(
        (PLAIN, FIRST), ("Q-learning", "Q-learning with known states"), q, strict=True
    ):
        rows.append(taught(reading, size, opponent, name, printed, flip=True))
    return rows


AGAINST_D2 = {
    "Random": ("random", "0.87 / 0.0 / 0.13"),
    "Extend": ("extend", "1.0 / 0.0 / 0.0"),
    "Minimax d2": (D2, "1.0 / 0.0 / 0.0"),
}
AGAINST_D5 = {
    "Random": ("random", D5_RANDOM),
    "Minimax d4": (D4, "1.0 / 0.0 / 0.0"),
    "Minimax d4, first move in the middle": (MIDDLE, "0.0 / 0.0 / 1.0"),
}


def _against_d2(size: Size) -> Sequence[Contest]:
    q = ("0.51 / 0.351 / 0.139", "0.517 / 0.334 / 0.149")
    return _seen_by_minimax(D2, size, AGAINST_D2, q)


def _against_d5(size: Size) -> Sequence[Contest]:
    q = ("0.6 / 0.4 / 0.0", "0.512 / 0.487 / 0.001")
    return _seen_by_minimax(D5, size, AGAINST_D5, q)


def _by_board(title: str, second: str, firsts: Mapping[str, str], size: Size, note: str) -> Grid:
    boards = (Board(), SQUARE)
    rows = {
        name: [match(play(first, second, size, board), name, flip=True) for board in boards]
        for name, first in firsts.items()
    }
    columns = [board_name(board) for board in boards]
    told = f"{note} From the side of the second player.".strip()
    return Grid(title, "first player", columns, rows, told)


def _d2_grids(size: Size) -> Sequence[Grid]:
    firsts = {name: first for name, (first, _) in AGAINST_D2.items()}
    return [_by_board("Minimax d2 second, by board", D2, firsts, size, "")]


def _d5_grids(size: Size) -> Sequence[Grid]:
    firsts = {"d4": D4, "d4, first move in the middle": MIDDLE}
    note = (
        "Section 5.0.4: minimax of depth 4 against itself is won by the second player, unless "
        "the first begins in the middle; then by the first."
    )
    return [
        _by_board("Minimax d5 second, by board", D5, firsts, size, ""),
        _by_board("Minimax d4 second, against d2 and itself", D4, {"d2": D2, **firsts}, size, note),
    ]


def _tell_d2(found: Found, size: Size) -> str:
    del found, size
    return (
        f"{SILENT} Minimax of depth 2 is printed to win every game as second player against itself "
        f"and against extend, as single games repeated would have it. {OWN_CHANCE} The rows of the "
        "Q-learners are those of Tables 2 and 3 from the other side, and differ as told there."
    )


def _tell_d5(found: Found, size: Size) -> str:
    return (
        f"{SILENT} Depth 4 against depth 5 is printed as one game repeated would give; section "
        f"5.0.4 says of the same players that they often split and tie many times. {OWN_CHANCE} "
        f"{_middle_line(found, size)} {_itself_line(found, size)} "
        f"{draws_line(_against_d5(size)[-2:], found)} {twice_line(found, size)}"
    )


def _middle_line(found: Found, size: Size) -> str:
    rows = {contest.name: contest.ours(found) for contest in _against_d5(size)}
    anywhere, middle = rows["Minimax d4"], rows["Minimax d4, first move in the middle"]
    if anywhere is None or middle is None:
        return "Not computed yet."
    more = middle.shares.losses > anywhere.shares.losses
    return (
        f"To begin in the middle {'helps' if more else 'does not help'} the first player: depth 5 "
        "loses "
        f"{middle.shares.losses:.3f} of the games then, and {anywhere.shares.losses:.3f} otherwise."
    )


def _itself_line(found: Found, size: Size) -> str:
    """Put minimax of depth 4 against itself beside what section 5.0.4 says of it."""
    anywhere, middle = (
        match(play(first, D4, size, Board()), D4, flip=True).ours(found) for first in (D4, MIDDLE)
    )
    if anywhere is None or middle is None:
        return ""
    return (
        "Depth 4 against itself, which section 5.0.4 has won by the second player, and by the "
        f"first if that begins in the middle: the second wins {anywhere.shares.wins:.3f} and loses "
        f"{anywhere.shares.losses:.3f} here, and {middle.shares.wins:.3f} and "
        f"{middle.shares.losses:.3f} if the first begins in the middle."
    )


def _both_settings(size: Size) -> str:
    return f"{matches_settings(size)} {learners_settings(size)}"


EXPERIMENTS: list[Experiment] = [
    OutcomesExperiment(
        name="cheng-table4",
        paper=PAPER,
        title="Minimax of depth 2 moves second (Table 4)",
        published="beats extend and itself always, random in .87 and the Q-learners in half",
        sizes=SIZES,
        core_minutes={"mini": 0.1, "quick": 0.3, "full": 2},
        contests=_against_d2,
        grids=_d2_grids,
        settings=_both_settings,
        differences=_tell_d2,
    ),
    OutcomesExperiment(
        name="cheng-table5",
        paper=PAPER,
        title="Minimax of depth 5 moves second (Table 5)",
        published="beats depth 4 always, and loses always if depth 4 begins in the middle",
        sizes=SIZES,
        core_minutes={"mini": 0.1, "quick": 0.5, "full": 3},
        contests=_against_d5,
        grids=_d5_grids,
        settings=_both_settings,
        differences=_tell_d5,
    ),
]

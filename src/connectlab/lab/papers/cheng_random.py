"""Table 1 of Cheng, Fan and Nguyen: random moves first."""

from collections.abc import Sequence

from connectlab.lab.papers.cheng_common import (
    BOARDS,
    D2,
    D4,
    D5,
    MCTS,
    PAPER,
    RANDOM_D5,
    SILENT,
    SIZES,
    board_name,
    matches_settings,
    play,
    twice_line,
)
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.outcome_tables import Grid, OutcomesExperiment
from connectlab.lab.papers.outcomes import Contest, Published, match
from connectlab.lab.papers.results import Found

FULL_WIDTH = "alpha_beta=false"
BUDGETS = (1, 2, 5, 10, 20, 50, 200)
RANDOM_FIRST = {
    "Random": ("random", "0.5607 / 0.0002 / 0.4391"),
    "Extend": ("extend", "0.04 / 0.0 / 0.96"),
    "MCTS, 200 iterations": (MCTS, "0.2 / 0.0 / 0.8"),
    "Minimax d2": (f"{D2},{FULL_WIDTH}", "0.13 / 0.0 / 0.87"),
    "Minimax d2 alpha-beta": (D2, "0.65 / 0.0 / 0.35"),
    "Minimax d4": (f"{D4},{FULL_WIDTH}", "0.01 / 0.0 / 0.99"),
    "Minimax d4 alpha-beta": (D4, "0.02 / 0.0 / 0.98"),
    "Minimax d5": (f"{D5},{FULL_WIDTH}", RANDOM_D5),
    "Minimax d5 alpha-beta": (D5, ""),
}


def _random_first(size: Size) -> Sequence[Contest]:
    return [
        match(play("random", second, size), name, printed)
        for name, (second, printed) in RANDOM_FIRST.items()
    ]


def _random_grids(size: Size) -> Sequence[Grid]:
    return [_random_by_board(size), _random_by_budget(size)]


def _random_by_board(size: Size) -> Grid:
    rows = {
        name: [
            match(play("random", second, size, board, factor=10 if second == "random" else 1), name)
            for board in BOARDS
        ]
        for name, second in (("Random", "random"), ("Extend", "extend"), ("d2", D2), ("d4", D4))
    }
    note = (
        "The printed draws between random players, .0002, are rare enough for a large board only."
    )
    columns = [board_name(board) for board in BOARDS]
    return Grid("Random first, by board", "against", columns, rows, note)


def _random_by_budget(size: Size) -> Grid:
    rows = {
        f"{iterations}": [match(play("random", f"mcts:iterations={iterations}", size), "MCTS")]
        for iterations in BUDGETS
    }
    note = "How few iterations of ours leave random the .2 that the paper's MCTS leaves it."
    return Grid("Random first against MCTS, by iterations", "iterations", ["MCTS"], rows, note)


def _tell_random(found: Found, size: Size) -> str:
    same = "" if found.missing else _alpha_beta_line(found, size)
    return (
        f"{SILENT} Why its minimax of depth 2 leaves random so many games is not said. Its "
        "alpha-beta begins with the range ±1000 although a streak of n is worth 2,000,000: "
        "that cuts wins and losses down to the same size, so its pruned player is another one. "
        "Ours searches with an open window, and pruning changes the time of a move and nothing "
        f"else{same}. The section on MCTS is empty: ours is UCT with random rollouts"
        f"{_budget_line(found, size)}. *Extend* breaks ties between streaks at random; how the end "
        f"of a streak is drawn is not said. {twice_line(found, size)}"
    )


def _budget_line(found: Found, size: Size) -> str:
    """Say which budget of ours leaves random what the paper's MCTS leaves it."""
    printed = Published(RANDOM_FIRST["MCTS, 200 iterations"][1]).shares.wins
    rows = {name: row[0].ours(found) for name, row in _random_by_budget(size).rows.items()}
    apart = {name: abs(ours.shares.wins - printed) for name, ours in rows.items() if ours}
    if len(apart) < len(BUDGETS):
        return ""
    nearest = min(apart, key=apart.__getitem__)
    return (
        f", and of the budgets in the table {nearest} comes nearest to the paper's 200 iterations"
    )


def _alpha_beta_line(found: Found, size: Size) -> str:
    by_name = {contest.name: contest.ours(found) for contest in _random_first(size)}
    pairs = [(f"Minimax d{d}", f"Minimax d{d} alpha-beta") for d in (2, 4, 5)]
    equal = sum(by_name[plain] == by_name[pruned] for plain, pruned in pairs)
    return f" (with the same seed, the same outcomes and distinct games at {equal} of 3 depths)"


EXPERIMENTS: list[Experiment] = [
    OutcomesExperiment(
        name="cheng-table1",
        paper=PAPER,
        title="Random moves first (Table 1)",
        published="random beats random in .56, alpha-beta of depth 2 in .65, and loses to the rest",
        sizes=SIZES,
        core_minutes={"mini": 0.1, "quick": 0.2, "full": 3},
        contests=_random_first,
        grids=_random_grids,
        settings=matches_settings,
        differences=_tell_random,
    ),
]

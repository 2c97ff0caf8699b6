"""Cheng, Fan and Nguyen, "Connect N: A Reinforcement Learning Approach": Tables 1 to 5.

The paper gives wins, draws and losses, and neither the board (square, of unknown size), nor the
number of test games, nor most settings of its Q-learner; docs/qtable.md lists what is assumed.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from connectlab.lab.papers.cells import Board, MatchCell
from connectlab.lab.papers.cheng_learners import (
    FIRST,
    PLAIN,
    READINGS,
    learners_settings,
    line,
    taught,
    untrained,
)
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.outcome_tables import Grid, OutcomesExperiment, summary
from connectlab.lab.papers.outcomes import Contest, beside, match
from connectlab.lab.papers.results import Found
from connectlab.lab.wording import count

PAPER = "Cheng et al."
MATCH_GAMES = 10
"""Games of a match for each game that tests a learner: nobody has to learn first."""
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=200, repeats=1, tests=10),
    "quick": Size(games=10_000, repeats=3, tests=200),
    "full": Size(games=10_000, repeats=10, tests=1_000),
}
SQUARE = Board(columns=7, rows=7)
BOARDS = (Board(columns=6, rows=6), Board(), SQUARE, Board(columns=8, rows=7))
MCTS = "mcts:iterations=200"
D2, D4, D5 = (f"minimax:depth={depth}" for depth in (2, 4, 5))
MIDDLE = "minimax:depth=4,force_center=true"
FULL_WIDTH = "alpha_beta=false"
BUDGETS = (1, 2, 5, 10, 20, 50, 200)
SILENT = (
    "The paper's boards are square, and it does not say how large; ours is the standard board of 7 "
    "columns and 6 rows unless a table says otherwise."
)
OWN_CHANCE = (
    "Ours draws among equally good columns; a player that takes the first one plays the same game "
    "again and again, which is how shares of 0 and 1 come about."
)


def play(
    first: str, second: str, size: Size, board: Board | None = None, *, factor: int = 1
) -> MatchCell:
    """Return a match with fixed sides."""
    games = factor * MATCH_GAMES * size.tests
    return MatchCell(first=first, second=second, games=games, board=board or Board())


def _board_name(board: Board) -> str:
    return f"{board.columns}x{board.rows}"


# Table 1: random moves first.

RANDOM_FIRST = {
    "Random": ("random", "0.5607 / 0.0002 / 0.4391"),
    "Extend": ("extend", "0.04 / 0.0 / 0.96"),
    "MCTS, 200 iterations": (MCTS, "0.2 / 0.0 / 0.8"),
    "Minimax d2": (f"{D2},{FULL_WIDTH}", "0.13 / 0.0 / 0.87"),
    "Minimax d2 alpha-beta": (D2, "0.65 / 0.0 / 0.35"),
    "Minimax d4": (f"{D4},{FULL_WIDTH}", "0.01 / 0.0 / 0.99"),
    "Minimax d4 alpha-beta": (D4, "0.02 / 0.0 / 0.98"),
    "Minimax d5": (f"{D5},{FULL_WIDTH}", "0.03 / 0.0 / 0.97"),
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
    columns = [_board_name(board) for board in BOARDS]
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
        f"{SILENT} Its minimax is weaker than ours of the same depth against random, and its "
        "alpha-beta begins with the range ±1000 although a streak of n is worth 2,000,000: "
        "that cuts wins and losses down to the same size, so its pruned player is another one. "
        "Ours searches with an open window, and pruning changes the time of a move and nothing "
        f"else{same}. The section on MCTS is empty: ours is UCT with random rollouts, and how few "
        "iterations it takes to play as the paper's stands in the table. *Extend* breaks ties "
        "between streaks at random; how the end of a streak is drawn is not said."
    )


def _alpha_beta_line(found: Found, size: Size) -> str:
    by_name = {contest.name: contest.ours(found) for contest in _random_first(size)}
    pairs = [(f"Minimax d{d}", f"Minimax d{d} alpha-beta") for d in (2, 4, 5)]
    equal = sum(by_name[plain] == by_name[pruned] for plain, pruned in pairs)
    return f" (with the same seed, the same outcomes and distinct games at {equal} of 3 depths)"


# Tables 2 and 3: the Q-learner moves first.

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
        "trained": line(reading, size),
        "untrained (one game)": untrained(reading, size),
        "trained, on 7x7": line(reading, size, SQUARE),
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
        reading: [taught(reading, size, *row) for row in _rows(KNOWN_FIRST)] for reading in READINGS
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
        f"{SILENT} {_draws_line(_plain_first(size), found)} Its random games (Table 1) fit a large "
        "board, and on 7x7 ours draws no more often, so the draws are not the board's; they must "
        "be the program's, and the paper does not say how. Its MCTS loses to a player that stacks "
        "stones in one column; ours with 200 iterations does not. Minimax of depth 2 and 4 are "
        'among the opponents in training (the paper: "many different strategies"), so some lines '
        "against them are learned by heart, and runs differ by far more than games of a run do."
    )


def _tell_known(found: Found, size: Size) -> str:
    return (
        f"{SILENT} {_draws_line(_known_first(size), found)} A move that wins at once has the "
        "highest known value, and a player that takes it beats random nearly always; the paper's "
        "wins no more often with known states than without. So its Table 3 speaks for rewards and "
        f"against values, its section 4.0.2 for values. {_nearest_line(found, size)}"
    )


def _draws_line(contests: Sequence[Contest], found: Found) -> str:
    pairs = [pair for pair in beside(contests, found) if "Minimax" in pair.contest.name]
    if not pairs:
        return "Not computed yet."
    theirs = fmean(pair.published.shares.draws for pair in pairs)
    ours = fmean(pair.ours.shares.draws for pair in pairs)
    return f"Against minimax {theirs:.2f} of the paper's games are drawn, and {ours:.3f} of ours."


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
        f"({outcomes[closest]:.3f}), where a player that never draws is off by {never:.3f} at least."
    )


# Tables 4 and 5: minimax moves second, and the shares are its own.


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
    "Random": ("random", "0.99 / 0.0 / 0.01"),
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
    columns = [_board_name(board) for board in boards]
    return Grid(title, "first player", columns, rows, f"{note} From the side of the second player.")


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
        _by_board("Minimax d4 against itself", D4, {"d2": D2, **firsts}, size, note),
    ]


def _tell_d2(found: Found, size: Size) -> str:
    del found, size
    return (
        f"{SILENT} Minimax of depth 2 is printed to win every game as second player against itself, "
        f"and so is extend to lose every one: single games repeated. {OWN_CHANCE} The rows of the "
        "Q-learners are those of Tables 2 and 3 from the other side, and differ as told there."
    )


def _tell_d5(found: Found, size: Size) -> str:
    return (
        f"{SILENT} Depth 4 against depth 5 is printed as one game repeated; section 5.0.4 says of the "
        f"same players that they often split and tie many times. {OWN_CHANCE} "
        f"{_middle_line(found, size)} The rows of the Q-learners have no draws to speak of here, "
        "as in Tables 2 and 3."
    )


def _middle_line(found: Found, size: Size) -> str:
    rows = {contest.name: contest.ours(found) for contest in _against_d5(size)}
    anywhere, middle = rows["Minimax d4"], rows["Minimax d4, first move in the middle"]
    if anywhere is None or middle is None:
        return "Not computed yet."
    verb = "helps" if middle.shares.losses > anywhere.shares.losses else "does not help"
    return (
        f"To begin in the middle {verb} the first player, as the paper found: depth 5 loses "
        f"{middle.shares.losses:.3f} of the games then, and {anywhere.shares.losses:.3f} otherwise."
    )


def _matches_settings(size: Size) -> str:
    games = count(MATCH_GAMES * size.tests, "game")
    return (
        f"Matches of {games} with fixed sides on the standard board (random against random by board: "
        "ten times as many)."
    )


def _both_settings(size: Size) -> str:
    return f"{_matches_settings(size)} {learners_settings(size)}"


EXPERIMENTS: list[Experiment] = [
    OutcomesExperiment(
        name="cheng-table1",
        paper=PAPER,
        title="Random moves first (Table 1)",
        published="random beats random in 56 % of the games and loses to all others",
        sizes=SIZES,
        contests=_random_first,
        grids=_random_grids,
        settings=_matches_settings,
        differences=_tell_random,
    ),
    OutcomesExperiment(
        name="cheng-table2",
        paper=PAPER,
        title="A Q-learner trained on 10,000 games moves first (Table 2)",
        published="wins .76 against random; draws a third of its games against minimax",
        sizes=SIZES,
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
        contests=_known_first,
        grids=_known_grids,
        settings=learners_settings,
        differences=_tell_known,
    ),
    OutcomesExperiment(
        name="cheng-table4",
        paper=PAPER,
        title="Minimax of depth 2 moves second (Table 4)",
        published="beats extend and itself always, random in .87 and the Q-learners in half",
        sizes=SIZES,
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
        contests=_against_d5,
        grids=_d5_grids,
        settings=_both_settings,
        differences=_tell_d5,
    ),
]

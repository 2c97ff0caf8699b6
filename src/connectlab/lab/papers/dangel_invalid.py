"""Tables V and VI of Dangel 2021: networks that had to learn which columns are full."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from connectlab.arena.statistics import wilson
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.dangel_plot import Point, draw_points
from connectlab.lab.papers.dangel_runs import (
    ALLOW,
    OPPONENTS,
    PAPER,
    PUBLISHED_GAMES,
    SILENT,
    SIZES,
    TEST,
    Final,
    Row,
    Share,
    compared_wins,
    core_minutes,
    final_of,
    run_data,
    settings_text,
    tell_apart,
    tell_near,
    verdict_on,
)
from connectlab.lab.papers.dangel_tables import (
    PERCENTAGES,
    Judged,
    final_table,
    plain,
    win_points,
    win_shares,
)
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Picture, Report
from connectlab.lab.papers.results import Found

RUNS = (
    Row("table5-default", "default rewards, full columns forbidden", 69, 6, allows=True),
    Row("table5-streak", "streak rewards, full columns forbidden", 74, 5, allows=True),
)
"""The two runs, and what they won with full columns forbidden."""
ALLOWED = (
    replace(RUNS[0], name="default rewards, full columns allowed", random=59, negamax=0),
    replace(RUNS[1], name="streak rewards, full columns allowed", random=65, negamax=0),
)
"""What the same two won with full columns allowed."""
INVALID = {
    ("table5-default", "random"): 11,
    ("table5-default", "negamax"): 1,
    ("table5-streak", "random"): 9,
    ("table5-streak", "negamax"): 6,
}
"""Table VI: moves into full columns."""
NUMBERS = "numbers"
WHAT = "Discount 1.0, moves into full columns allowed in training, where they end the game"


@dataclass(frozen=True, kw_only=True)
class InvalidExperiment(Experiment):
    """What both tables have in common: two runs, each judged in two ways."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the two runs."""
        return tuple(row.cell(size) for row in RUNS)


class AllowedWins(InvalidExperiment):
    """Table V: games won with full columns forbidden, and allowed."""

    def report(self, found: Found, size: Size) -> Report:
        """Put the games won beside the published percentages."""
        forbidden = _judged(RUNS, found, size)
        allowed = _judged(ALLOWED, found, size, ALLOW)
        judged = [*forbidden, *allowed]
        shares = win_shares(judged)
        text = tell_apart(shares, PERCENTAGES)
        drawing = draw_points(
            win_points(judged), "games won, %", "full columns forbidden or allowed"
        )
        return Report(
            settings=settings_text(WHAT, size, found),
            compared=[_compared(*each) for each in judged],
            differences=f"{text}. {TEST}\n\n{_cost(forbidden, allowed)}\n\n{SILENT}",
            tables=[
                final_table(forbidden, "Games at the end, full columns forbidden"),
                final_table(allowed, "Games at the end, full columns allowed"),
            ],
            pictures=[Picture("wins.png", drawing, "Games won at the end, with 95 % intervals")],
            data={
                "forbidden": [plain(*each) for each in forbidden],
                "allowed": [plain(*each) for each in allowed],
                "runs": run_data(RUNS, found, size),
            },
            summary=tell_near(shares, PERCENTAGES),
            verdict=verdict_on(shares, len(judged)),
        )


class InvalidMoves(InvalidExperiment):
    """Table VI: moves into full columns."""

    def report(self, found: Found, size: Size) -> Report:
        """Put the moves into full columns beside the published numbers."""
        judged = _judged(ALLOWED, found, size, ALLOW)
        shares = _shares(judged)
        text = tell_apart(shares, NUMBERS)
        drawing = draw_points(_points(judged), "invalid moves in 100 games", "full columns chosen")
        return Report(
            settings=settings_text(WHAT, size, found),
            compared=[_compared_invalid(*each) for each in judged],
            differences=f"{text}. {TEST}\n\n{_STILL}{_still(shares)}\n\n{SILENT}",
            tables=[final_table(judged, "Games at the end, full columns allowed")],
            pictures=[Picture("invalid.png", drawing, _CAPTION)],
            data={"rows": [{**plain(*each), "invalid": _invalid(each[2])} for each in judged]},
            summary=f"{_range(shares)}; {tell_near(shares, NUMBERS)}" if shares else text,
            verdict=verdict_on(shares, len(judged)),
        )


_STILL = (
    "The paper counts invalid moves in 100 games; a game ends with the first, so games and moves "
    "are the same number, and ours are given for 100 games too. It concludes that the networks "
    "fail to learn not to choose full columns"
)
_CAPTION = "Moves into full columns in 100 games at the end, with 95 % intervals"


def _shares(judged: Sequence[Judged]) -> list[Share]:
    return [
        Share(
            f"{_rewards(row)} against {opponent}",
            INVALID[row.preset, opponent],
            final.invalid,
            final.tally.games,
        )
        for row, opponent, final in judged
        if final is not None
    ]


def _points(judged: Sequence[Judged]) -> list[Point]:
    return [
        Point(
            _rewards(row),
            opponent,
            INVALID[row.preset, opponent],
            None if final is None else (final.invalid, final.tally.games),
        )
        for row, opponent, final in judged
    ]


def _rewards(row: Row) -> str:
    return row.name.partition(",")[0]


def _range(shares: Sequence[Share]) -> str:
    """Say in how many of a hundred games a full column is chosen."""
    ours = [PUBLISHED_GAMES * share.ours / share.games for share in shares]
    return f"{min(ours):.1f} to {max(ours):.1f} of 100 games end in a full column"


def _still(shares: Sequence[Share]) -> str:
    """Say how often full columns are chosen after training, and what that does not tell."""
    if not shares:
        return "."
    fewer = sum(each.ours * PUBLISHED_GAMES < each.published * each.games for each in shares)
    return (
        f": here {_range(shares)}, fewer than published in {fewer} of {len(shares)} rows. How "
        "often a network that was taught nothing would choose one neither the paper nor this "
        "tells, so these numbers cannot say how much was learned."
    )


def _judged(rows: Sequence[Row], found: Found, size: Size, settings: str = "") -> list[Judged]:
    trained = {row: row.trained(found, size) for row in rows}
    return [
        (row, opponent, final_of(trained[row], opponent, size, settings))
        for row in rows
        for opponent in OPPONENTS
    ]


def _compared(row: Row, opponent: str, final: Final | None) -> Compared:
    return compared_wins(f"{row.name}, against {opponent}", row.published(opponent), final)


def _compared_invalid(row: Row, opponent: str, final: Final | None) -> Compared:
    what = f"{_rewards(row)}, against {opponent}: invalid moves in 100 games"
    published = str(INVALID[row.preset, opponent])
    if final is None:
        return Compared(what, published, "not computed")
    games = final.tally.games
    share, ends = final.invalid / games, wilson(final.invalid, games)
    low, high = (PUBLISHED_GAMES * end for end in ends)
    ours = f"{PUBLISHED_GAMES * share:.1f} [{low:.1f}, {high:.1f}] ({final.invalid} in {games:,})"
    return Compared(what, published, ours, PUBLISHED_GAMES * share, (low, high))


def _invalid(final: Final | None) -> int | None:
    return None if final is None else final.invalid


def _cost(forbidden: Sequence[Judged], allowed: Sequence[Judged]) -> str:
    """Say what it costs to be allowed full columns."""
    pairs = [
        (_rewards(row), without.tally.win_rate, with_them.tally.win_rate)
        for (row, against, without), (_, _, with_them) in zip(forbidden, allowed, strict=True)
        if against == "random" and without is not None and with_them is not None
    ]
    if not pairs:
        return "Not all rows were computed."
    told = ", ".join(
        f"{100 * without:.0f} % without and {100 * with_them:.0f} % with them ({name})"
        for name, without, with_them in pairs
    )
    return f"Full columns cost games that are lost at once: against random {told} are won."


TABLE5 = AllowedWins(
    name="dangel-table5",
    paper=PAPER,
    title="Win percentage of networks that may choose full columns (Table V)",
    published="69 % and 74 % against random with full columns forbidden, 59 % and 65 % allowed",
    sizes=SIZES,
    core_minutes=core_minutes(len(RUNS)),
)
TABLE6 = InvalidMoves(
    name="dangel-table6",
    paper=PAPER,
    title="Moves into full columns (Table VI)",
    published="11 and 1 of 100 games against random and negamax; with streak rewards 9 and 6",
    sizes=SIZES,
    core_minutes=core_minutes(len(RUNS)),
)

"""Tables V and VI of Dangel 2021: networks that had to learn which columns are full."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from connectlab.arena.statistics import wilson
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.dangel_runs import (
    ALLOW,
    OPPONENTS,
    PAPER,
    PUBLISHED_GAMES,
    SILENT,
    SIZES,
    Final,
    Row,
    compared_wins,
    core_minutes,
    final_of,
    run_data,
    settings_text,
)
from connectlab.lab.papers.dangel_tables import Judged, agreement, final_table, plain
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Report
from connectlab.lab.papers.results import Found

RUNS = (
    Row("table5-default", "default rewards", 69, 6, allows=True),
    Row("table5-streak", "streak rewards", 74, 5, allows=True),
)
"""The two runs, and what they won with full columns forbidden."""
ALLOWED = (replace(RUNS[0], random=59, negamax=0), replace(RUNS[1], random=65, negamax=0))
"""What the same two won with full columns allowed."""
INVALID = {
    ("table5-default", "random"): 11,
    ("table5-default", "negamax"): 1,
    ("table5-streak", "random"): 9,
    ("table5-streak", "negamax"): 6,
}
"""Table VI: moves into full columns."""
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
        compared = [
            *(_compared(*each, "forbidden") for each in forbidden),
            *(_compared(*each, "allowed") for each in allowed),
        ]
        text = agreement([*forbidden, *allowed])
        return Report(
            settings=settings_text(WHAT, size),
            compared=compared,
            differences=f"{text}.\n\n{_cost(forbidden, allowed)}\n\n{SILENT}",
            tables=[
                final_table(forbidden, "Games at the end, full columns forbidden"),
                final_table(allowed, "Games at the end, full columns allowed"),
            ],
            data={
                "forbidden": [plain(*each) for each in forbidden],
                "allowed": [plain(*each) for each in allowed],
                "runs": run_data(RUNS, found, size),
            },
            summary=text,
        )


class InvalidMoves(InvalidExperiment):
    """Table VI: moves into full columns."""

    def report(self, found: Found, size: Size) -> Report:
        """Put the moves into full columns beside the published numbers."""
        judged = _judged(ALLOWED, found, size, ALLOW)
        known = [final for _, _, final in judged if final is not None]
        shares = [final.invalid / final.tally.games for final in known]
        summary = (
            f"{100 * min(shares):.1f} to {100 * max(shares):.1f} of 100 games end in a full column"
            if shares
            else "not computed"
        )
        return Report(
            settings=settings_text(WHAT, size),
            compared=[_compared_invalid(*each) for each in judged],
            differences=f"{_STILL}: {_still(known)}.\n\n{SILENT}",
            tables=[final_table(judged, "Games at the end, full columns allowed")],
            data={"rows": [{**plain(*each), "invalid": _invalid(each[2])} for each in judged]},
            summary=summary,
        )


_STILL = (
    "The paper counts invalid moves in 100 games; a game ends with the first, so games and moves "
    "are the same number, and ours are given for 100 games too. It concludes that the networks do "
    "not learn to avoid full columns"
)


def _still(known: Sequence[Final]) -> str:
    """Say whether full columns are chosen after training."""
    if not known:
        return "not computed"
    return "nor do ours" if any(final.invalid for final in known) else "ours chose none"


def _judged(rows: Sequence[Row], found: Found, size: Size, settings: str = "") -> list[Judged]:
    trained = {row: row.trained(found, size) for row in rows}
    return [
        (row, opponent, final_of(trained[row], opponent, size, settings))
        for row in rows
        for opponent in OPPONENTS
    ]


def _compared(row: Row, opponent: str, final: Final | None, word: str) -> Compared:
    what = f"{row.name}, full columns {word}, against {opponent}"
    return compared_wins(what, row.published(opponent), final)


def _compared_invalid(row: Row, opponent: str, final: Final | None) -> Compared:
    what = f"{row.name}, against {opponent}: invalid moves in 100 games"
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
        (row.name, without.tally.win_rate, with_them.tally.win_rate)
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

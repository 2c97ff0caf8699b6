"""Tables III, IV and VII of Dangel 2021: games won against random and negamax."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.dangel_plot import Point, draw_points
from connectlab.lab.papers.dangel_runs import (
    OPPONENTS,
    PAPER,
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
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

DEFAULT = tuple(
    Row(f"table3-{gamma}", f"discount {gamma}", *won)
    for gamma, won in {
        "0.4": (97, 1),
        "0.5": (96, 2),
        "0.6": (92, 3),
        "0.7": (94, 7),
        "0.8": (95, 2),
        "0.9": (86, 3),
        "1.0": (86, 0),
    }.items()
)
STREAK = tuple(
    Row(f"table4-{gamma}", f"discount {gamma}", *won)
    for gamma, won in {
        "0.4": (98, 7),
        "0.5": (97, 7),
        "0.6": (98, 4),
        "0.7": (96, 9),
        "0.8": (91, 8),
        "0.9": (78, 6),
        "1.0": (58, 2),
    }.items()
)
LARGE = ("0.9", "1.0")
"""Discounts above 0.8, the last rows."""
BUG = (
    Row("table7-default", "discount 0.7, default reward", 93, 3),
    Row("table7-streak", "discount 0.7, streak reward", 90, 4),
)

PERCENTAGES = "percentages"
Judged: TypeAlias = tuple[Row, str, Final | None]
"""A run, whom it played at its end, and how."""


@dataclass(frozen=True, kw_only=True)
class WinsExperiment(Experiment):
    """Runs that are judged by games won."""

    rows: Sequence[Row]
    what: str
    """What the runs have in common."""
    tell: Callable[[Sequence[Judged]], str]
    """What the paper concludes from its table, and whether it holds here."""
    draw: Callable[[Sequence[Judged]], Sequence[Picture]] = lambda _judged: ()

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the run of each row."""
        return tuple(row.cell(size) for row in self.rows)

    def report(self, found: Found, size: Size) -> Report:
        """Put the games won beside the published percentages."""
        trained = {row: row.trained(found, size) for row in self.rows}
        judged = [
            (row, opponent, final_of(trained[row], opponent, size))
            for row in self.rows
            for opponent in OPPONENTS
        ]
        shares = win_shares(judged)
        text = tell_apart(shares, PERCENTAGES)
        return Report(
            settings=settings_text(self.what, size, found),
            compared=[_compared(*each) for each in judged],
            differences=f"{text}. {TEST}\n\n{self.tell(judged)}\n\n{SILENT}",
            tables=[final_table(judged)],
            pictures=self.draw(judged),
            data={
                "rows": [plain(*each) for each in judged],
                "runs": run_data(self.rows, found, size),
            },
            summary=tell_near(shares, PERCENTAGES),
            verdict=verdict_on(shares, len(judged)),
        )


def _compared(row: Row, opponent: str, final: Final | None) -> Compared:
    return compared_wins(f"{row.name}, against {opponent}", row.published(opponent), final)


def win_shares(judged: Sequence[Judged]) -> list[Share]:
    """Return the published percentages beside ours, as far as games were played."""
    return [
        Share(
            f"{row.name} against {opponent}",
            row.published(opponent),
            final.tally.wins,
            final.tally.games,
            " %",
        )
        for row, opponent, final in judged
        if final is not None
    ]


def final_table(judged: Sequence[Judged], title: str = "Games at the end") -> Table:
    """Return what was played at the end, all of it."""
    headings = ("run", "against", "games", "won", "drawn", "lost", "different games")
    rows = [
        (
            row.preset,
            opponent,
            f"{final.tally.games:,}",
            *(f"{number:,}" for number in final.tally),
            f"{final.distinct:,}",
        )
        for row, opponent, final in judged
        if final is not None
    ]
    return Table(title, headings, rows)


def plain(row: Row, opponent: str, final: Final | None) -> dict[str, object]:
    """Return a row as plain data."""
    return {
        "preset": row.preset,
        "against": opponent,
        "published": row.published(opponent),
        **({} if final is None else final.tally.to_json()),
        "distinct_games": None if final is None else final.distinct,
        "facts": {} if final is None else dict(final.facts),
    }


def _rate(judged: Sequence[Judged], preset: str, opponent: str) -> float | None:
    """Return the share of games that a run won."""
    for row, against, final in judged:
        if row.preset == preset and against == opponent and final is not None:
            return final.tally.win_rate
    return None


def _tell_default(judged: Sequence[Judged]) -> str:
    """Tell what the paper says of Table III."""
    small, whole = (_rate(judged, f"table3-{gamma}", "random") for gamma in ("0.4", "1.0"))
    negamax = [
        (final.tally.win_rate, row.name)
        for row, opponent, final in judged
        if opponent == "negamax" and final is not None
    ]
    if small is None or whole is None:
        return "Not all rows were computed."
    best, name = max(negamax)
    return (
        f"The paper concludes that small discounts win more against random: here 0.4 wins "
        f"{100 * small:.0f} % and 1.0 wins {100 * whole:.0f} %. It finds 0.7 best against "
        f"negamax: here it is {name} with {100 * best:.0f} %."
    )


def _tell_streak(judged: Sequence[Judged]) -> str:
    """Tell what the paper says of Table IV."""
    low, high = STREAK[: -len(LARGE)], STREAK[-len(LARGE) :]
    means = [_mean_rate(judged, rows, opponent) for opponent in OPPONENTS for rows in (low, high)]
    known = [f"{100 * mean:.0f} %" for mean in means if mean is not None]
    if len(known) < len(means):
        return "Not all rows were computed."
    return (
        "The paper concludes that with these rewards lower discounts win slightly more against "
        "random than with the default ones and a lot more against negamax, with a great drop "
        "above 0.8, against random more than against negamax. Here discounts up to 0.8 win "
        f"{known[0]} against random in the mean, and those above {known[1]}; against negamax "
        f"{known[2]} and {known[3]}. docs/dqn.md puts them beside the default rewards."
    )


def _mean_rate(judged: Sequence[Judged], rows: Sequence[Row], opponent: str) -> float | None:
    """Return the mean share of games won; None unless all rows were computed."""
    rates = [_rate(judged, row.preset, opponent) for row in rows]
    known = [rate for rate in rates if rate is not None]
    return fmean(known) if len(known) == len(rows) else None


def _tell_bug(judged: Sequence[Judged]) -> str:
    rates = [_rate(judged, row.preset, "random") for row in BUG]
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(rates):
        return "Not all rows were computed."
    default, streak = known
    return (
        "Once the buffer is full only its newest transition is replaced, so nearly all that is "
        "learned are the moves that filled it, about a tenth of the run. The paper concludes that "
        f"these teach enough: here {100 * default:.0f} % and {100 * streak:.0f} % are won against "
        "random."
    )


def win_points(judged: Sequence[Judged]) -> list[Point]:
    """Return games won in a hundred, as they are drawn."""
    return [
        Point(
            row.name,
            opponent,
            row.published(opponent),
            None if final is None else (final.tally.wins, final.tally.games),
        )
        for row, opponent, final in judged
    ]


def _bug_pictures(judged: Sequence[Judged]) -> list[Picture]:
    drawing = draw_points(win_points(judged), "games won, %", "games won with the replay bug")
    return [Picture("wins.png", drawing, "Games won at the end, with 95 % intervals")]


def _pictures(judged: Sequence[Judged]) -> list[Picture]:
    return [Picture("wins.png", _draw(judged), "Games won by discount, with 95 % intervals")]


def _draw(judged: Sequence[Judged]) -> "Drawing":
    """Draw the games won over the discount, published dashed."""
    from connectlab.lab.compare_plot import COLOURS
    from connectlab.training.curve import new_axes

    drawing, axes = new_axes()
    for opponent, colour in zip(OPPONENTS, COLOURS, strict=False):
        rows = [(row, final) for row, against, final in judged if against == opponent]
        names = [row.name.removeprefix("discount ") for row, _ in rows]
        published = [row.published(opponent) for row, _ in rows]
        axes.plot(names, published, "x--", color=colour, alpha=0.6, label=f"{opponent}, published")
        done = [(name, f) for name, (_, f) in zip(names, rows, strict=True) if f is not None]
        wins = [100 * final.tally.win_rate for _, final in done]
        ends = [final.tally.win_rate_interval for _, final in done]
        below = [won - 100 * low for won, (low, _) in zip(wins, ends, strict=True)]
        above = [100 * high - won for won, (_, high) in zip(wins, ends, strict=True)]
        axes.errorbar(
            [name for name, _ in done],
            wins,
            yerr=[below, above],
            fmt="o-",
            capsize=3,
            color=colour,
            label=f"{opponent}, ours",
        )
    axes.set_xlabel("discount")
    axes.set_ylabel("games won, %")
    axes.set_title(f"{PAPER}: games won at the end")
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8)
    return drawing


TABLE3 = WinsExperiment(
    name="dangel-table3",
    paper=PAPER,
    title="Win percentage by discount, default rewards (Table III)",
    published="97 % against random with discount 0.4, 86 % with 1.0; at most 7 % against negamax",
    sizes=SIZES,
    core_minutes=core_minutes(len(DEFAULT)),
    rows=DEFAULT,
    draw=_pictures,
    what="Default rewards, seven discounts",
    tell=_tell_default,
)
TABLE4 = WinsExperiment(
    name="dangel-table4",
    paper=PAPER,
    title="Win percentage by discount, rewards for streaks (Table IV)",
    published="98 % against random with discount 0.4, 58 % with 1.0; at most 9 % against negamax",
    sizes=SIZES,
    core_minutes=core_minutes(len(STREAK)),
    rows=STREAK,
    draw=_pictures,
    what="Rewards for three in a row, seven discounts",
    tell=_tell_streak,
)
TABLE7 = WinsExperiment(
    name="dangel-table7",
    paper=PAPER,
    title="Win percentage with the bug of the replay buffer (Table VII)",
    published="93 % and 90 % against random, 3 % and 4 % against negamax",
    sizes=SIZES,
    core_minutes=core_minutes(len(BUG)),
    rows=BUG,
    draw=_bug_pictures,
    what="Discount 0.7, the newest transition replaced once the buffer is full",
    tell=_tell_bug,
)

"""Table 3 of Faußer 2008: the five networks against Velena, and ours against ``allis``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from connectlab.lab.measures import parse_measure
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.fausser_runs import (
    CORE_MINUTES,
    NETWORKS,
    PAPER,
    SIZES,
    Network,
    Run,
    all_cells,
    made_text,
    match_games,
    match_measure,
    runs_of,
    seeds_text,
)
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found, unknown_version
from connectlab.lab.papers.sentences import paragraphs
from connectlab.lab.papers.verdict import verdict_of
from connectlab.lab.wording import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


class Velena(NamedTuple):
    """A row of the table as it was printed, first and second."""

    network: int
    level: str
    distinct: tuple[int, int]
    won: tuple[str, str]
    drawn: tuple[str, str]


PUBLISHED = (
    Velena(1, "a", (92, 161), ("18.2 %", "11.4 %"), ("6.8 %", "3 %")),
    Velena(1, "b", (2, 176), ("0 %", "16.8 %"), ("0 %", "1 %")),
    Velena(2, "a", (2, 193), ("0 %", "25.4 %"), ("0 %", "10.8 %")),
    Velena(2, "b", (2, 194), ("0 %", "18 %"), ("0 %", "10.4 %")),
    Velena(3, "a", (44, 265), ("1.6 %", "21.4 %"), ("3 %", "17.2 %")),
    Velena(3, "b", (40, 284), ("2 %", "25 %"), ("2.2 %", "18.4 %")),
    Velena(4, "a", (182, 267), ("31 %", "40 %"), ("0.2 %", "14.6 %")),
    Velena(4, "b", (176, 258), ("36 %", "35 %"), ("0 %", "13.8 %")),
    Velena(5, "a", (57, 323), ("89.6 %", "46.6 %"), ("0.004 %", "38.6 %")),
    Velena(5, "b", (31, 323), ("81 %", "47 %"), ("0 %", "36 %")),
    Velena(5, "c", (11, 35), ("0 %", "0.002 %"), ("0 %", "0.004 %")),
)
SIDES = ("first", "second")
PUBLISHED_GAMES = 500
"""Games of a match in the paper."""
TOO_LOW_TO_SEE = 1.0
"""Percentages below it have their number written above their bar."""

DIFFERENCES = """Velena draws lots among its moves, and the paper counts up to 323 different games
of 500. Our `allis`, a player by the same rules of Allis, draws lots only among moves that it
judges alike, which is seldom; the networks draw none. So a match is a handful of games played
again and again, its percentages say little more than who wins those, and an interval over 500
games would claim a knowledge that is not there: what differs is the runs. Levels A and B limit
Velena's ability to look ahead, and the paper does not tell by how much; levels a and b of `allis`
look ahead less far, in their own way.

Three numbers of the paper are shares where the others are percentages: its text tells of one game
won and two drawn at difficulty C, so "0.002 %" and "0.004 %" are 0.2 % and 0.4 % of 500 games.

Who has the real Velena can play against it from either side, with a network of his own or one
that comes along:

```sh
VELENA='external:command=stdbuf -oL ./velena,protocol=velena,level=a'
connectlab match mlp:5 "$VELENA" --games 500 --sides fixed
connectlab match "$VELENA" mlp:5 --games 500 --sides fixed
```"""


_CAPTION = "Games won, from either side: Velena as published, allis in ours (mean of the runs)"


class Match(NamedTuple):
    """The games of one run from one side."""

    seed: int
    won: float
    drawn: float
    """Shares of the games."""
    distinct: int
    games: int

    @property
    def lost(self) -> float:
        """The rest."""
        return 1 - self.won - self.drawn


@dataclass(frozen=True, kw_only=True)
class VelenaExperiment(Experiment):
    """The five networks against a player by the rules of Allis."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the runs of all networks: those of Table 2."""
        return all_cells(size)

    def report(self, found: Found, size: Size) -> Report:
        """Put the matches from both sides beside the published ones."""
        made = {network: runs_of(network, found, size) for network in NETWORKS}
        sides = list(_sides({network.number: runs for network, runs in made.items()}, size))
        return Report(
            settings=f"{_settings(size)}{made_text(made, size)}{unknown_version(found)}",
            compared=[_compared(*each) for each in sides],
            differences=paragraphs([_tell_lost(sides)], DIFFERENCES),
            tables=[_table(sides)],
            pictures=[Picture("won.png", _draw(sides), _CAPTION)],
            data={"matches": [_plain(*each) for each in sides]},
            summary=_summary(sides),
            verdict=verdict_of([None for _ in sides]),  # the opponent is not the paper's
        )


def _settings(size: Size) -> str:
    games = match_games(size)
    return (
        f"The networks of Table 2 as they were after {size.games:,} games "
        f"({NETWORKS[3].games(size):,} of network 4), {seeds_text(size)}, "
        f"{games:,} games from either side against `allis` at levels a, b and c in place of Velena "
        "at difficulties A, B and C."
    )


def _sides(runs: dict[int, list[Run]], size: Size) -> Iterator[tuple[Velena, int, Sequence[Match]]]:
    """Go through the rows of the table from either side, with the matches of our runs."""
    for row in PUBLISHED:
        for side, name in enumerate(SIDES):
            measure = parse_measure(match_measure(row.level, name, size)).spec
            found = [_match(run, measure) for run in runs[row.network]]
            yield row, side, [match for match in found if match is not None]


def _match(run: Run, measure: str) -> Match | None:
    """Return the match of a run; None if it broke down before it could play."""
    for each in run.trained.final:
        if each.name == measure:
            games = each.counts["games"]
            won, drawn = each.counts["wins"] / games, each.counts["draws"] / games
            return Match(run.seed, won, drawn, each.counts["distinct_games"], games)
    return None


def _compared(row: Velena, side: int, matches: Sequence[Match]) -> Compared:
    what = f"network {row.network} v {row.level.upper()}, moving {SIDES[side]}"
    published = (
        f"won {row.won[side]}, drawn {row.drawn[side]}, {row.distinct[side]} different games"
    )
    if not matches:
        return Compared(what, published, "not computed")
    won, drawn = fmean(each.won for each in matches), fmean(each.drawn for each in matches)
    ours = f"won {_percent(won)}, drawn {_percent(drawn)}, {_distinct(matches)} ({_runs(matches)})"
    return Compared(what, published, ours, won)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _distinct(matches: Sequence[Match]) -> str:
    numbers = [each.distinct for each in matches]
    if min(numbers) == max(numbers):
        return count(numbers[0], "different game")
    return f"{min(numbers)} to {max(numbers)} different games"


def _runs(matches: Sequence[Match]) -> str:
    return "one run" if len(matches) == 1 else f"mean of {len(matches)} runs"


def _table(sides: Sequence[tuple[Velena, int, Sequence[Match]]]) -> Table:
    headings = ("network, level, side", "seed", "games", "different", "won", "drawn", "lost")
    rows = [
        (
            f"{row.network} v {row.level}, {SIDES[side]}",
            str(match.seed),
            f"{match.games:,}",
            str(match.distinct),
            _percent(match.won),
            _percent(match.drawn),
            _percent(match.lost),
        )
        for row, side, matches in sides
        for match in matches
    ]
    return Table("Matches of the runs", headings, rows)


def _plain(row: Velena, side: int, matches: Sequence[Match]) -> dict[str, object]:
    return {
        "network": row.network,
        "level": row.level,
        "side": SIDES[side],
        "published": {
            "distinct": row.distinct[side],
            "won": row.won[side],
            "drawn": row.drawn[side],
        },
        "runs": [match._asdict() for match in matches],
    }


def _summary(sides: Sequence[tuple[Velena, int, Sequence[Match]]]) -> str:
    """Say how much the networks win from both sides against each level, and in how many runs."""
    runs = {network: _seeds(network, sides) for network in NETWORKS}
    made = [number for number in runs.values() if number]
    if not made:
        return "not computed"
    each = count(max(made), "run")
    rests = each if min(made) == max(made) else f"{min(made)} to {each}"
    levels = dict.fromkeys(level for network in NETWORKS for level in network.levels)
    told = [_level_summary(level, sides) for level in levels]
    return (
        f"won from both sides against allis, network by network: {'; '.join(told)} ({rests} each)"
    )


def _level_summary(level: str, sides: Sequence[tuple[Velena, int, Sequence[Match]]]) -> str:
    """Write what each network wins against a level, such as "c 0.0 % (network 5)"."""
    networks = [network for network in NETWORKS if level in network.levels]
    shares = [_won(network.number, level, sides) for network in networks]
    written = ", ".join("-" if share is None else f"{100 * share:.1f}" for share in shares)
    some = "" if len(networks) == len(NETWORKS) else f" ({' and '.join(n.name for n in networks)})"
    return f"{level} {written} %{some}"


def _won(
    network: int, level: str, sides: Sequence[tuple[Velena, int, Sequence[Match]]]
) -> float | None:
    rows = [matches for row, _, matches in sides if (row.network, row.level) == (network, level)]
    won = [match.won for matches in rows for match in matches]
    return fmean(won) if won else None


def _tell_lost(sides: Sequence[tuple[Velena, int, Sequence[Match]]]) -> str:
    """Put what network 5 loses beside the sentence of the paper about it."""
    told = []
    for level in "ab":
        rows = [found for row, _, found in sides if (row.network, row.level) == (5, level)]
        lost = [match.lost for found in rows for match in found]
        told += [f"{_percent(fmean(lost))} at level {level}"] if lost else []
    if not told:
        return ""
    return (
        "The paper says of network 5 that it lost only about 10 % of its games at difficulties A "
        f"and B; ours, from both sides, loses {' and '.join(told)} to `allis`."
    )


def _seeds(network: Network, sides: Sequence[tuple[Velena, int, Sequence[Match]]]) -> int:
    """Return how many runs of a network have played."""
    own = [matches for row, _, matches in sides if row.network == network.number]
    return len({match.seed for matches in own for match in matches})


def meant(printed: str) -> float:
    """Return the percentage that a printed one means.

    A game of the paper's 500 is 0.2 %: less than that, and not nothing, is a share.
    """
    number = float(printed.removesuffix(" %"))
    return 100 * number if number < 100 / PUBLISHED_GAMES else number


def _published(network: int) -> str:
    """Say what was published of a network, both sides together."""
    rows = [row for row in PUBLISHED if row.network == network]
    told = [f"{fmean(map(meant, row.won)):.1f} % v {row.level.upper()}" for row in rows]
    return f"network {network} {', '.join(told)}"


def _draw(sides: Sequence[tuple[Velena, int, Sequence[Match]]]) -> "Drawing":
    """Draw a panel for each side, and in it the published share beside ours."""
    from matplotlib.figure import Figure as Drawing

    from connectlab.lab.compare_plot import COLOURS

    drawing = Drawing(figsize=(7.2, 4.8), layout="constrained")
    for side, name in enumerate(SIDES):
        axes = drawing.add_subplot(2, 1, side + 1)
        rows = [(row, matches) for row, at, matches in sides if at == side]
        published = [meant(row.won[side]) for row, _ in rows]
        ours = [100 * fmean(m.won for m in matches) if matches else 0.0 for _, matches in rows]
        at = range(len(rows))
        axes.bar(
            [x - 0.2 for x in at], published, 0.38, color=COLOURS[0], label="Velena, published"
        )
        axes.bar([x + 0.2 for x in at], ours, 0.38, color=COLOURS[1], label="allis, ours")
        for x, (won, here, (_, matches)) in enumerate(zip(published, ours, rows, strict=True)):
            if won < TOO_LOW_TO_SEE:
                axes.text(x - 0.2, 2, f"{won:.1g}", fontsize=7, ha="center")
            if matches and here < TOO_LOW_TO_SEE:
                axes.text(x + 0.2, 2, f"{here:.1g}", fontsize=7, ha="center")
            if not matches:
                axes.text(x + 0.2, 2, "not computed", rotation=90, fontsize=6, ha="center")
        axes.set_xticks(list(at), [f"{row.network} v {row.level.upper()}" for row, _ in rows])
        axes.set_ylim(0, 105)
        axes.set_ylabel(f"won moving {name}, %")
        axes.grid(axis="y", alpha=0.25)
    drawing.axes[0].legend(fontsize=8)
    drawing.axes[0].set_title(f"{PAPER}: five networks against Velena, and ours against allis")
    return drawing


TABLE3 = VelenaExperiment(
    name="fausser-table3",
    paper=PAPER,
    title="Five networks against a player by the rules of Allis (Table 3)",
    published=f"won from both sides against Velena: {_published(1)}; {_published(5)}",
    sizes=SIZES,
    core_minutes=CORE_MINUTES,
)

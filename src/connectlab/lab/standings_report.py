"""The report of a tournament: a page of Markdown, the cross table as a picture, and the data."""

import json
import platform
from pathlib import Path

from connectlab import __version__
from connectlab.arena.positions import STAGES
from connectlab.arena.results import Rating
from connectlab.errors import UserError
from connectlab.lab.cost import MOST_SECONDS, Cost
from connectlab.lab.heatmap import save_heatmap
from connectlab.lab.markdown import markdown_table
from connectlab.lab.report import HEATMAP, REPORT
from connectlab.lab.standings import Standings
from connectlab.lab.wording import command_line, count, percent, rating
from connectlab.storage.files import check_writable, write_text

DATA = "standings.json"
MEASURED = (*(f"{stage} %" for stage in STAGES), "ms a move", "memory MB")
"""What is measured of a player besides its games."""


def measured(agent: str, standings: Standings) -> tuple[str, ...]:
    """Return what stands under ``MEASURED`` for a player."""
    cost = standings.costs[agent]
    return (
        *(_kept(agent, stage, standings) for stage in STAGES),
        _milliseconds(cost),
        "-" if cost.memory_mb is None else f"{cost.memory_mb:.0f}",
    )


def _row(rated: Rating, standings: Standings) -> tuple[str, ...]:
    return (
        rated.agent,
        rating(rated.rating, rated.interval),
        percent(rated.tally.score_rate, rated.tally.score_rate_interval),
        *measured(rated.agent, standings),
    )


def _kept(agent: str, stage: str, standings: Standings) -> str:
    stages = {} if standings.accuracies is None else standings.accuracies[agent].stages
    if stage not in stages:
        return "-"
    return percent(stages[stage].outcome_accuracy, stages[stage].outcome_accuracy_interval)


def _milliseconds(cost: Cost) -> str:
    low, high = cost.move_ms_range
    return f"{cost.move_ms:.2g} [{low:.2g}, {high:.2g}]"


def check_folder(folder: Path) -> None:
    """Refuse a folder in which a report could not be written, or would replace something else."""
    for name in (REPORT, HEATMAP, DATA):
        check_writable(folder / name)
    if (folder / REPORT).exists() and not _holds_standings(folder / DATA):
        raise UserError(f"{folder / REPORT} is no report of a tournament: choose another folder")


def _holds_standings(path: Path) -> bool:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(document, dict) and {"agents", "ratings", "costs"} <= document.keys()


def write_standings(folder: Path, standings: Standings) -> None:
    """Write picture, data and page; each is whole or not there, and the page comes last."""
    save_heatmap(standings.tournament, folder / HEATMAP)
    write_text(folder / DATA, json.dumps(standings.to_json(), indent=1, allow_nan=False) + "\n")
    write_text(folder / REPORT, page(standings))


def page(standings: Standings) -> str:
    """Return the page."""
    tournament = standings.tournament
    return f"""# {count(len(tournament.agents), "player")}, everyone against everyone

Board: {tournament.geometry}. {tournament.games:,} games a pairing, half of them with either \
player moving first; seed {tournament.seed}. Intervals hold 95 %.

{_table(standings)}

- **rating**: strength on the Elo scale, fitted to all games (Bradley and Terry), with 1500 as the
  mean of these players.
- **score %**: mean over all games, a win counts 1 and a draw 1/2.
- {_about_accuracy(standings)}
- **ms a move**: milliseconds for one position at a time, the median and where nine of ten moves
  lie; positions of every stage by turns, for {MOST_SECONDS:.0f} seconds at most.
- **memory MB**: the most that a process held which plays with this player alone. The interpreter
  and the compiled kernels are in it, so the random player shows what all have in common.

## Who beats whom

Score of the row against the column, in percent.

{markdown_table(*_cross_table(standings))}

![The score of each player against each other]({HEATMAP})

{_games(standings)}{_absent(standings)}\
All figures are in [{DATA}]({DATA}). Written by connectlab {__version__} on \
{standings.made:%Y-%m-%d %H:%M} UTC ({platform.machine()}, Python {platform.python_version()}), with

```text
{_command(standings)}
```
"""


def _command(standings: Standings) -> str:
    """Return the line that holds this tournament again."""
    tournament = standings.tournament
    board = tournament.geometry
    sizes = {"columns": board.columns, "rows": board.rows, "connect": board.connect}
    rules = {} if board.variant.is_plain else {"variant": board.variant}
    options = {**sizes, **rules, "games": tournament.games, "per-class": standings.per_class}
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    ends = ("--seed", tournament.seed, "--report", "DIR")
    return command_line("connectlab", "tournament", *tournament.agents, *words, *ends)


def _table(standings: Standings) -> str:
    """Write a row for each player, the strongest first."""
    rows = [_row(rated, standings) for rated in standings.tournament.ratings]
    return markdown_table(("player", "rating", "score %", *MEASURED), rows)


def _about_accuracy(standings: Standings) -> str:
    if standings.accuracies is None:
        return (
            "Perfect play cannot judge this game in reasonable time, so nothing is said of moves."
        )
    first = next(iter(standings.accuracies.values()))
    parts = ", ".join(f"{each.positions} of the {stage}" for stage, each in first.stages.items())
    return (
        f"**{' %, '.join(first.stages)} %**: the share of solved positions ({parts}) in which the\n"
        "  player's move keeps a won position won and a drawn one drawn."
    )


def _cross_table(standings: Standings) -> tuple[list[str], list[list[str]]]:
    tournament = standings.tournament
    order = tournament.ranking
    names = [tournament.agents[i] for i in order]
    rates = tournament.score_rates
    cells = [
        [name, *("-" if i == j else f"{100 * rates[i, j]:.1f}" for j in order)]
        for name, i in zip(names, order, strict=True)
    ]
    return ["", *names], cells


def _games(standings: Standings) -> str:
    """Say which pairings are few games played often."""
    few = [
        f"{match.agent} and {match.opponent} ({match.distinct_games})"
        for match in standings.tournament.matches
        if match.distinct_games < standings.tournament.games / 2
    ]
    if not few:
        return ""
    return (
        "Players without chance repeat themselves. Fewer than half of the games differ between: "
        f"{', '.join(few)} (different games in brackets).\n\n"
    )


def _absent(standings: Standings) -> str:
    if not standings.left_out:
        return ""
    reasons = "; ".join(f"{name} ({why})" for name, why in standings.left_out.items())
    return f"Not there: {reasons}.\n\n"

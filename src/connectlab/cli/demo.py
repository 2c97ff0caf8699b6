"""``connectlab demo``: the main job in one go."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from connectlab.cli import console
from connectlab.cli.options import Json, Seed, Workers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectlab.agents import Agent
    from connectlab.arena.measures import MoveAccuracy, SuccessRate
    from connectlab.arena.tournament import Rating, TournamentResult

SHORT = "Hold a tournament and measure everyone by perfect play."
EPILOG = "Example: connectlab demo --out demo"

PLAYERS = ("random", "extend", "negamax", "minimax:depth=2", "minimax:depth=4", "perfect")
REPORT = "report.md"
HEATMAP = "heatmap.png"
HEADINGS = ("player", "rating", "score %", "success %", "right moves %")
PER_CLASS = 20
"""Positions of each class in which the players choose."""
HOW_TO_PLAY = "play --second minimax:depth=4"


def command(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", file_okay=False, help="Folder of the report.")
    ] = Path("demo"),
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="Games of each pairing.")
    ] = 100,
    seed: Seed = 0,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Hold a tournament of the players, measure each against perfect play, write a report.

    The report is a page of Markdown with a picture of the cross table.
    """
    began = time.perf_counter()
    console.notice("Preparing the players; the first time this compiles for your machine …")
    from connectlab.agents import make_agent
    from connectlab.arena.tournament import play_tournament

    players = [make_agent(spec) for spec in PLAYERS]
    console.notice(f"Everyone meets everyone, {console.count(games, 'game')} a pairing …")
    with console.progress("tournament") as progress:
        result = play_tournament(players, games, seed=seed, workers=workers, progress=progress)
    console.notice("Everyone is measured by perfect play …")
    yardstick = _measure(players, games, seed, workers)
    _write_report(out, result, yardstick)
    seconds = time.perf_counter() - began
    if json:
        console.print_json(_document(result, yardstick, out, seconds))
    else:
        _print_result(result, yardstick, out, seconds)


class Measured(NamedTuple):
    """What perfect play says of one player."""

    success: "SuccessRate"
    accuracy: "MoveAccuracy"


Yardstick: TypeAlias = dict[str, Measured]
"""Measures by spec."""


def _measure(players: "Sequence[Agent]", games: int, seed: int, workers: int | None) -> Yardstick:
    """Let every player move first against the perfect one, and choose in solved positions."""
    from connectlab.arena.measures import move_accuracy, success_rate
    from connectlab.arena.positions import generate_positions
    from connectlab.solver import Solver

    solver = Solver()
    with console.progress("solving positions") as progress:
        positions = generate_positions(
            PER_CLASS, seed=seed, solver=solver, workers=workers, progress=progress
        )
    measured = {}
    for player in players:
        with console.progress(player.spec) as progress:
            measured[player.spec] = Measured(
                success_rate(player, games, seed=seed, workers=workers, progress=progress),
                move_accuracy(player, positions, solver=solver, seed=seed, workers=workers),
            )
    return measured


def _row(rating: "Rating", yardstick: Yardstick) -> list[str]:
    success, accuracy = yardstick[rating.agent]
    low, high = rating.interval
    return [
        rating.agent,
        f"{rating.rating:.0f} [{low:.0f}, {high:.0f}]",
        console.percent(rating.tally.score_rate, rating.tally.score_rate_interval),
        console.percent(success.success_rate, success.success_rate_interval),
        console.percent(accuracy.outcome_accuracy, accuracy.outcome_accuracy_interval),
    ]


def _print_result(
    result: "TournamentResult", yardstick: Yardstick, folder: Path, seconds: float
) -> None:
    out = console.output()
    rows = console.table(*HEADINGS)
    for rating in result.ratings:
        rows.add_row(*_row(rating, yardstick))
    out.print()
    console.show(rows)
    out.print(f"\nReport: {folder / REPORT}, picture: {folder / HEATMAP} ({seconds:.0f} s)")
    out.print(f"Play against one of them: {console.program()} {HOW_TO_PLAY}")


def _document(
    result: "TournamentResult", yardstick: Yardstick, folder: Path, seconds: float
) -> dict[str, Any]:
    return {
        "tournament": result.to_json(),
        "success_rates": [measured.success.to_json() for measured in yardstick.values()],
        "move_accuracies": [measured.accuracy.to_json() for measured in yardstick.values()],
        "report": str(folder / REPORT),
        "heatmap": str(folder / HEATMAP),
        "seconds": seconds,
    }


def _write_report(folder: Path, result: "TournamentResult", yardstick: Yardstick) -> None:
    """Write picture and page; each is whole or not there, and the page comes last."""
    from connectlab.files import write_text

    result.save_heatmap(folder / HEATMAP)
    write_text(folder / REPORT, _page(result, yardstick))


def _page(result: "TournamentResult", yardstick: Yardstick) -> str:
    positions = next(iter(yardstick.values())).accuracy.total.positions
    rule = "|".join(["---", *["---:"] * (len(HEADINGS) - 1)])
    rows = [" | ".join(_row(rating, yardstick)) for rating in result.ratings]
    return f"""# Who is how good at Connect Four?

Board: {result.geometry}. {result.games:,} games a pairing, half of them with either player \
moving first; seed {result.seed}. Intervals hold 95 %.

| {" | ".join(HEADINGS)} |
|{rule}|
{chr(10).join(f"| {row} |" for row in rows)}

- **rating**: strength on the Elo scale, fitted to all games (Bradley and Terry), with 1500 as the
  mean of these players.
- **score %**: mean over all games, a win counts 1 and a draw 1/2.
- **success %**: the same mean when the player moves first against the perfect one. The first
  player can force a win, so 100 is what perfect play reaches; a single slip can cost it.
- **right moves %**: the share of {positions} solved positions, from all stages of the game, in
  which the player's move keeps a won position won and a drawn one drawn.

![The score of each player against each other]({HEATMAP})

Play against one of them: `connectlab {HOW_TO_PLAY}`
"""

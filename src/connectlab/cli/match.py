"""``connectlab match``: two players, many games."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    Columns,
    Connect,
    Games,
    Json,
    Rows,
    Seed,
    Threads,
    Variant,
    board,
    complete_player,
)

if TYPE_CHECKING:
    from connectlab.arena.match import MatchResult

SHORT = "Let two players play many games."
EPILOG = "Example: connectlab match minimax:depth=4 negamax --games 1000"


class Sides(StrEnum):
    """Who moves first."""

    ALTERNATE = "alternate"
    FIXED = "fixed"


def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="A", autocompletion=complete_player, help="The player whose wins are counted."
        ),
    ],
    opponent: Annotated[
        str, typer.Argument(metavar="B", autocompletion=complete_player, help="Its opponent.")
    ],
    games: Games = 100,
    sides: Annotated[
        Sides,
        typer.Option("--sides", help="Take turns in moving first, or A always moves first."),
    ] = Sides.ALTERNATE,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    seed: Seed = 0,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Let two players play many games and count wins, draws and losses."""
    with console.patience():
        from connectlab.agents import make_agent
        from connectlab.arena.match import play_match

        geometry = board(columns, rows, connect, agent, opponent, variant=variant)
        players = make_agent(agent, geometry), make_agent(opponent, geometry)
    with console.progress(f"{agent} v {opponent}") as progress:
        result = play_match(
            *players, games, sides=sides.value, seed=seed, threads=threads, progress=progress
        )
    if json:
        console.print_json(result.to_json())
    else:
        print_result(result)


def print_result(result: "MatchResult") -> None:
    """Print the outcome of a match for people."""
    out, tally = console.output(), result.tally
    out.print(f"{result.agent} against {result.opponent} on {result.geometry}")
    out.print()
    counts = console.table("moving", "games", "wins", "draws", "losses")
    for name, side in (("first", result.first), ("second", result.second), ("either", tally)):
        counts.add_row(
            name, f"{side.games:,}", f"{side.wins:,}", f"{side.draws:,}", f"{side.losses:,}"
        )
    console.show(counts)
    out.print()
    out.print(f"share of wins    {console.share(tally.win_rate, tally.win_rate_interval)}")
    out.print(f"share of points  {console.share(tally.score_rate, tally.score_rate_interval)}")
    print_forfeits(result)
    out.print(f"distinct games   {result.distinct_games:,}")
    out.print(f"mean length      {result.mean_plies:.1f} plies")
    out.print(f"time             {result.seconds:.2f} s")


def print_forfeits(result: "MatchResult") -> None:
    """Say which games were lost by what is no move, and why."""
    for name, reasons in (
        (result.agent, result.agent_forfeits),
        (result.opponent, result.opponent_forfeits),
    ):
        for reason, games in reasons.items():
            lost = f"{name} lost {console.count(games, 'game')} by forfeit: it {reason}"
            console.output().print(lost, soft_wrap=True)

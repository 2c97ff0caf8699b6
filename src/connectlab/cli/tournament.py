"""``connectlab tournament``: everyone against everyone."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    Columns,
    Connect,
    GamesOfPairing,
    Json,
    Rows,
    Seed,
    Threads,
    Variant,
    board,
    complete_player,
)

if TYPE_CHECKING:
    from connectlab.arena.tournament import TournamentResult

SHORT = "Let everyone meet everyone."
EPILOG = "Example: connectlab tournament random extend negamax minimax:depth=4 --games 200"


def command(
    agents: Annotated[
        list[str],
        typer.Argument(metavar="A B [C]...", autocompletion=complete_player, help="The players."),
    ],
    games: GamesOfPairing = 100,
    heatmap: Annotated[
        Path | None,
        typer.Option(
            "--heatmap",
            metavar="PNG",
            dir_okay=False,
            help="Draw the cross table into this PNG file.",
        ),
    ] = None,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    seed: Seed = 0,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Let every player meet every other one, and rate them all."""
    with console.patience():
        from connectlab.agents import make_agent
        from connectlab.arena.tournament import play_tournament
        from connectlab.storage.files import check_writable

        if heatmap is not None:
            check_writable(heatmap)
        geometry = board(columns, rows, connect, *agents, variant=variant)
        players = [make_agent(spec, geometry) for spec in agents]
    with console.progress("tournament") as progress:
        result = play_tournament(players, games, seed=seed, threads=threads, progress=progress)
    if json:
        console.print_json(result.to_json())
    else:
        print_result(result)
    if heatmap is not None:  # after the result, which a full disk must not swallow
        from connectlab.lab.heatmap import save_heatmap

        save_heatmap(result, heatmap)


def print_result(result: "TournamentResult") -> None:
    """Print ratings and cross table for people."""
    out = console.output()
    out.print(f"{result.geometry}, {console.count(result.games, 'game')} a pairing\n")
    console.show(_rating_table(result))
    out.print("\nscore of the row against the column, in percent:\n")
    console.show(_cross_table(result))


def _rating_table(result: "TournamentResult") -> console.Table:
    made = console.table("", "player", "rating", "score", "wins", "draws", "losses", left=2)
    for place, rating in enumerate(result.ratings, start=1):
        made.add_row(
            str(place),
            rating.agent,
            console.rating(rating.rating, rating.interval),
            console.share(rating.tally.score_rate, rating.tally.score_rate_interval),
            *(f"{number:,}" for number in rating.tally),
        )
    return made


def _cross_table(result: "TournamentResult") -> console.Table:
    places = [str(place) for place in range(1, len(result.agents) + 1)]
    made = console.table("", "player", *places, left=2)
    for place, rating, row in zip(places, result.ratings, result.ranking, strict=True):
        rates = [result.score_rates[row, column] for column in result.ranking]
        cells = ["-" if isnan(rate) else f"{100 * rate:.1f}" for rate in rates]
        made.add_row(place, rating.agent, *cells)
    return made

"""``connectlab tournament``: everyone against everyone."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.match import print_forfeits
from connectlab.cli.options import (
    MOST_POSITIONS,
    Address,
    Columns,
    Connect,
    GamesOfPairing,
    Json,
    MaybeExecutor,
    Rows,
    Seed,
    Threads,
    Variant,
    Workers,
    board,
    complete_player,
    maybe_executor,
    whole,
)

if TYPE_CHECKING:
    from connectlab.agents import Agent
    from connectlab.arena.tournament import TournamentResult
    from connectlab.game import Geometry
    from connectlab.lab.executors.base import Executor
    from connectlab.lab.standings import Standings

SHORT = "Let everyone meet everyone."
EPILOG = "Example: connectlab tournament random extend negamax minimax:depth=4 --games 200"


def command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="A B [C]...", autocompletion=complete_player, help="The players."),
    ] = None,
    everyone: Annotated[
        bool,
        typer.Option("--all", help="Invite every player there is, at its default strength."),
    ] = False,
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
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="DIR",
            file_okay=False,
            help="Measure accuracy, time and memory too, and write a page into this folder.",
        ),
    ] = None,
    per_class: Annotated[
        int,
        typer.Option(
            "--per-class",
            metavar="N",
            parser=whole(1, MOST_POSITIONS),
            help="Solved positions of each class, for --report.",
        ),
    ] = 50,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    seed: Seed = 0,
    threads: Threads = None,
    executor: MaybeExecutor = None,
    address: Address = None,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Let every player meet every other one, and rate them all.

    With --report everyone is also asked for a move in solved positions of each class. With
    --executor each pairing is a task; the result is the same.
    """
    with console.patience():
        spread = maybe_executor(executor, address, workers)
        from connectlab.storage.files import check_writable

        if heatmap is not None:
            check_writable(heatmap)
        if report is not None:
            from connectlab.lab.standings_report import check_folder

            check_folder(report)
        geometry = board(columns, rows, connect, *(agents or []), variant=variant)
        players, left_out = _players(agents or [], geometry, everyone=everyone)
    result = None if spread is None else _spread(players, games, seed, spread)
    if report is None:
        result = result or _play(players, games, seed, threads)
        _show(result.to_json() if json else None, result)
    else:
        standings = _measure(players, games, per_class, left_out, seed, threads, result)
        result = standings.tournament
        _show(standings.to_json() if json else None, result, standings)
    _write(result, heatmap)
    if report is not None:
        _write_report(standings, report, quiet=json)


def _players(
    specs: list[str], geometry: "Geometry", *, everyone: bool
) -> "tuple[list[Agent], dict[str, str]]":
    """Return those named and, if everyone is invited, all others; and who had to stay at home."""
    from connectlab.agents import make_agent
    from connectlab.errors import UserError
    from connectlab.lab.roster import invite_everyone

    if len(specs) < 2 and not everyone:
        raise UserError("a tournament needs two players or more: name them, or invite --all")
    named = [make_agent(spec, geometry) for spec in specs]
    if not everyone:
        return named, {}
    roster = console.interruptible(lambda: invite_everyone(geometry))
    for name, why in roster.left_out.items():
        console.notice(f"{name} is not invited: {why}")
    known = {agent.spec for agent in roster.agents}
    return [*roster.agents, *(agent for agent in named if agent.spec not in known)], roster.left_out


def _play(players: "list[Agent]", games: int, seed: int, threads: int | None) -> "TournamentResult":
    from connectlab.arena.tournament import play_tournament

    with console.progress("tournament") as progress:
        return play_tournament(players, games, seed=seed, threads=threads, progress=progress)


def _spread(
    players: "list[Agent]", games: int, seed: int, executor: "Executor"
) -> "TournamentResult":
    from connectlab.lab.spread import hold_tournament
    from connectlab.training.signals import stop_on_signals

    with console.progress("pairings") as progress, stop_on_signals() as stop:
        result = hold_tournament(players, games, executor, stop, seed=seed, progress=progress)
    if result is None:
        raise typer.Exit(console.INTERRUPTED)
    return result


def _measure(
    players: "list[Agent]",
    games: int,
    per_class: int,
    left_out: dict[str, str],
    seed: int,
    threads: int | None,
    tournament: "TournamentResult | None",
) -> "Standings":
    from connectlab.lab.standings import find_standings

    return find_standings(
        players,
        games,
        per_class=per_class,
        left_out=left_out,
        seed=seed,
        threads=threads,
        watch=console.progress,
        tournament=tournament,
    )


def _show(
    document: dict[str, object] | None,
    result: "TournamentResult",
    standings: "Standings | None" = None,
) -> None:
    """Print the result; before any file is written, which a full disk could prevent."""
    if document is not None:
        console.print_json(document)
        return
    print_result(result)
    if standings is not None:
        _print_standings(standings)


def _print_standings(standings: "Standings") -> None:
    from connectlab.lab import standings_report as report

    made = console.table("player", *report.MEASURED)
    for rated in standings.tournament.ratings:
        made.add_row(rated.agent, *report.measured(rated.agent, standings))
    console.output().print("\nmoves that keep the outcome by stage of the game, time, memory:\n")
    console.show(made)


def _write(result: "TournamentResult", heatmap: Path | None) -> None:
    if heatmap is not None:
        from connectlab.lab.heatmap import save_heatmap

        save_heatmap(result, heatmap)


def _write_report(standings: "Standings", folder: Path, *, quiet: bool) -> None:
    from connectlab.lab.report import REPORT
    from connectlab.lab.standings_report import write_standings

    write_standings(folder, standings)
    if not quiet:
        console.output().print(f"\nReport: {folder / REPORT}", soft_wrap=True)


def print_result(result: "TournamentResult") -> None:
    """Print ratings and cross table for people."""
    out = console.output()
    out.print(f"{result.geometry}, {console.count(result.games, 'game')} a pairing\n")
    console.show(_rating_table(result))
    out.print("\nscore of the row against the column, in percent:\n")
    console.show(_cross_table(result))
    for match in result.matches:
        print_forfeits(match)


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

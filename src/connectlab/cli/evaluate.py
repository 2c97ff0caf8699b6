"""``connectlab evaluate``: how good a player is, by three measures."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_GAMES,
    MOST_POSITIONS,
    Columns,
    Connect,
    Json,
    Rows,
    Seed,
    Workers,
    board,
    complete_player,
    whole,
)

if TYPE_CHECKING:
    from connectlab.agents import Agent
    from connectlab.arena.exact import ExactSuccess
    from connectlab.arena.match import MatchResult
    from connectlab.arena.measures import MoveAccuracy, SuccessRate, WinningQuota
    from connectlab.arena.positions import PositionSet
    from connectlab.solver import Solver

SHORT = "Measure how good a player is."
EPILOG = "Example: connectlab evaluate minimax:depth=4 --measure success"


class Measure(StrEnum):
    """What can be measured."""

    SUCCESS = "success"
    QUOTA = "quota"
    ACCURACY = "accuracy"
    EXACT = "exact"


USUAL = (Measure.SUCCESS, Measure.QUOTA, Measure.ACCURACY)
"""What is measured unless something else is asked for."""


class Objective(StrEnum):
    """What the perfect opponent aims for."""

    DISTANCE = "distance"
    OUTCOME = "outcome"


def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", autocompletion=complete_player, help="The player to measure."
        ),
    ],
    measure: Annotated[
        list[Measure] | None,
        typer.Option(
            "--measure", show_default="all but exact", help="What to measure; may repeat."
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole(1, MOST_GAMES),
            help="Games against the perfect player.",
        ),
    ] = 200,
    objective: Annotated[
        Objective,
        typer.Option(
            "--objective",
            help="The perfect player wins soonest and loses latest, or only keeps the outcome.",
        ),
    ] = Objective.DISTANCE,
    quota_games: Annotated[
        int,
        typer.Option(
            "--quota-games", metavar="N", parser=whole(1, MOST_GAMES), help="Games against random."
        ),
    ] = 1000,
    positions: Annotated[
        Path | None,
        typer.Option(
            "--positions",
            metavar="FILE",
            show_default="newly made ones",
            help="Positions for the accuracy: moves, score and class a line.",
        ),
    ] = None,
    per_class: Annotated[
        int,
        typer.Option(
            "--per-class",
            metavar="N",
            parser=whole(1, MOST_POSITIONS),
            help="Positions of each class, if they are made.",
        ),
    ] = 50,
    columns: Columns = 7,
    rows: Rows = 6,
    connect: Connect = 4,
    seed: Seed = 0,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Measure how good a player is.

    success: the mean score of games in which it moves first against the perfect player (a win
    counts 1, a draw 1/2). quota: the share of games it wins against random. accuracy: the share
    of positions in which it keeps the outcome of perfect play, and in which it plays a best move.
    exact: the success rate over all games that the perfect player can choose (by distance), for
    players that draw no lots.
    """
    wanted = set(measure or USUAL)
    with console.patience():
        from connectlab.agents import make_agent
        from connectlab.solver import Solver

        player = make_agent(agent, board(columns, rows, connect))
        bench = _Bench(player, Solver(player.geometry), seed, workers)
    report = Report(
        bench.success(games, objective.value) if Measure.SUCCESS in wanted else None,
        bench.quota(quota_games) if Measure.QUOTA in wanted else None,
        bench.accuracy(positions, per_class) if Measure.ACCURACY in wanted else None,
        bench.exact() if Measure.EXACT in wanted else None,
    )
    if json:
        console.print_json(_document(player, seed, report))
    else:
        console.output().print(f"{player.spec} on {player.geometry}")
        _print_report(report)


@dataclass(frozen=True)
class Report:
    """What was measured; None where it was not asked for."""

    success: "SuccessRate | None"
    quota: "WinningQuota | None"
    accuracy: "MoveAccuracy | None"
    exact: "ExactSuccess | None"


@dataclass(frozen=True)
class _Bench:
    """The player to measure and all that the measures share."""

    player: "Agent"
    solver: "Solver"
    seed: int
    workers: int | None

    def success(self, games: int, objective: Any) -> "SuccessRate":
        from connectlab.arena.measures import success_rate

        with console.progress("against the perfect player") as progress:
            return success_rate(
                self.player,
                games,
                objective=objective,
                seed=self.seed,
                workers=self.workers,
                progress=progress,
            )

    def quota(self, games: int) -> "WinningQuota":
        from connectlab.arena.measures import winning_quota

        with console.progress("against random") as progress:
            return winning_quota(
                self.player, games, seed=self.seed, workers=self.workers, progress=progress
            )

    def accuracy(self, file: Path | None, per_class: int) -> "MoveAccuracy":
        from connectlab.arena.measures import move_accuracy

        positions = self._positions(file, per_class)
        with console.progress("choosing moves") as progress:
            return move_accuracy(
                self.player,
                positions,
                solver=self.solver,
                seed=self.seed,
                workers=self.workers,
                progress=progress,
            )

    def exact(self) -> "ExactSuccess":
        from connectlab.arena.exact import exact_success

        return exact_success(self.player, solver=self.solver)

    def _positions(self, file: Path | None, per_class: int) -> "PositionSet":
        from connectlab.arena.positions import generate_positions, read_position_set

        with console.progress("solving positions") as progress:
            if file is not None:
                return read_position_set(
                    file,
                    self.player.geometry,
                    solver=self.solver,
                    workers=self.workers,
                    progress=progress,
                )
            return generate_positions(
                per_class,
                seed=self.seed,
                geometry=self.player.geometry,
                solver=self.solver,
                workers=self.workers,
                progress=progress,
            )


def _document(player: "Agent", seed: int, report: Report) -> dict[str, Any]:
    """Return the four figures at the top, and below them what they rest on."""
    document: dict[str, Any] = {
        "agent": player.spec,
        "geometry": asdict(player.geometry),
        "seed": seed,
    }
    if report.success is not None:
        document |= _pick(report.success.to_json(), "success_rate", "objective", *COUNTS)
    if report.quota is not None:
        plain = report.quota.to_json()
        document |= _pick(plain, "winning_quota")
        document["against_random"] = _pick(plain, *COUNTS)
    if report.accuracy is not None:
        plain = report.accuracy.to_json()
        document |= _pick(plain, "outcome_accuracy", "best_move_accuracy", "positions", "classes")
    if report.exact is not None:
        document |= report.exact.to_json()
    return document


COUNTS = ("games", "wins", "draws", "losses", "distinct_games", "mean_plies", "seconds")


def _pick(plain: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Take some keys of a document, each with its interval if it has one."""
    wanted = [name for key in keys for name in (key, f"{key}_interval") if name in plain]
    return {name: plain[name] for name in wanted}


def _print_report(report: Report) -> None:
    out = console.output()
    if report.success is not None:
        success = report.success
        rate = console.share(success.success_rate, success.success_rate_interval)
        out.print(f"\nsuccess rate   {rate}")
        out.print(f"  moving first against perfect:objective={success.objective}:")
        out.print(f"  {_counts(success.match)}")
    if report.quota is not None:
        quota = report.quota
        rate = console.share(quota.winning_quota, quota.winning_quota_interval)
        out.print(f"\nwinning quota  {rate}")
        out.print("  against random, moving first in every other game:")
        out.print(f"  {_counts(quota.match)}")
    if report.accuracy is not None:
        out.print()
        _print_accuracy(report.accuracy)
    if report.exact is not None:
        exact = report.exact
        out.print(f"\nexact success rate  {exact.success_rate:.6f}")
        out.print("  over all games that perfect play (by distance) can choose, equally likely at")
        out.print(f"  each of {console.count(exact.positions, 'position')}:")
        out.print(f"  {exact.win:.6f} won, {exact.draw:.6f} drawn, {exact.loss:.6f} lost")


def _counts(match: "MatchResult") -> str:
    return (
        f"{console.count(match.tally.games, 'game')} ({match.distinct_games:,} distinct): "
        f"{match.tally.wins:,} won, {match.tally.draws:,} drawn, {match.tally.losses:,} lost"
    )


def _print_accuracy(accuracy: "MoveAccuracy") -> None:
    rows = console.table("move accuracy", "positions", "keeps the outcome", "plays a best move")
    for name, part in [*accuracy.classes.items(), ("all", accuracy.total)]:
        rows.add_row(
            name,
            f"{part.positions:,}",
            console.share(part.outcome_accuracy, part.outcome_accuracy_interval),
            console.share(part.best_move_accuracy, part.best_move_accuracy_interval),
        )
    console.show(rows)

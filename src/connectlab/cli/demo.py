"""``connectlab demo``: the main job in one go."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import typer

from connectlab.cli import console
from connectlab.cli.options import Json, Seed, Workers
from connectlab.cli.train import make_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectlab.agents import Agent
    from connectlab.arena.measures import MoveAccuracy, SuccessRate
    from connectlab.arena.tournament import Rating, TournamentResult
    from connectlab.lab.jobs import Job
    from connectlab.training.run import RunResult

SHORT = "Train a player by self-play, measure it by perfect play, report."
EPILOG = "Example: connectlab demo --out demo"

OTHERS = ("random", "extend", "negamax", "minimax:depth=4", "perfect")
"""Who the learned player meets."""
LEARNER, PRESET = "ntuple", "quick"
REPORT = "report.md"
HEATMAP = "heatmap.png"
CURVE = "curve.png"
HEADINGS = ("player", "rating", "score %", "success %", "right moves %")
PER_CLASS = 20
"""Positions of each class in which the players choose."""


def command(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", file_okay=False, help="Folder of the report.")
    ] = Path("demo"),
    training_games: Annotated[
        int | None,
        typer.Option(
            "--training-games",
            metavar="N",
            min=1,
            show_default="those of the preset quick",
            help="Games of self-play.",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="Games of each pairing.")
    ] = 100,
    seed: Seed = 1,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Train an n-tuple network by self-play, let it meet the other players, write a report.

    The report is a page of Markdown with the learning curve and the cross table as pictures.
    """
    began = time.perf_counter()
    console.notice("Preparing; the first time this compiles for your machine …")
    job = _plan(out, training_games, seed)
    console.notice(f"A network of n-tuples learns from games against itself, in {job.path} …")
    run = make_run(job)
    from connectlab.agents import make_agent
    from connectlab.arena.tournament import play_tournament

    players = [make_agent(spec) for spec in (*OTHERS, job.agent)]
    console.notice(f"Everyone meets everyone, {console.count(games, 'game')} a pairing …")
    with console.progress("tournament") as progress:
        result = play_tournament(players, games, seed=seed, workers=workers, progress=progress)
    console.notice("Everyone is measured by perfect play …")
    outcome = Outcome(job, run, result, _measure(players, games, seed, workers))
    _write_report(out, outcome)
    seconds = time.perf_counter() - began
    if json:
        console.print_json(_document(outcome, out, seconds))
    else:
        _print_result(outcome, out, seconds)


def _plan(out: Path, games: int | None, seed: int) -> "Job":
    """Plan the run in a folder of its own below the report."""
    with console.patience():
        from connectlab.lab.jobs import new_job
        from connectlab.lab.plans import Request
        from connectlab.training.folder import free_folder

        changes = {"seed": seed} if games is None else {"seed": seed, "games": games}
        return new_job(Request(LEARNER, PRESET, changes=changes), free_folder(out, "run"))


class Measured(NamedTuple):
    """What perfect play says of one player."""

    success: "SuccessRate"
    accuracy: "MoveAccuracy"


Yardstick: TypeAlias = dict[str, Measured]
"""Measures by spec."""


class Outcome(NamedTuple):
    """All that the demonstration found out."""

    job: "Job"
    run: "RunResult"
    tournament: "TournamentResult"
    yardstick: Yardstick

    @property
    def how_to_play(self) -> str:
        """The arguments that start a game against the learned player."""
        return f"play --second {self.job.agent}"


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
        console.percent(accuracy.total.outcome_accuracy, accuracy.total.outcome_accuracy_interval),
    ]


def _print_result(outcome: Outcome, folder: Path, seconds: float) -> None:
    out = console.output()
    rows = console.table(*HEADINGS)
    for rating in outcome.tournament.ratings:
        rows.add_row(*_row(rating, outcome.yardstick))
    out.print()
    console.show(rows)
    out.print(f"\n{_learned(outcome)}")
    out.print(f"Report: {folder / REPORT} ({seconds:.0f} s)")
    out.print(f"Play against what was just learned: {console.program()} {outcome.how_to_play}")


def _learned(outcome: Outcome) -> str:
    run = outcome.run
    speed = run.games / run.seconds if run.seconds else 0
    text = f"{run.games:,} games of self-play in {run.seconds:.0f} s ({speed:,.0f} games/s)"
    if run.best is None:
        return text
    best = run.best
    return (
        f"{text}; best success against perfect play {best.first.figure} after {best.games:,} games"
    )


def _document(outcome: Outcome, folder: Path, seconds: float) -> dict[str, Any]:
    training = outcome.job.to_json(outcome.run)
    del training["config"]  # they are those of the preset, and lie in the folder of the run
    return {
        "training": training,
        "tournament": outcome.tournament.to_json(),
        "success_rates": [m.success.to_json() for m in outcome.yardstick.values()],
        "move_accuracies": [m.accuracy.to_json() for m in outcome.yardstick.values()],
        "report": str(folder / REPORT),
        "heatmap": str(folder / HEATMAP),
        "curve": str(folder / CURVE),
        "seconds": seconds,
    }


def _write_report(folder: Path, outcome: Outcome) -> None:
    """Write pictures and page; each is whole or not there, and the page comes last."""
    from connectlab.storage.files import replacing, write_text

    outcome.tournament.save_heatmap(folder / HEATMAP)
    with replacing(folder / CURVE) as beside:
        beside.write_bytes((outcome.job.path / CURVE).read_bytes())
    write_text(folder / REPORT, _page(outcome))


def _page(outcome: Outcome) -> str:
    result, yardstick = outcome.tournament, outcome.yardstick
    positions = next(iter(yardstick.values())).accuracy.total.positions
    rule = "|".join(["---", *["---:"] * (len(HEADINGS) - 1)])
    rows = [" | ".join(_row(rating, yardstick)) for rating in result.ratings]
    return f"""# What a network learns about Connect Four in a minute

{_learned(outcome)}. Nobody told it anything but the rules; the perfect player only measures. The \
checkpoint that measured best plays below, against fresh opponents and seeds.

![Success against perfect play while learning]({CURVE})

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

Play against what was learned: `connectlab {outcome.how_to_play}`
"""

"""``connectlab compare``: runs side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Json

if TYPE_CHECKING:
    from connectlab.lab.compare import Comparison, RunGroup, Spread

SHORT = "Put runs side by side: means, spreads, curves."
EPILOG = "Example: connectlab compare runs/many --plot curves.png"


def command(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of runs, or folders with several runs."),
    ],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="NAME",
            show_default="what judges the runs",
            help="The figure to compare by, such as success_rate.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="PNG", dir_okay=False, help="Draw all curves into this PNG file."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Put runs side by side: where they ended, their best, and how soon they got there.

    Runs that differ in their seeds alone belong together; so do the repeats of a plan.
    """
    with console.patience():
        from connectlab.lab.compare import compare
        from connectlab.storage.files import check_writable

        if plot is not None:
            check_writable(plot)
        found = compare(runs, key)
        if plot is not None:
            found.save_plot(plot)
    if json:
        console.print_json(found.to_json())
    else:
        print_comparison(found)
        if plot is not None:
            console.output().print(f"curves: {plot}")


def print_comparison(found: "Comparison") -> None:
    """Print a table of all runs, and what each group has in common."""
    rows = console.table(
        "run", "seed", "at the end", "at its best", "to 80 %", "to 90 %", "games/s"
    )
    for group in found.groups:
        for curve in group.curves:
            rows.add_row(
                str(curve.path),
                str(curve.seed),
                _rate(curve.last),
                _rate(curve.best),
                _games(curve.games_to(0.8)),
                _games(curve.games_to(0.9)),
                f"{curve.games_per_second:,.0f}",
            )
    console.show(rows)
    for group in found.groups:
        _print_group(group, found)


def _print_group(group: "RunGroup", found: "Comparison") -> None:
    out = console.output()
    against = "" if found.opponent is None else f" against {found.opponent}"
    runs = console.count(len(group.curves), "run")
    out.print(f"\n{group.name}: {runs}, {found.key.replace('_', ' ')}{against}")
    for what, word in (("last", "at the end"), ("best", "at its best")):
        spread = group.spread(what)
        if spread is not None:
            out.print(f"  {word:<12} {_spread(spread)}")
    for level in (0.8, 0.9):
        reached, never = group.games_to(level)
        text = "no run" if reached is None else f"{reached.mean:,.0f} games in the mean"
        missed = f", {never} of {runs} never" if never and reached is not None else ""
        out.print(f"  to {level:.0%}{'':<6} {text}{missed}")
    speed = group.spread("games_per_second")
    if speed is not None:
        out.print(f"  speed        {speed.mean:,.0f} games/s")


def _spread(spread: "Spread") -> str:
    return (
        f"{spread.mean:.3f} +- {spread.standard_deviation:.3f}, "
        f"from {spread.lowest:.3f} to {spread.highest:.3f}"
    )


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _games(games: int | None) -> str:
    return "never" if games is None else f"{games:,}"

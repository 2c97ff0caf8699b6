"""``connectlab compare``: runs side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Json

if TYPE_CHECKING:
    from connectlab.lab.compare import Comparison, Curve, RunGroup
    from connectlab.lab.statistics import Spread, TimeTo

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
    if json:
        console.print_json(found.to_json())
    else:
        print_comparison(found)
    if plot is not None:  # after the result, which a full disk must not swallow
        from connectlab.lab.compare_plot import save_plot

        save_plot(found, plot)
        console.notice(f"wrote {plot}")


def print_comparison(found: "Comparison") -> None:
    """Print a table of all runs, and what each group has in common."""
    several = len(found.groups) > 1
    words = ("run", "group") if several else ("run",)
    levels = [_level(level) for level in found.levels]
    rows = console.table(
        *words, "seed", "at the end", "at its best", *levels, "games/s", left=len(words)
    )
    for group in found.groups:
        for curve in group.curves:
            names = [str(curve.path), group.name] if several else [str(curve.path)]
            rows.add_row(*names, *_cells(curve, found.levels))
    console.show(rows)
    for group in found.groups:
        _print_group(group, found)


def _cells(curve: "Curve", levels: tuple[float, ...]) -> list[str]:
    """Return what the table says of a run after its name."""
    return [
        str(curve.seed),
        _rate(curve.last) if curve.is_measured else "not measured",
        _rate(curve.best),
        *(_games(curve, level) for level in levels),
        f"{curve.games_per_second:,.0f}",
    ]


def _print_group(group: "RunGroup", found: "Comparison") -> None:
    out = console.output()
    runs = console.count(len(group.curves), "run")
    out.print(f"\n{group.name}: {runs} on {group.board}, {_measured(group, found)}")
    alone = len(group.measured) == 1
    for what, word in (("last", "at the end"), ("best", "at its best")):
        spread = group.spread(what)
        if spread is not None:
            out.print(f"  {word:<12} {f'{spread.mean:.3f}' if alone else _spread(spread)}")
    for level in group.levels:
        out.print(f"  {_level(level):<12} {_reached(group, level)}")
    speed = group.spread("games_per_second")
    if speed is not None:
        out.print(f"  speed        {speed.mean:,.0f} games/s")


def _measured(group: "RunGroup", found: "Comparison") -> str:
    """Say what the group is judged by, how many of its runs are not, and what levels mean."""
    if not group.measured:
        return "not measured"
    against = "" if found.opponent is None else f" against {found.opponent}"
    missing = len(group.curves) - len(group.measured)
    others = f", {missing} not measured" if missing else ""
    possible = group.measured[0].possible
    best = f" (perfect play reaches {possible:g})" if possible < 1 else ""
    return f"{found.key.replace('_', ' ')}{against}{best}{others}"


def _reached(group: "RunGroup", level: float) -> str:
    """Say how many games it takes to reach a level, and how many of the measured runs did not."""
    found = group.games_to(level)
    if found is None or not found.reached:
        return "never" if len(group.measured) == 1 else "no run"
    if found.runs == 1:
        return f"{found.median:,.0f} games"
    never = found.runs - found.reached
    runs = f", {never} of {console.count(found.runs, 'run')} never" if never else ""
    return f"{time_to(found)}{runs}"


def time_to(found: "TimeTo") -> str:
    """Write a median with its interval, such as "1,200 games in the median [900, …]"."""
    median = "no median" if found.median is None else f"{found.median:,.0f} games in the median"
    return f"{median}{found.interval_text}"


def _spread(spread: "Spread") -> str:
    interval = spread.mean_interval
    sure = "" if interval is None else f" [{interval.low:.3f}, {interval.high:.3f}]"
    return (
        f"{spread.mean:.3f}{sure} +- {spread.standard_deviation:.3f}, "
        f"from {spread.lowest:.3f} to {spread.highest:.3f}"
    )


def _level(level: float) -> str:
    """Name a level: a share of what perfect play would reach."""
    return f"to {100 * level:.0f} %"


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _games(curve: "Curve", level: float) -> str:
    if not curve.is_measured or level not in curve.levels:
        return "-"
    games = curve.games_to(level)
    return "never" if games is None else f"{games:,}"

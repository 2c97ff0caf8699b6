"""``connectlab reproduce``: the tables and figures of the papers, published beside ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    Address,
    Json,
    OnExecutor,
    Workers,
    chosen_executor,
    executor_options,
    folder,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectlab.lab.executors.base import Executor
    from connectlab.lab.papers.cells import Cell
    from connectlab.lab.papers.page import Compared, Report
    from connectlab.lab.papers.reproduction import Reproduction
    from connectlab.lab.papers.results import CellResult
    from connectlab.lab.papers.store import CellStore

SHORT = "Compute a paper's table or figure, published beside ours."
EPILOG = "Example: connectlab reproduce thill-fig2b --scale quick"

ScaleName = Literal["mini", "quick", "full"]


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME...", help="Experiments, such as thill-fig2b."),
    ] = None,
    scale: Annotated[
        ScaleName,
        typer.Option(
            "--scale",
            help="A miniature to try it, minutes for a look, or the paper's numbers.",
        ),
    ] = "quick",
    everything: Annotated[bool, typer.Option("--all", help="Every experiment there is.")] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="Show what there is, how long it takes, what is done.")
    ] = False,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            metavar="N",
            parser=whole(1, 1_000),
            show_default="those of the scale",
            help="Runs of each curve.",
        ),
    ] = None,
    so_far: Annotated[
        bool,
        typer.Option("--so-far", help="Compute nothing: report what earlier calls have computed."),
    ] = False,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", parser=folder, help="Folder of the reports."),
    ] = Path("results"),
    cells: Annotated[
        Path | None,
        typer.Option(
            "--cells",
            metavar="DIR",
            parser=folder,
            show_default="results/cells",
            help="Folder of what was computed; what is there is not computed again.",
        ),
    ] = None,
    afresh: Annotated[
        bool,
        typer.Option("--afresh", help="Take nothing from the cells that lie beside reports."),
    ] = False,
    executor: OnExecutor = None,
    address: Address = None,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Compute a paper's table or figure, and write a report with the published figures beside ours.

    What is computed is kept: a call that was stopped goes on where it was, and experiments share
    the runs that they have in common. Reports keep the cells they rest on beside them, those that
    come with the source too; these are not computed again either.
    """
    with console.patience():
        from connectlab.errors import UserError
        from connectlab.lab.papers.index import check_index
        from connectlab.lab.papers.registry import experiments, find_experiments
        from connectlab.lab.papers.reproduction import Reproduction
        from connectlab.lab.papers.writer import check_report, report_folder
        from connectlab.storage.files import check_writable

        if everything and names:
            raise UserError("name experiments, or take --all")
        if not (names or everything or listing):
            raise UserError("name an experiment, take --all, or see --list")
        if (so_far or listing) and executor_options(executor, address, workers):
            raise UserError(
                f"{'--list' if listing else '--so-far'} computes nothing: leave --executor, "
                "--address and --workers out"
            )
        wanted = find_experiments(names) if names else list(experiments().values())
        if not listing:
            check_index(out)
            check_writable(out / "README.md")
        if not (listing or so_far):
            check_writable((cells or Path("results") / "cells") / "cell.json")
        store = _store(cells or Path("results") / "cells", None if afresh else out)
        place = chosen_executor(executor, address, workers)
        chosen = [Reproduction(each, scale, store, repeats) for each in wanted]
        if not listing:
            for each in chosen:
                check_report(report_folder(out, each), each)
    if listing:
        from connectlab.cli.reproduce_list import print_list

        print_list(chosen, out, json=json)
        return
    if not so_far:
        _compute(chosen, store, place)
    _report(chosen, out, json=json)


def _store(folder: Path, out: Path | None) -> "CellStore":
    """Return the results of a folder, and after it those beside the reports, if ``out`` is told."""
    from connectlab.lab.papers.cell_archive import COMMITTED, Archives
    from connectlab.lab.papers.store import CellStore

    beside = Archives([] if out is None else [out, COMMITTED], console.notice)
    return CellStore(folder, beside, console.notice)


def _compute(chosen: "list[Reproduction]", store: "CellStore", executor: "Executor") -> None:
    """Compute what is missing; Ctrl-C keeps what is done and says how to go on."""
    from connectlab.lab.executors.base import ExecutorError, HeadGoneError
    from connectlab.lab.papers.reproduction import compute, missing_cells, wanted_cells
    from connectlab.training.signals import stop_on_signals

    cells = console.interruptible(lambda: missing_cells(chosen))
    taken = sum(store.is_beside_a_report(cell) for cell in wanted_cells(chosen))
    if taken:
        console.notice(
            f"{console.count(taken, 'cell')} taken from beside reports; --afresh computes anew"
        )
    if not cells:
        console.notice("everything was computed before")
        return
    console.notice(f"{console.count(len(cells), 'cell')} to compute")
    done = [0]

    def tell(cell: "Cell", result: "CellResult") -> None:
        done[0] += 1
        console.notice(f"{done[0]} of {len(cells)}: {cell.title}, {result.seconds:,.0f} s")

    try:
        with stop_on_signals() as stop:
            complete = compute(cells, store, executor, stop, tell)
    except HeadGoneError as error:
        raise ExecutorError(
            f"{error}; what came back is whole: the same command goes on, here or on another "
            "executor"
        ) from None
    if not complete:
        console.notice("stopped: the same command goes on, --so-far reports what there is")
        raise typer.Exit(console.INTERRUPTED)


def _report(chosen: "list[Reproduction]", out: Path, *, json: bool) -> None:
    """Write all reports, and then print them: whoever reads may have had enough half-way."""
    from connectlab.lab.papers.index import write_index
    from connectlab.lab.papers.writer import to_json

    written = _write(chosen, out)
    index = write_index(out)
    if json:
        console.print_json([to_json(each, each.found(), report) for each, _, report in written])
        return
    for each, path, report in written:
        console.output().print(f"{each.experiment.name}: {each.experiment.title}")
        _print_compared(report.compared)
        console.output().print(f"report  {path}\n", soft_wrap=True)
    console.output().print(f"all reports  {index}", soft_wrap=True)


def _write(
    chosen: "Sequence[Reproduction]", out: Path
) -> "list[tuple[Reproduction, Path, Report]]":
    """Write the reports that do not rest on fewer cells than what is there."""
    from connectlab.lab.papers.writer import report_folder, rests_on, write_report
    from connectlab.training.signals import stop_on_signals

    written = []
    with stop_on_signals() as stop:
        for each in chosen:
            if stop.is_set():
                console.notice("stopped: --so-far writes the other reports")
                raise typer.Exit(console.INTERRUPTED)
            before, there = rests_on(report_folder(out, each)), len(each.found().there)
            if there < before:
                console.notice(
                    f"{report_folder(out, each)} is kept: it rests on {before} cells, this would "
                    f"on {there}; remove it, or choose another --out"
                )
            else:
                written.append((each, *write_report(out, each)))
    return written


def _print_compared(compared: "Sequence[Compared]") -> None:
    made = console.table("what", "published", "ours", left=3)
    for each in compared:
        made.add_row(each.what, each.published, each.ours)
    if compared:
        console.show(made)

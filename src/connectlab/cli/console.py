"""What people see: results on standard output, progress and notices on standard error."""

import json
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from connectlab.cli import INTERRUPTED, streams
from connectlab.cli.tables import Table
from connectlab.lab.wording import command_line, count, percent, rating, share

if TYPE_CHECKING:
    from rich.console import Console

    from connectlab.solver import Progress

__all__ = [
    "INTERRUPTED",
    "Table",
    "command_line",
    "count",
    "interruptible",
    "notice",
    "output",
    "patience",
    "percent",
    "print_json",
    "program",
    "progress",
    "rating",
    "share",
    "show",
    "table",
]

Result = TypeVar("Result")

PLAIN_WIDTH = 200
"""Width for pipes and files: wide enough that no table wraps."""
PATIENCE_SECONDS = 2.0


def output() -> "Console":
    """Return a console on standard output: coloured on a terminal, plain text otherwise.

    A terminal wraps words at its width; in a pipe a sentence stays on its line.
    """
    from rich.console import Console

    terminal = sys.stdout.isatty()
    size = shutil.get_terminal_size()
    return Console(
        force_terminal=terminal,
        width=size.columns if terminal else PLAIN_WIDTH,
        height=size.lines,  # without it rich takes a plain terminal to be 80 wide
        soft_wrap=not terminal,
        highlight=False,
        markup=False,
        emoji=False,
    )


def print_json(document: object) -> None:
    """Print the one JSON document of a command; no encoding loses a character of it."""
    text = json.dumps(
        document, indent=2, ensure_ascii=not streams.speaks_unicode(), allow_nan=False
    )
    # Half a surrogate, as a path of odd bytes has it, fits into no encoding.
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def program() -> str:
    """Return what to type to call this program again."""
    called = sys.argv[0]
    own = Path(called).name == "connectlab" and "/" in called
    found = shutil.which("connectlab")
    if not own or (found is not None and Path(found).resolve() == Path(called).resolve()):
        return "connectlab"
    return command_line(called)


def notice(text: str) -> None:
    """Tell something that is not part of the result."""
    streams.tell(text + "\n")


@contextmanager
def progress(description: str) -> Iterator["Progress"]:
    """Show a bar on standard error while it is a terminal; it vanishes at the end."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        task = bars.add_task(description, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


COMPILING = "Compiling for this machine; the first use of each player takes up to a minute …"
PROBING = "Finding out what perfect play reaches on this board; this takes half a minute at most …"


@contextmanager
def patience(text: str = COMPILING) -> Iterator[None]:
    """Say why nothing happens if the body takes long."""
    timer = threading.Timer(PATIENCE_SECONDS, notice, [text])
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def interruptible(work: Callable[[], Result]) -> Result:
    """Run a computation so that Ctrl-C ends it at once, even inside a kernel.

    Python delivers Ctrl-C to the main thread, and only between two steps of Python; so the work
    runs in a thread of its own, which dies with the process.
    """
    results: list[Result] = []
    failures: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]


def table(*headings: str, title: str | None = None, left: int = 1) -> Table:
    """Return an empty table whose first ``left`` columns hold words and the others numbers."""
    return Table(headings, title=title, left=left)


def show(made: Table) -> None:
    """Print a table on standard output, in a form that loses nothing at this width."""
    made.print(output())

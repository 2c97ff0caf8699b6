"""What people see: results on standard output, progress and notices on standard error."""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Told the number of finished items and of all items."""

PLAIN_WIDTH = 200
"""Width for pipes and files: wide enough that no table wraps."""
PATIENCE_SECONDS = 2.0


def output() -> "Console":
    """Return a console on standard output: coloured on a terminal, plain text otherwise."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    return Console(
        force_terminal=terminal,
        width=None if terminal else PLAIN_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def program() -> str:
    """Return what to type to call this program again."""
    called = sys.argv[0]
    return called if Path(called).name == "connectlab" and "/" in called else "connectlab"


def notice(text: str) -> None:
    """Tell something that is not part of the result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


@contextmanager
def progress(description: str) -> Iterator[Progress]:
    """Show a bar on standard error while it is a terminal; it vanishes at the end."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        task = bars.add_task(description, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


@contextmanager
def patience() -> Iterator[None]:
    """Say why nothing happens if the body takes long: the first use compiles the kernels."""
    text = "Compiling for this machine; this happens once and takes up to a minute …"
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


def table(*headings: str, title: str | None = None, left: int = 1) -> "Table":
    """Return an empty table whose first ``left`` columns hold words and the others numbers."""
    from rich.table import Table

    made = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 2, 0, 0),
        pad_edge=False,
        header_style="bold",
    )
    for number, heading in enumerate(headings):
        words = number < left
        made.add_column(
            heading,
            justify="left" if words else "right",
            overflow="fold",
            no_wrap=not words,
        )
    return made


def show(made: "Table") -> None:
    """Print a table on standard output; plain text has no blanks at the end of a line."""
    out = output()
    if out.is_terminal:
        out.print(made)
        return
    with out.capture() as captured:
        out.print(made)
    lines = captured.get().rstrip().splitlines()
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))


def share(value: float, interval: Sequence[float]) -> str:
    """Write a share with its interval, such as "0.750 [0.661, 0.821]"."""
    low, high = interval
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def percent(value: float, interval: Sequence[float]) -> str:
    """Write a share in percent with its interval, such as "75 [66, 82]", where room is short."""
    low, high = interval
    return f"{100 * value:.0f} [{100 * low:.0f}, {100 * high:.0f}]"


def count(number: int, noun: str) -> str:
    """Write a count with its noun, such as "1 game" or "1,200 games"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

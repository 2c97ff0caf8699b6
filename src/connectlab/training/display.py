"""What is seen of a run while it goes: a live panel on a terminal, plain lines otherwise."""

import math
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from connectlab.training.measurement import Figure
from connectlab.training.metrics import Evaluation, best_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

BLOCKS = "▁▂▃▄▅▆▇█"
SPARKS = 40
"""Evaluations that a sparkline shows at most."""
LINE_SECONDS = 10.0
"""Time between two plain lines."""
REDRAW_SECONDS = 0.1


@dataclass(frozen=True)
class Snapshot:
    """Where a run stands."""

    games: int
    total: int
    seconds: float
    games_per_second: float
    metrics: Mapping[str, float]
    """What the learner reports, by name."""
    evaluations: Sequence[Evaluation]
    outstanding: int
    """Evaluations that have not come back."""
    measure: str = ""
    """What evaluations measure first, in one word; nothing if there are none."""

    @property
    def seconds_left(self) -> float | None:
        """Time that the rest will take; None while nobody knows."""
        left = self.total - self.games
        return (
            left / self.games_per_second if self.games_per_second else (0.0 if not left else None)
        )


class Display(AbstractContextManager["Display"]):
    """Shows nothing."""

    def show(self, snapshot: Snapshot) -> None:
        """Take note of where the run stands; called several times a second."""

    def __exit__(self, *_: object) -> None:
        """Nothing is left to do."""


class PlainDisplay(Display):
    """Prints a line now and then, and one for each evaluation."""

    def __init__(self, name: str = "", file: TextIO | None = None) -> None:
        self._name = f"{name}: " if name else ""
        self._file = file
        self._printed_at = -math.inf
        self._told: int | None = None

    def show(self, snapshot: Snapshot) -> None:
        """Print what is new."""
        if self._told is None:  # what an earlier session measured is no news
            self._told = len(snapshot.evaluations)
        for evaluation in snapshot.evaluations[self._told :]:
            first = evaluation.first
            self._print(f"after {evaluation.games:,} games: {first.label} {first.figure}")
        self._told = len(snapshot.evaluations)
        is_news = bool(snapshot.games_per_second or snapshot.outstanding)  # else it was done before
        if is_news and time.monotonic() - self._printed_at > LINE_SECONDS:
            self._print(_line(snapshot))
            self._printed_at = time.monotonic()

    def _print(self, text: str) -> None:
        file = self._file or sys.stderr
        file.write(f"{self._name}{text}\n")
        file.flush()


class LiveDisplay(Display):
    """Redraws a panel on a terminal: a bar, speed and metrics, and the curve as a sparkline."""

    def __init__(self, title: str) -> None:
        from rich.console import Console
        from rich.live import Live

        self._title = title
        self._live = Live(console=Console(stderr=True, highlight=False), auto_refresh=False)
        self._drawn_at = -math.inf
        self._last: Snapshot | None = None

    def __enter__(self) -> "LiveDisplay":
        self._live.start()
        return self

    def show(self, snapshot: Snapshot) -> None:
        """Draw the panel anew, unless that was done a moment ago."""
        self._last = snapshot
        if time.monotonic() - self._drawn_at > REDRAW_SECONDS:
            self._draw(snapshot)

    def __exit__(self, *_: object) -> None:
        if self._last is not None:
            self._draw(self._last)
        self._live.stop()

    def _draw(self, snapshot: Snapshot) -> None:
        self._live.update(panel(self._title, snapshot), refresh=True)
        self._drawn_at = time.monotonic()


def panel(title: str, snapshot: Snapshot) -> "RenderableType":
    """Return the picture of a run for a terminal."""
    from rich.panel import Panel

    return Panel(_facts(snapshot), title=title, title_align="left", border_style="dim", width=80)


def _facts(snapshot: Snapshot) -> "Table":
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    rows = Table.grid(padding=(0, 2), expand=True)
    rows.add_column(style="bold", no_wrap=True)
    rows.add_column(ratio=1)
    bar = Table.grid(padding=(0, 2))
    bar.add_row(
        ProgressBar(total=snapshot.total, completed=snapshot.games, width=28),
        f"{snapshot.games:,} of {snapshot.total:,}",
    )
    rows.add_row("games", bar)
    rows.add_row("speed", ", ".join(_pace(snapshot)))
    rows.add_row("metrics", _metrics(snapshot) or "none")
    if snapshot.measure:
        last = snapshot.evaluations[-1] if snapshot.evaluations else None
        rows.add_row(snapshot.measure if last is None else last.first.label, _judged(snapshot))
    if snapshot.evaluations:
        rows.add_row("curve", f"[cyan]{sparkline(_curve(snapshot))}[/]")
    return rows


def _judged(snapshot: Snapshot) -> str:
    best = best_of(snapshot.evaluations)
    if best is None:
        return "evaluating …" if snapshot.outstanding else "not evaluated yet"
    last = snapshot.evaluations[-1]
    top = Figure(best.first.key, best.first.value)
    return f"{last.first.figure} after {last.games:,}, best {top} after {best.games:,}"


def _line(snapshot: Snapshot) -> str:
    words = [
        f"{snapshot.games:,} of {snapshot.total:,} games",
        *_pace(snapshot),
        _metrics(snapshot),
    ]
    return ", ".join(word for word in words if word)


def _pace(snapshot: Snapshot) -> list[str]:
    """Return the speed, unless nothing is learned in this session, and the time left."""
    speed = snapshot.games_per_second
    return [*([f"{speed:,.0f} games/s"] if speed else []), _time_left(snapshot)]


def _metrics(snapshot: Snapshot) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in snapshot.metrics.items())


def _time_left(snapshot: Snapshot) -> str:
    if snapshot.games >= snapshot.total:
        waiting = snapshot.outstanding
        return f"{waiting} evaluation{'s' * (waiting > 1)} to come" if waiting else "done"
    left = snapshot.seconds_left
    return "time left unknown" if left is None else f"{duration(left)} left"


def _curve(snapshot: Snapshot) -> list[float]:
    return [evaluation.first.rank for evaluation in snapshot.evaluations]


def duration(seconds: float) -> str:
    """Write a time as minutes and seconds, such as "4:09", or with hours, "1:04:09"."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def sparkline(values: Sequence[float]) -> str:
    """Draw shares between 0 and 1 as a row of blocks; the last ones, if there are many."""
    top = len(BLOCKS) - 1
    return "".join(BLOCKS[round(min(1.0, max(0.0, value)) * top)] for value in values[-SPARKS:])


def make_display(title: str, *, name: str = "") -> Display:
    """Return the display for standard error: live on a terminal, else plain lines."""
    return LiveDisplay(title) if sys.stderr.isatty() else PlainDisplay(name)

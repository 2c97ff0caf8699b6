"""A run: learning, measuring and saving, so that it can be killed at any moment and go on.

What is written at a stop, in this order: the line of metrics, the checkpoint to evaluate if one
is due, the state, and the checkpoint to play with. So a saved state always finds its lines, and
whatever was measured or put by after it is dropped when the run goes on: it comes again,
bit for bit. The result of an evaluation is committed in this order: the best checkpoint, the line,
and then the waiting checkpoint is forgotten; a crash in between repeats the evaluation.
"""

import math
import threading
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import numpy as np

from connectlab.training.clock import Clock
from connectlab.training.curve import save_curve
from connectlab.training.display import Display, Snapshot
from connectlab.training.evaluation import (
    Evaluations,
    EvaluationsBeside,
    EvaluationsHere,
    Evaluator,
)
from connectlab.training.events import EventFile
from connectlab.training.folder import RunFolder
from connectlab.training.learner import Learner
from connectlab.training.metrics import Evaluation, Line, MetricsLog, RunError, best_of

REPORT_GAMES = 10_000
"""A line of metrics at least every so many games."""
SAVE_SECONDS = 5.0
"""Time between two saved states, unless an evaluation asks for one."""
CHUNK_SECONDS = 0.15
"""Time between two looks at the display, the evaluations and Ctrl-C."""


class Stop(Protocol):
    """Says whether the run should stop: an event of threads or of processes."""

    def is_set(self) -> bool:
        """Return whether it was asked for."""


class RunStoppedError(Exception):
    """The run was asked to stop; it is saved and can go on."""


@dataclass(frozen=True)
class RunResult:
    """How a run ended."""

    games: int
    plies: int
    seconds: float
    """Time of all sessions of the run."""
    evaluations: list[Evaluation] = field(default_factory=list)

    @property
    def last(self) -> Evaluation | None:
        """The last evaluation."""
        return self.evaluations[-1] if self.evaluations else None

    @property
    def best(self) -> Evaluation | None:
        """The best evaluation: that of ``best.safetensors``."""
        return best_of(self.evaluations)

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "games": self.games,
            "plies": self.plies,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds else 0.0,
            "last": None if self.last is None else self.last.to_json(),
            "best": None if self.best is None else self.best.to_json(),
            "evaluations": [evaluation.to_json() for evaluation in self.evaluations],
        }


def load_learner(folder: RunFolder, kind: type[Learner], threads: int) -> Learner | None:
    """Return the learner of a saved state; None if the run was killed before it saved one."""
    if not folder.state.exists():
        return None
    learner = kind.load(folder.state, threads=threads)
    ours, theirs = folder.record.settings, learner.settings
    changed = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
    if changed:
        raise RunError(
            f"{folder.state} is of another run: its {changed[0]} is "
            f"{theirs.get(changed[0])!r}, that of this run {ours.get(changed[0])!r}"
        )
    return learner


def train(
    folder: RunFolder,
    learner: Learner,
    evaluate: Evaluator | None,
    display: Display,
    *,
    stop: Stop | None = None,
    beside: bool = True,
) -> RunResult:
    """Learn to the end of the run; raise ``RunStoppedError`` if ``stop`` is set before.

    ``evaluate`` judges checkpoints, in a process beside this one unless told otherwise; without it
    nothing is evaluated.
    """
    make = EvaluationsBeside if beside else EvaluationsHere
    with folder.locked(), display:
        folder.sweep()
        opened = nullcontext(None) if evaluate is None else make(evaluate)
        with opened as evaluations:
            return _Session(folder, learner, evaluations, display, stop).run()


class _Session:
    """One stretch of a run, from its start or its last saved state to its end or a stop."""

    def __init__(
        self,
        folder: RunFolder,
        learner: Learner,
        evaluations: Evaluations | None,
        display: Display,
        stop: Stop | None,
    ) -> None:
        self.folder = folder
        self.learner = learner
        self.evaluations = evaluations
        self.display = display
        self.stop: Stop = stop or threading.Event()
        self.total = folder.record.games
        self.report_every = max(1, min(REPORT_GAMES, self.total // 50))
        self.log = MetricsLog(folder.metrics)
        self.log.cut(learner.games_done)
        self.events = self._open_events()
        self.clock = Clock(self.log.progress)
        self.saved_at = time.monotonic()

    def run(self) -> RunResult:
        """Go on to the end."""
        if self.learner.games_done:  # a crash may have come between the state and this file
            self.learner.checkpoint().save(self.folder.latest)
        self._submit_pending()
        while self.learner.games_done < self.total:
            self._learn_until(self._next_stop())
            self._collect()
            self._pause()
        while self.evaluations is not None and self.evaluations.outstanding:
            self._collect(CHUNK_SECONDS)
            self._pause()
        return self._finish()

    def _next_stop(self) -> int:
        """Return the next number of games at which a line is due."""
        done = self.learner.games_done
        steps = [self.report_every]
        if self.evaluations is not None:
            steps.append(self.folder.record.evaluation_every)
        return min(self.total, *((done // step + 1) * step for step in steps))

    def _learn_until(self, stop: int) -> None:
        """Learn a chunk; at the stop, measure and perhaps save."""
        games = min(self.clock.games_in(CHUNK_SECONDS), stop - self.learner.games_done)
        began = time.perf_counter()
        self.learner.learn(games)
        self.clock.count(games, time.perf_counter() - began)
        if self.learner.games_done < stop:
            return
        self._report()
        if self._evaluation_is_due():
            self._save(evaluate=True)
        elif stop == self.total or time.monotonic() - self.saved_at > SAVE_SECONDS:
            self._save()

    def _evaluation_is_due(self) -> bool:
        done = self.learner.games_done
        due = done == self.total or done % self.folder.record.evaluation_every == 0
        return self.evaluations is not None and due

    def _report(self) -> None:
        line = {
            "games": self.learner.games_done,
            "plies": self.learner.plies_done,
            "seconds": round(self.clock.seconds, 3),
            "games_per_second": round(self.clock.speed_since_report(), 1),
            **self.learner.rates(),
        }
        self.log.add(line)
        self.events.add(*self._event(line))

    def _save(self, *, evaluate: bool = False) -> None:
        games = self.learner.games_done
        if evaluate:
            self.learner.checkpoint().save(self.folder.pending(games))
        self.learner.state().save(self.folder.state)
        self.learner.checkpoint().save(self.folder.latest)
        self.saved_at = time.monotonic()
        if evaluate:
            self._submit(games)

    def _submit(self, games: int) -> None:
        if self.evaluations is not None:
            seed = evaluation_seed(self.folder.record.seed, games)
            self.evaluations.submit(games, self.folder.pending(games), seed)

    def _submit_pending(self) -> None:
        """Ask again for evaluations that a crash left open; drop those that will come again."""
        known = {evaluation.games for evaluation in self.log.evaluations}
        for games in self.folder.all_pending():
            if games in known or games > self.learner.games_done:
                self.folder.forget_pending(games)
            else:
                self._submit(games)

    def _collect(self, timeout_s: float = 0.0) -> None:
        if self.evaluations is None:
            return
        for evaluation in self.evaluations.collect(timeout_s):
            if best_of([*self.log.evaluations, evaluation]) == evaluation:
                self.folder.keep_as_best(evaluation.games)
            line = {**evaluation.to_json(), "seconds": self._seconds_at(evaluation.games)}
            self.log.add(line, durable=True)
            self.folder.forget_pending(evaluation.games)
            self.events.add(*self._event(line))

    def _seconds_at(self, games: int) -> float:
        """Return how long the run had taken to learn from so many games."""
        return next((line["seconds"] for line in self.log.progress if line["games"] == games), 0.0)

    def _pause(self) -> None:
        """Show where the run stands, and stop if that was asked for."""
        self.display.show(self._snapshot())
        if not self.stop.is_set():
            return
        if not self.log.progress or self.log.progress[-1]["games"] != self.learner.games_done:
            self._report()
        self._save()
        self._draw()
        raise RunStoppedError(f"stopped after {self.learner.games_done:,} games")

    def _finish(self) -> RunResult:
        self.display.show(self._snapshot())
        self._draw()
        progress = self.log.progress
        return RunResult(
            self.learner.games_done,
            self.learner.plies_done,
            float(progress[-1]["seconds"]) if progress else 0.0,
            self.log.evaluations,
        )

    def _draw(self) -> None:
        if self.log.evaluations:
            save_curve(self.log.evaluations, self._title(), self.folder.curve)

    def _title(self) -> str:
        record = self.folder.record
        name = f"{record.learner} {record.preset or ''}".strip()
        size = [record.settings.get(key) for key in ("columns", "rows", "connect")]
        board = "" if None in size else f" on {size[0]}x{size[1]} connect-{size[2]}"
        return f"{name}{board}, seed {record.seed}"

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            self.learner.games_done,
            self.total,
            self.clock.seconds,
            self.clock.speed,
            self.learner.rates(),
            self.log.evaluations,
            0 if self.evaluations is None else self.evaluations.outstanding,
        )

    def _open_events(self) -> EventFile:
        """Write what is known so far into a new event file, in place of those of other sessions.

        Its name is new too: who follows the old file finds it gone and looks for a later one.
        """
        old = list(self.folder.path.glob("events.out.tfevents.*"))
        path = self.folder.path / f"events.out.tfevents.{time.time_ns()}.connectlab"
        events = EventFile(path, datetime.fromisoformat(self.folder.record.started).timestamp())
        events.add_all(self._event(line) for line in self.log.lines)
        for file in old:
            file.unlink()
        return events

    def _event(self, line: Line) -> tuple[float, int, Mapping[str, float]]:
        began = datetime.fromisoformat(self.folder.record.started).timestamp()
        return began + line["seconds"], line["games"], _scalars(line)


def evaluation_seed(seed: int, games: int) -> int:
    """Return the seed of the games that judge a run after so many games."""
    return int(np.random.SeedSequence([seed, games]).generate_state(1)[0])


_NOT_PLOTTED = {"games", "seconds", "evaluation_games", "perfect_success_rate"}


def _scalars(line: Line) -> dict[str, float]:
    """Return the numbers of a line with their tags for TensorBoard."""
    room = "evaluation" if "success_rate" in line else "training"
    scalars = {}
    for key, value in line.items():
        if key.endswith("_interval"):
            scalars[f"{room}/{key}_low"], scalars[f"{room}/{key}_high"] = value
        elif key not in _NOT_PLOTTED and isinstance(value, int | float) and math.isfinite(value):
            scalars[f"{room}/{key}"] = float(value)
    return scalars

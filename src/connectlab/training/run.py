"""A run: learning, measuring and saving, so that it can be killed at any moment and go on.

What is written at a stop, in this order: the row of metrics, the checkpoint to evaluate if one
is due, then, if enough time has passed, the state and the checkpoint to play with. A state is
saved only right after a row, so it always finds its rows and the checkpoints that were due before
it; whatever was measured or put by after it is dropped when the run goes on: it comes again, bit
for bit.

The result of an evaluation is held back until a saved state has come as far as the player that was
judged; so nothing that is kept can belong to games that the run has yet to learn. Then it is
committed in this order, each step on the disk before the next: the best checkpoint, the row, and
at last the waiting checkpoint is forgotten; a crash in between repeats the evaluation.

After a run that breaks down no state is saved, so it keeps all evaluations of what it had learned
by then: how often it was saved does not change what is known of it.
"""

import math
import threading
import time
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.clock import Clock, SavePace
from connectlab.training.config import LearnerConfig
from connectlab.training.curve import save_curve
from connectlab.training.display import Display, Snapshot
from connectlab.training.evaluation import Evaluations, EvaluationsBeside, EvaluationsHere, Judge
from connectlab.training.events import EventFile, scalars_of
from connectlab.training.folder import RunFolder
from connectlab.training.learner import BrokeDownError, Learner
from connectlab.training.metrics import (
    Averages,
    Evaluation,
    MetricsLog,
    ProgressRow,
    Row,
    RunError,
    best_of,
)

ROW_GAMES = 10_000
"""A row of metrics at least every so many games."""
ROWS = 50
"""A run has at least so many rows, if its steps are small enough."""
WAIT_SECONDS = 0.15
"""Time between two looks at evaluations that the end waits for."""


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
    seconds: float
    """Time of all sessions of the run."""
    evaluations: list[Evaluation] = field(default_factory=list)
    metrics: Mapping[str, float] = field(default_factory=dict)
    """What the learner reported in the last row."""

    @property
    def last(self) -> Evaluation | None:
        """The last evaluation."""
        return self.evaluations[-1] if self.evaluations else None

    @property
    def best(self) -> Evaluation | None:
        """The best evaluation: that of ``best.safetensors``."""
        return best_of(self.evaluations)

    @property
    def games_per_second(self) -> float:
        """Speed over the whole run."""
        return self.games / self.seconds if self.seconds else 0.0

    def to_json(self) -> dict[str, object]:
        """Return the result as plain data."""
        return {
            "games": self.games,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "metrics": {k: v if math.isfinite(v) else None for k, v in self.metrics.items()},
            "last": None if self.last is None else self.last.to_json(),
            "best": None if self.best is None else self.best.to_json(),
            "evaluations": [evaluation.to_json() for evaluation in self.evaluations],
        }


def restore_learner(folder: RunFolder, learner: Learner) -> None:
    """Let a learner go on from the saved state, if the run was not killed before it saved one."""
    if not folder.state.exists():
        if folder.start.exists():
            learner.begin_from(Checkpoint.load(folder.start, learner.config.name))
        return
    state = Checkpoint.load(folder.state)
    _check_same_run(folder, state, learner.config)
    learner.restore(state)
    if learner.games_done > learner.config.games:
        raise RunError(
            f"{folder.path} has learned from {learner.games_done:,} games already: "
            f"games={learner.config.games} is too few"
        )


def _check_same_run(folder: RunFolder, state: Checkpoint, config: LearnerConfig) -> None:
    """Refuse a state that was saved with another config; games may have been added since."""
    theirs, ours = state.header.get("config"), config.plain()
    if not isinstance(theirs, Mapping):
        return
    for key in (*ours, *theirs):
        if key != "games" and theirs.get(key) != ours.get(key):
            raise RunError(
                f"{folder.state} is of another run: its {key} is {theirs.get(key)!r}, that of "
                f"this run {ours.get(key)!r}"
            )


def train(
    folder: RunFolder,
    learner: Learner,
    judge: Judge | None,
    display: Display,
    *,
    stop: Stop | None = None,
    beside: bool = True,
) -> RunResult:
    """Learn to the end of the run; raise ``RunStoppedError`` if ``stop`` is set before.

    ``judge`` measures checkpoints, in a process beside this one unless told otherwise; without it
    nothing is evaluated. A learner that goes on has been given its state: ``restore_learner``.
    """
    make = EvaluationsBeside if beside else EvaluationsHere
    with display:
        opened = nullcontext(None) if judge is None else make(judge)
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
        self.total = learner.config.games
        self.row_every = max(1, min(ROW_GAMES, self.total // ROWS))
        self.log = MetricsLog(folder.metrics)
        self.log.cut(learner.games_done)
        self.events = self._open_events()
        progress = self.log.progress
        self.clock = Clock(progress[-1].seconds if progress else 0.0)
        self.averages = Averages()
        self.pace = SavePace()
        self.saved_games = learner.games_done
        self.held: list[Evaluation] = []
        """Evaluations that came back and are not committed."""

    def run(self) -> RunResult:
        """Go on to the end."""
        if self.learner.games_done:  # a crash may have come between the state and this file
            self.learner.checkpoint().save(self.folder.latest)
        self._submit_pending()
        try:
            while self.learner.games_done < self.total:
                self._learn()
                self._collect()
                self._pause()
        except BrokeDownError:
            self._end_broken()
            raise
        while self._is_judging:
            self._collect(WAIT_SECONDS)
            self._pause()
        return self._finish()

    @property
    def _is_judging(self) -> bool:
        return self.evaluations is not None and self.evaluations.outstanding > 0

    def _end_broken(self) -> None:
        """Keep what was learned and judged before the run broke down."""
        games = self.learner.games_done
        if games and not self._has_row(games):
            self._add_row()
        while self._is_judging:
            if self.stop.is_set():
                raise RunStoppedError(f"stopped after {games:,} games")
            self._collect(WAIT_SECONDS)
            self._show()
        for evaluation in self.held:
            self._commit(evaluation)
        self.held.clear()
        self._draw()

    def _learn(self) -> None:
        """Take a step; then measure, put by a checkpoint and save, each if it is due."""
        before, began = self.learner.games_done, time.perf_counter()
        metrics = self.learner.step()
        games = self.learner.games_done
        self.clock.count(games - before, time.perf_counter() - began)
        self.averages.add(metrics, games - before)
        ends = games >= self.total
        every = self.folder.record.evaluation_every
        judged = self.evaluations is not None and (ends or before // every < games // every)
        saves = ends or self.pace.is_due
        if judged or saves or before // self.row_every < games // self.row_every:
            self._add_row()
        if judged:
            self.learner.checkpoint().save(self.folder.pending(games))
            self._submit(games)
        if saves:
            self._save()

    def _has_row(self, games: int) -> bool:
        return bool(self.log.progress) and self.log.progress[-1].games == games

    def _add_row(self) -> None:
        row = ProgressRow(
            self.learner.games_done,
            round(self.clock.seconds, 3),
            round(self.clock.speed_since_row(), 1),
            self.averages.take(),
        )
        self.log.add(row)
        self.events.add(*self._event(row))

    def _save(self) -> None:
        began = time.perf_counter()
        self.learner.state().save(self.folder.state)
        self.learner.checkpoint().save(self.folder.latest)
        self.saved_games = self.learner.games_done
        self.pace.saved(time.perf_counter() - began)

    def _submit(self, games: int) -> None:
        if self.evaluations is not None:
            seed = evaluation_seed(self.learner.config.seed, games)
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
        for found in self.evaluations.collect(timeout_s):
            seconds = self._seconds_at(found.games)
            self.held.append(Evaluation(found.games, found.measurements, seconds))
        while self.held and self.held[0].games <= self.saved_games:
            self._commit(self.held.pop(0))

    def _commit(self, evaluation: Evaluation) -> None:
        if best_of([*self.log.evaluations, evaluation]) == evaluation:
            self.folder.keep_as_best(evaluation.games)
        self.log.add(evaluation)
        self.folder.forget_pending(evaluation.games)
        self.events.add(*self._event(evaluation))

    def _seconds_at(self, games: int) -> float:
        """Return how long the run had taken to learn from so many games."""
        return next((row.seconds for row in self.log.progress if row.games == games), 0.0)

    def _pause(self) -> None:
        """Show where the run stands, and stop if that was asked for."""
        self._show()
        if not self.stop.is_set():
            return
        if not self._has_row(self.learner.games_done):
            self._add_row()
        self._save()
        self._collect()
        self._draw()
        raise RunStoppedError(f"stopped after {self.learner.games_done:,} games")

    def _finish(self) -> RunResult:
        self._show()
        self._draw()
        last = self.log.progress[-1] if self.log.progress else None
        return RunResult(
            self.learner.games_done,
            0.0 if last is None else last.seconds,
            self.log.evaluations,
            {} if last is None else last.metrics,
        )

    def _show(self) -> None:
        with suppress(OSError):  # a terminal that was closed must not end the run
            self.display.show(self._snapshot())

    def _draw(self) -> None:
        if self.log.evaluations:
            save_curve(self.log.evaluations, self._title(), self.folder.curve)

    def _title(self) -> str:
        config = self.learner.config
        return f"{self.folder.record.title} on {config.geometry}, seed {config.seed}"

    def _snapshot(self) -> Snapshot:
        metrics = self.averages.means
        if not metrics and self.log.progress:
            metrics = dict(self.log.progress[-1].metrics)
        measures = self.folder.record.measures
        return Snapshot(
            self.learner.games_done,
            self.total,
            self.clock.seconds,
            self.clock.speed,
            metrics,
            [*self.log.evaluations, *self.held],
            0 if self.evaluations is None else self.evaluations.outstanding,
            measures[0].partition(":")[0] if measures else "",
        )

    def _open_events(self) -> EventFile:
        """Write what is known so far into a new event file, in place of those of other sessions.

        Its name is new too: who follows the old file finds it gone and looks for a later one.
        """
        old = list(self.folder.path.glob("events.out.tfevents.*"))
        path = self.folder.path / f"events.out.tfevents.{time.time_ns()}.connectlab"
        events = EventFile(path, self.folder.record.began_at)
        events.add_all(self._event(row) for row in self.log.rows)
        for file in old:
            file.unlink()
        return events

    def _event(self, row: Row) -> tuple[float, int, Mapping[str, float]]:
        return self.folder.record.began_at + row.seconds, row.games, scalars_of(row)


def evaluation_seed(seed: int, games: int) -> int:
    """Return the seed of the games that judge a run after so many games."""
    return int(np.random.SeedSequence([seed, games]).generate_state(1)[0])

"""Everything in a folder of runs as data: who learns, how far it is, how it was judged.

Other processes may be at work in it: nothing is written, no lock is kept, and only what has changed
since the last look is read, so that it can be asked every second. A folder that is damaged is
listed with its reason.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Generic, Literal, TypeAlias, TypeVar

from connectlab.agents.registry import trained_spec
from connectlab.agents.sources import RUN_FILES
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.lab.live_rows import LiveRows
from connectlab.lab.plans import PLAN_FILE, Plan, make_config
from connectlab.storage.checkpoint import read_header
from connectlab.training.curve import curve_label
from connectlab.training.folder import METRICS_FILE, RUN_FILE, STATE_FILE, RunRecord, is_in_use
from connectlab.training.metrics import Evaluation, ProgressRow, RunError, best_of

BEST_FILE, LATEST_FILE = RUN_FILES
PENDING = "pending"
DEEPEST = 3
"""Folders within folders that are looked into."""
MOST_RUNS = 2_000
"""Runs that are listed."""

RunState: TypeAlias = Literal["running", "stopped", "finished", "damaged"]
Found = TypeVar("Found")


@dataclass(frozen=True)
class RunView:
    """A run as it stands; of a damaged one little more than the reason is known."""

    name: str
    """Its folder below that of all runs, with slashes: "first", "many/run-1"."""
    state: RunState
    problem: str | None = None
    record: RunRecord | None = None
    board: Geometry | None = None
    games: int = 0
    """Games learned from."""
    total: int = 0
    """Games of the whole run."""
    progress: ProgressRow | None = None
    evaluations: tuple[Evaluation, ...] = ()
    rows: int = 0
    version: int = 0
    """That of the rows: see :class:`LiveRows`."""
    player: str | None = None
    """The spec of what it has learned, as its best; None while there is nothing to play with."""
    newest: str | None = None
    """The spec of the checkpoint that was saved last."""
    plan: str | None = None
    """The folder of the plan that it belongs to."""

    @property
    def title(self) -> str:
        """Learner and preset, or the name where they are not known."""
        return self.name if self.record is None else self.record.title

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the speed of late; None where nothing is known."""
        speed = 0.0 if self.progress is None else self.progress.games_per_second
        return (self.total - self.games) / speed if speed > 0 else None

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of all that was measured, what chooses the best first."""
        judged = (m for each in reversed(self.evaluations) for m in each.measurements)
        return tuple(dict.fromkeys(figure.key for m in judged for figure in m.figures))

    def to_json(self) -> dict[str, object]:
        """Return the run as plain data, all but its rows."""
        record, progress, best = self.record, self.progress, best_of(self.evaluations)
        last = self.evaluations[-1] if self.evaluations else None
        return {
            "name": self.name,
            "title": self.title,
            "state": self.state,
            "problem": self.problem,
            "learner": None if record is None else record.learner,
            "preset": None if record is None else record.preset,
            "started": None if record is None else record.started,
            "began_from": None if record is None else record.began_from,
            "measures": [] if record is None else record.measures,
            "evaluation_every": None if record is None else record.evaluation_every,
            "tuple_file": None if record is None else tuple_set(record.config.get("tuple_file")),
            "board": None if self.board is None else self.board.to_json(),
            "games": self.games,
            "total": self.total,
            "seconds": 0.0 if progress is None else progress.seconds,
            "games_per_second": 0.0 if progress is None else progress.games_per_second,
            "seconds_left": self.seconds_left if self.state == "running" else None,
            "metrics": [] if progress is None else list(progress.metrics),
            "figures": list(self.figures),
            "labels": {key: curve_label(key) for key in self.figures},
            "evaluations": len(self.evaluations),
            "last": None if last is None else _brief(last),
            "best": None if best is None else _brief(best),
            "rows": self.rows,
            "version": self.version,
            "player": self.player,
            "newest": self.newest,
            "plan": self.plan,
        }


def tuple_set(path: object) -> str | None:
    """Return the name of a file of tuples without its folders; None where there is no file."""
    return Path(path).stem if isinstance(path, str) else None


def _brief(evaluation: Evaluation) -> dict[str, object]:
    first = evaluation.first
    return {
        "games": evaluation.games,
        "key": first.key,
        "label": first.label,
        "value": first.value,
        "interval": None if first.interval is None else list(first.interval),
        "opponent": first.opponent,
    }


@dataclass
class _Remembered(Generic[Found]):
    """What was read from a file, read anew only when the file has changed."""

    path: Path
    read: Callable[[Path], Found]
    _seen: tuple[int, int, int] | None = None
    _found: list[Found] = field(default_factory=list)

    def look(self) -> Found:
        status = self.path.stat()
        seen = status.st_ino, status.st_size, status.st_mtime_ns
        if seen != self._seen or not self._found:
            self._found = [self.read(self.path)]
            self._seen = seen
        return self._found[0]


class RunWatch:
    """One run that is looked at again and again."""

    def __init__(self, root: Path, name: str, plan: str | None = None) -> None:
        self.path, self.name, self.plan = root / name, name, plan
        self.live = LiveRows(self.path / METRICS_FILE)
        self._record = _Remembered(self.path / RUN_FILE, lambda file: _read_record(file.parent))
        self._state = _Remembered(self.path / STATE_FILE, _games_done)

    def look(self) -> RunView:
        """Return the run as it stands."""
        in_use = is_in_use(self.path)
        try:
            return self._view(in_use=in_use)
        except (UserError, OSError) as error:
            reason = str(error) if isinstance(error, UserError) else _reason(error)
            return RunView(self.name, "damaged", reason, plan=self.plan)

    def _view(self, *, in_use: bool) -> RunView:
        record, board = self._record.look()
        self.live.look()
        progress, evaluations = self.live.last_progress, tuple(self.live.evaluations)
        saved = self._state.look() if (self.path / STATE_FILE).exists() else 0
        games = max(saved, 0 if progress is None else progress.games) if in_use else saved
        total = record.config["games"]
        assert isinstance(total, int), "the record was checked"
        finished = saved >= total and not (self.path / PENDING).is_dir()
        state: RunState = "running" if in_use else "finished" if finished else "stopped"
        problem = None if in_use else self.live.problem
        if problem is not None:
            raise RunError(problem)
        return RunView(
            self.name,
            state,
            None,
            record,
            board,
            games,
            total,
            progress,
            evaluations,
            len(self.live.rows),
            self.live.version,
            *self._specs(record.learner),
            self.plan,
        )

    def _specs(self, learner: str) -> tuple[str | None, str | None]:
        """Return the spec of the best player there is, and that of the newest."""
        newest = self.path / LATEST_FILE
        best = newest if newest.exists() else self.path / BEST_FILE
        if not best.exists():
            return None, None
        spec = trained_spec(learner, self.path)
        return spec, trained_spec(learner, newest) if newest.exists() else spec


def _read_record(path: Path) -> tuple[RunRecord, Geometry]:
    """Read ``run.json``; its settings must be those of a learner."""
    record = RunRecord.read(path)
    return record, make_config(record.learner, record.config).geometry


def _games_done(state: Path) -> int:
    done = read_header(state).get("games_done")
    return done if isinstance(done, int) else 0


def _reason(error: OSError) -> str:
    return f"{error.filename}: {(error.strerror or str(error)).lower()}"


@dataclass(frozen=True)
class PlanView:
    """Several runs of one plan."""

    name: str
    title: str
    runs: int
    """Runs that are planned; some may not have begun."""
    problem: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the plan as plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "runs": self.runs,
            "problem": self.problem,
        }


class Runs:
    """All runs below a folder; what was read stays in memory for the next look."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._watched: dict[str, RunWatch] = {}
        self._plans: dict[str, _Remembered[Plan]] = {}
        self._lock = Lock()

    def look(self) -> tuple[list[RunView], list[PlanView]]:
        """Return all runs and plans as they stand, by name."""
        with self._lock:
            found = dict(_find(self.root))
            self._watched = {
                name: self._watch(name, found) for name, file in found.items() if file == RUN_FILE
            }
            views = [watch.look() for watch in self._watched.values()]
            plans = [self._plan(name) for name, file in found.items() if file == PLAN_FILE]
        return views, plans

    def find(self, name: str) -> RunWatch:
        """Return one run; ``RunError`` if there is none of this name."""
        with self._lock:
            found = dict(_find(self.root))
            if found.get(name) != RUN_FILE:
                raise RunError(f"there is no run {name}")
            self._watched[name] = self._watch(name, found)
            return self._watched[name]

    def _watch(self, name: str, found: dict[str, str]) -> RunWatch:
        if name in self._watched:
            return self._watched[name]
        parent = name.rpartition("/")[0]
        return RunWatch(self.root, name, parent if found.get(parent) == PLAN_FILE else None)

    def _plan(self, name: str) -> PlanView:
        if name not in self._plans:
            read = _Remembered(self.root / name / PLAN_FILE, lambda file: Plan.read(file.parent))
            self._plans[name] = read
        try:
            plan = self._plans[name].look()
            title = f"{plan.learner} {plan.preset or ''}".strip()
            return PlanView(name, title, len(plan.variants()))
        except (UserError, OSError) as error:
            return PlanView(name, name, 0, str(error))


def _find(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of runs and plans below a folder, and the file that makes each one so."""
    count = 0
    for name, files in _folders(root, "", DEEPEST):
        file = RUN_FILE if RUN_FILE in files else PLAN_FILE if PLAN_FILE in files else None
        if file is not None:
            count += 1
            yield name, file
        if count >= MOST_RUNS:
            return


def _folders(folder: Path, name: str, deep: int) -> Iterator[tuple[str, set[str]]]:
    """Yield every folder below one, with the names of what is in it; links are not followed."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: _natural(entry.name))
    except OSError:
        return
    names = {entry.name for entry in found}
    if name:
        yield name, names
    if RUN_FILE in names or not deep:
        return
    for entry in found:
        hidden = entry.name.startswith(".") or entry.name == PENDING
        if not hidden and entry.is_dir(follow_symlinks=False):
            yield from _folders(folder / entry.name, f"{name}/{entry.name}".lstrip("/"), deep - 1)


def _natural(name: str) -> tuple[str, int, str]:
    """Let run-2 come before run-10."""
    word = name.rstrip("0123456789")
    digits = name[len(word) :]
    return word, int(digits) if digits else -1, name

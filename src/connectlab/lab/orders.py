"""Runs that shall be going on: an order for each, as a file beside the runs.

The orders lie in the folder of the runs, so everybody who looks after that folder sees the same
ones: to stop a run is to take its order away, whoever has a process at it. The folder of a new run
is made together with its order and is empty until the run begins, so that nobody else takes the
name.
"""

import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, Field

from connectlab.agents.registry import agent_class
from connectlab.agents.sources import Sources
from connectlab.errors import UserError
from connectlab.lab.keeper import Task
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import Request
from connectlab.storage.files import write_text
from connectlab.training.config import MOST_TRAINING_GAMES
from connectlab.training.display import Display
from connectlab.training.folder import LOCK_FILE, RUN_FILE, RunRecord, is_in_use, read_model
from connectlab.training.metrics import RunError
from connectlab.training.run import Stop

if TYPE_CHECKING:
    from connectlab.lab.jobs import Job

ORDERS = ".orders"
"""The folder of the orders, below that of the runs."""
MOST_ORDERS = 100
LONGEST_NAME = 80
RESERVED = ("check", "events")
"""Names that no run can have: on the web, they are not those of a run."""


ADVICE = "choose Go on when that is mended"
"""What the page offers for a run that failed."""


class Order(BaseModel):
    """What was asked for: a run that begins, or, once its folder holds it, goes on."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    learner: str
    preset: str | None = None
    settings: dict[str, object] = Field(default_factory=dict)
    """Settings that differ from those of the preset."""
    measures: list[str] | None = None
    """What evaluations measure; None for the usual ones."""
    evaluation_every: int | None = Field(default=None, ge=1, le=MOST_TRAINING_GAMES)
    begin_from: str | None = None
    """What to begin with: a name that comes along, a run or a checkpoint."""
    games: int | None = Field(default=None, ge=1, le=MOST_TRAINING_GAMES)
    """Games that a run which goes on shall have; None for those it has."""
    placed: int = 0
    """When it was placed, in nanoseconds since 1970: who came first is served first."""
    problem: str | None = None
    """Why it does not go on."""

    def request(self) -> Request:
        """Return what a new run is made of."""
        return Request(
            self.learner,
            self.preset,
            changes=self.settings,
            measures=None if self.measures is None else parse_measures(self.measures or ["none"]),
            evaluation_every=self.evaluation_every,
        )

    def job(self, path: Path) -> "Job":
        """Return the run, begun or to be gone on with; this may take a while to solve a board."""
        from connectlab.lab.jobs import new_job, old_job  # with kernels, which only a process needs

        if not (path / RUN_FILE).exists():
            start = self.begin_from and find_trained(self.learner, self.begin_from)
            return new_job(replace(self.request(), begin_from=start or None), path)
        games = {} if self.games is None else {"games": self.games}
        return old_job(Request(self.learner, changes=games), path)


@dataclass(frozen=True)
class RunTask:
    """Makes or goes on with a run."""

    path: Path
    order: Order

    def __call__(self, stop: Stop) -> None:
        """Learn to the end of the run, or until it is stopped."""
        replace(self.order.job(self.path), advice=ADVICE).run(Display(), stop)


class Orders:
    """All orders for runs below a folder: the ledger of a keeper."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = root / ORDERS
        self._unwritten: dict[str, Order] = {}
        """Orders that failed, where the disk did not even take the reason."""

    # What people do

    def begin(self, order: Order, name: str | None = None) -> str:
        """Order a new run and return its name; a free one is found unless it is given.

        The settings are checked, so that a mistake is told at once.
        """
        order.request().config()
        self._check_room()
        taken = self._reserve(order, name)
        try:
            self.write(taken, order.model_copy(update={"placed": time.time_ns()}))
        except OSError:  # else nobody could ever have this name
            (self.root / taken).rmdir()
            raise
        return taken

    def check_free(self, name: str) -> None:
        """Refuse a name that a new run cannot have."""
        check_name(name)
        if (self.root / name).exists():
            raise RunError(f"{name} exists already: choose another name")

    def resume(self, name: str, games: int | None = None) -> None:
        """Let a run go on, with other games if they are given."""
        path, old = self.root / name, self.read().get(name)
        if old is not None and old.problem is None:
            raise RunError(f"{name} is going on already")
        if old is not None and not (path / RUN_FILE).exists():
            self.write(name, old.model_copy(update={"problem": None}))
            return
        if is_in_use(path):
            raise RunError(f"{name} is going on already, in another process")
        self._check_room()
        order = Order(learner=RunRecord.read(path).learner, games=games, placed=time.time_ns())
        self.write(name, order)

    def stop(self, name: str) -> None:
        """Take an order away: whoever is at it saves and stops."""
        if name not in self.read():
            if is_in_use(self.root / name):
                raise RunError(f"{name} was started by another program: stop it there")
            raise RunError(f"{name} is not going on")
        self.done(name)
        self._remove_reserved(self.root / name)

    def read(self) -> dict[str, Order]:
        """Return all orders by the name of their run, the oldest first; a damaged one says so."""
        found: dict[str, Order] = {}
        for file in self._folder.glob("[!.]*.json"):
            with suppress(FileNotFoundError):
                found[unquote(file.stem)] = _read(file)
        found.update(self._unwritten)
        return dict(sorted(found.items(), key=lambda item: (item[1].placed, item[0])))

    def write(self, name: str, order: Order) -> None:
        """Put an order in its place."""
        write_text(self._file(name), order.model_dump_json(indent=2) + "\n")
        self._unwritten.pop(name, None)

    # What a keeper does

    def wanted(self) -> list[str]:
        """Return the runs that shall be going on, in the order in which they were asked for."""
        return [name for name, order in self.read().items() if order.problem is None]

    def is_busy(self, name: str) -> bool:
        """Say whether a process is at work in the folder of a run."""
        return is_in_use(self.root / name)

    def task(self, name: str) -> Task:
        """Return the work of an order."""
        order = self.read().get(name)
        if order is None:
            raise RunError(f"{name} is not going on")
        return RunTask(self.root / name, order)

    def done(self, name: str) -> None:
        """Cross out an order whose run has come to its end."""
        self._file(name).unlink(missing_ok=True)
        self._unwritten.pop(name, None)

    def failed(self, name: str, reason: str) -> None:
        """Keep an order with the reason why it does not go on, for a run that was stopped too.

        A disk that is full takes no reason either: then it is kept in memory.
        """
        order = self.read().get(name) or self._order_of(name)
        if order is None:
            return
        order = order.model_copy(update={"problem": reason})
        try:
            self.write(name, order)
        except OSError:
            self._unwritten[name] = order

    def _order_of(self, name: str) -> Order | None:
        """Return an order for a run that has none any more; None if it never began."""
        with suppress(UserError, OSError):
            return Order(learner=RunRecord.read(self.root / name).learner, placed=time.time_ns())
        return None

    def _file(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe='')}.json"

    def _check_room(self) -> None:
        if len(self.wanted()) >= MOST_ORDERS:
            raise RunError(f"{MOST_ORDERS} runs are in line already: wait, or stop some of them")

    def _reserve(self, order: Order, name: str | None) -> str:
        """Make the folder of a new run, empty; of two who want a name one is refused."""
        if name is not None:
            self.check_free(name)
        stem, number = f"{order.learner}-{order.preset or 'custom'}", 0
        while True:
            number += 1
            wanted = name or f"{stem}-{number}"
            try:
                (self.root / wanted).mkdir(parents=True)
            except FileExistsError:
                if name is not None:
                    raise RunError(f"{name} exists already: choose another name") from None
            else:
                return wanted

    def _remove_reserved(self, path: Path) -> None:
        """Remove the folder of a run that never began."""
        if (path / RUN_FILE).exists() or is_in_use(path) or not path.is_dir():
            return
        if all(file.name == LOCK_FILE for file in path.iterdir()):
            shutil.rmtree(path, ignore_errors=True)


def find_trained(learner: str, source: str) -> Path:
    """Return the checkpoint that a source of a player names, as its specs do."""
    from connectlab.lab.jobs import find_checkpoint

    sources = getattr(import_module(agent_class(learner).__module__), "SOURCES", None)
    if isinstance(sources, Sources):
        return sources.locate(source)
    return find_checkpoint(Path(source))


def check_name(name: str) -> None:
    """Refuse a name that is no plain name of a folder."""
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    if not (plain.isascii() and plain.isalnum()) or name.startswith((".", "-")):
        raise RunError(f"{name!r} is no name for a run: use letters, digits, -, _ and .")
    if name in RESERVED:
        raise RunError(f"{name} is no name for a run: it means something else on the page")
    if len(name) > LONGEST_NAME:
        raise RunError(f"the name of a run has {LONGEST_NAME} letters at most")


def _read(file: Path) -> Order:
    try:
        return read_model(Order, file)
    except FileNotFoundError:  # it has been taken away
        raise
    except RunError as error:
        return Order(learner="", problem=str(error))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Order(learner="", problem=f"{file} cannot be read: {reason}")

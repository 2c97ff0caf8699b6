"""Pupils: tables that learn from every finished game, those against people too.

Cheng, Fan and Nguyen let the Q-learner of their web page learn from its visitors. A pupil is the
folder of a run of ``qtable`` whose newest table is the one that plays; a new one begins with a
table that comes along, or with that of another run, and neither is ever written to. Here pupils
are only looked at, which needs no kernel; ``lab/lessons.py`` makes and teaches them.
"""

from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from connectlab.agents.registry import trained_spec
from connectlab.agents.sources import RUN_FILES
from connectlab.errors import UserError
from connectlab.lab.plans import make_config
from connectlab.training.folder import RunRecord
from connectlab.training.metrics import RunError

QTABLE = "qtable"
LESSONS_FILE = "lessons.jsonl"
BEST_FILE = RUN_FILES[0]


@dataclass(frozen=True)
class PupilView:
    """A pupil as a list shows it."""

    player: str
    """The spec it plays by."""
    board: str
    lessons: int
    began_from: str | None
    """The file of the table that it began with, without its folders."""

    def to_json(self) -> dict[str, object]:
        """Return the pupil as plain data."""
        return asdict(self)


def player_of(path: Path) -> str:
    """Return the spec that a pupil plays by."""
    return trained_spec(QTABLE, path)


def look(path: Path) -> PupilView | None:
    """Return a pupil as it stands; None if the folder holds no pupil."""
    try:
        record = RunRecord.read(path)
        check_pupil(path, record)
        board = make_config(record.learner, record.config).geometry
    except UserError:
        return None
    lessons = 0
    with suppress(OSError), (path / LESSONS_FILE).open("rb") as file:
        lessons = sum(1 for _ in file)
    began = None if record.began_from is None else Path(record.began_from).name
    return PupilView(player_of(path), str(board), lessons, began)


def check_pupil(path: Path, record: RunRecord) -> None:
    """Refuse a run that cannot take lessons."""
    if record.learner != QTABLE:
        raise RunError(f"{path} is a run of {record.learner}: only {QTABLE} learns from games")
    if (path / BEST_FILE).exists():
        raise RunError(
            f"{path} plays with its best checkpoint, which lessons do not change: make a pupil of "
            "it in a new folder"
        )

"""Lessons: what a pupil learns from a finished game, and how a pupil is made.

What a lesson changed and that it was given are saved in one file, which is put in its place whole:
no game is learned twice, and none is half learned. The lock of the folder lets one lesson after
the other take place, whoever gives them. ``lessons.jsonl`` tells afterwards what each one changed.
"""

import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.qtable.agent import SOURCES
from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.table import ABSENT
from connectlab.agents.qtable.training import QTableLearner
from connectlab.game.batch import PositionBatch
from connectlab.game.position import Position
from connectlab.lab.plans import make_config
from connectlab.lab.pupils import LESSONS_FILE, QTABLE, check_pupil, player_of
from connectlab.lab.records import GameRecord
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.folder import RunFolder, RunInUseError, RunRecord
from connectlab.training.learner import LearnerError
from connectlab.training.metrics import RunError
from connectlab.training.run import restore_learner

PATIENCE_SECONDS = 20.0
"""How long a lesson waits for those before it."""
LONGEST_GAME_NAME = 100
OF = "@"
"""Stands between the name of a game and the digest of its record in the list of lessons."""


@dataclass(frozen=True)
class LessonStep:
    """What a lesson changed at one position of the game."""

    moves: str
    """The moves that led to the position."""
    column: int
    """The move that was played there, 1-based."""
    before: float
    """Q of that move before the lesson, for the side that played it."""
    after: float
    was_known: bool
    """Whether the table had the position before."""


@dataclass(frozen=True)
class Lesson:
    """What a pupil learned from a game."""

    game: str
    """The name of the game."""
    again: bool
    """Whether it was learned before, so that nothing changed now."""
    alpha: float = 0.0
    states_added: int = 0
    states: int = 0
    """States in the table afterwards."""
    mean_change: float = 0.0
    """The mean of |change of Q(s, a)| over all updates."""
    reward_win: float = 0.0
    """What a win is worth: the scale of the values."""
    steps: tuple[LessonStep, ...] = field(default=())

    def to_json(self) -> dict[str, object]:
        """Return the lesson as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, object]) -> "Lesson":
        """Read a line that was written by ``to_json``; raise ``TypeError`` for any other."""
        steps = plain.pop("steps", ())
        if not isinstance(steps, list):
            raise TypeError("a lesson has steps")
        return cls(**plain, steps=tuple(LessonStep(**each) for each in steps))  # type: ignore[arg-type]


def make_pupil(source: str, path: Path) -> str:
    """Make a new pupil of what a source names, in a new folder; return the spec it plays by.

    The source is a name that comes along, a run or a checkpoint. The folder appears as a whole.
    """
    if os.path.lexists(path):
        raise RunError(f"{path} exists already: choose another name")
    file = SOURCES.locate(source)
    checkpoint = Checkpoint.load(file, QTABLE)
    learner = QTableLearner(_config(checkpoint, source))
    learner.begin_from(checkpoint)
    learner.games_done = learner.config.games  # what the table has learned is behind it
    record = RunRecord.make(learner.config, began_from=str(file))
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with RunFolder.create(beside, record, start=checkpoint) as folder:
            _save(folder, learner)
        _put(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return player_of(path)


def _put(beside: Path, path: Path) -> None:
    """Give a folder its name, unless somebody was quicker."""
    try:
        beside.rename(path)
    except OSError:
        if os.path.lexists(path):
            raise RunError(f"{path} exists already: choose another name") from None
        raise


def _config(checkpoint: Checkpoint, source: str) -> QTableConfig:
    """Return the settings that a table was trained with."""
    settings = checkpoint.header.get("config")
    if not isinstance(settings, dict):
        raise RunError(f"{source} does not say with which settings it was trained")
    config = make_config(QTABLE, settings)
    assert isinstance(config, QTableConfig), "that is what the name stands for"
    return config


def learn(path: Path, record: GameRecord, game: str | None = None) -> Lesson:
    """Let a pupil learn from a finished game, once; ``game`` is a name for it.

    Without a name it gets one from what was played, when and by whom, and is known again by its
    record under whichever name it was learned. A game with a name of its own is a game of its own:
    two people may well play the same moves.
    """
    name = game or digest(record)
    if not 1 <= len(name) <= LONGEST_GAME_NAME:
        raise RunError(f"the name of a game has from 1 to {LONGEST_GAME_NAME} letters")
    with _open(path) as folder:
        check_pupil(path, folder.record)
        config = make_config(QTABLE, folder.record.config)
        assert isinstance(config, QTableConfig), "the record says so"
        learner = QTableLearner(config)
        restore_learner(folder, learner)
        known = _name_before(learner.lessons, game, digest(record))
        if known is not None:
            learner.checkpoint().save(folder.latest)  # a crash may have come before this file
            return _find_lesson(path, known)
        lesson = _teach(learner, record, name)
        learner.lessons.append(f"{name}{OF}{digest(record)}")
        _save(folder, learner)
        _write_down(path / LESSONS_FILE, lesson)
    return lesson


def _name_before(lessons: Sequence[str], game: str | None, record: str) -> str | None:
    """Return the name under which a game was learned before; None if it is new.

    ``record`` is its digest, which is also the name of a game that was given none.
    """
    for lesson in lessons:
        name, _, learned = lesson.rpartition(OF)
        if name == game or (learned == record and (game is None or name == record)):
            return name
    return None


def _open(path: Path) -> RunFolder:
    """Open the folder; wait for lessons that are being given, not for a training."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return RunFolder.open(path)
        except RunInUseError:
            if time.monotonic() > end:
                raise


def _save(folder: RunFolder, learner: QTableLearner) -> None:
    learner.state().save(folder.state)
    learner.checkpoint().save(folder.latest)


def _teach(learner: QTableLearner, record: GameRecord, name: str) -> Lesson:
    if learner.config.geometry.variant.by_chance:
        learner.learn_from([])  # it says why
    if record.start_moves is None:
        raise LearnerError("a game that began on a drawn board comes without its moves")
    end = Position.from_moves(record.to_moves(), record.board)
    if record.board != learner.config.geometry or not end.is_over:
        learner.learn_from([end])  # it says why
    positions, columns = _positions(end)
    batch = PositionBatch.of(positions)
    known = learner.model.find(batch) != ABSENT
    before = _values(learner, batch, columns)
    learned = learner.learn_from([end])
    after = _values(learner, batch, columns)
    steps = tuple(
        LessonStep(position.moves, int(column) + 1, float(old), float(new), bool(was))
        for position, column, old, new, was in zip(
            positions, columns, before, after, known, strict=True
        )
    )
    return Lesson(
        name,
        again=False,
        alpha=learned["alpha"],
        states_added=int(learned["states_added"]),
        states=len(learner.table),
        mean_change=learned["mean_change"],
        reward_win=learner.config.reward_win,
        steps=steps,
    )


def _positions(end: Position) -> tuple[list[Position], NDArray[np.int64]]:
    """Return every position of a game in which a move was made, and the moves."""
    columns = np.array(end.history or (), dtype=np.int64)
    positions = [Position(end.geometry)]
    for column in columns[:-1]:
        positions.append(positions[-1].play(int(column)))
    return positions, columns


def _values(
    learner: QTableLearner, batch: PositionBatch, columns: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return Q of the moves that were played, float64[n]."""
    values: NDArray[np.float64] = learner.model.action_values(batch)
    return values[np.arange(len(columns)), columns]


def _write_down(file: Path, lesson: Lesson) -> None:
    """Add a line, whole or not at all; the lesson was learned even if the disk has no room."""
    size = file.stat().st_size if file.exists() else 0
    try:
        with file.open("a", encoding="utf-8") as log:
            log.write(json.dumps(lesson.to_json(), allow_nan=False) + "\n")
    except OSError:
        with suppress(OSError):
            os.truncate(file, size)


def _find_lesson(path: Path, name: str) -> Lesson:
    """Return what is known of a lesson that was given before."""
    with suppress(OSError), (path / LESSONS_FILE).open(encoding="utf-8") as log:
        for line in log:
            with suppress(ValueError, TypeError, AttributeError):
                plain = json.loads(line)
                if plain.get("game") == name:
                    return Lesson.of({**plain, "again": True})
    return Lesson(name, again=True)


def digest(record: GameRecord) -> str:
    """Return a name for a game that was given none: the same for the same record."""
    return hashlib.sha256(record.to_text().encode()).hexdigest()[:32]

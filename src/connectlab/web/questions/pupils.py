"""Lessons: a worker has the kernels that a table learns with."""

import json
from pathlib import Path

from connectlab.agents.spec import SOURCE, Spec
from connectlab.lab import lessons, pupils
from connectlab.lab.records import GameRecord
from connectlab.web.models.pupils import LessonIn, LessonOut, NewPupil, PupilOut


def make_pupil(asked: NewPupil) -> PupilOut:
    """Make a pupil of a trained table."""
    source = Spec.parse(asked.source).settings.get(SOURCE, "")
    path = Path(asked.path)
    lessons.make_pupil(source, path)
    made = pupils.look(path)
    assert made is not None, "it has just been made"
    return PupilOut.model_validate(made.to_json())


def give_lesson(asked: LessonIn) -> LessonOut:
    """Let a pupil learn from a game."""
    path = Path(Spec.parse(asked.player).settings.get(SOURCE, ""))
    record = GameRecord.from_json(asked.game.model_dump_json())
    learned = lessons.learn(path, record, asked.id)
    return LessonOut.model_validate_json(json.dumps(learned.to_json()))

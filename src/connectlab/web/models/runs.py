"""Runs and learners as the page sees them."""

from typing import Annotated, TypeAlias

from pydantic import Field, JsonValue

from connectlab.lab.ordered_runs import OrderedState
from connectlab.web.models.players import SettingName, SettingValue
from connectlab.web.models.position import Board, Model

RunName: TypeAlias = Annotated[str, Field(min_length=1, max_length=200, examples=["first"])]
MeasureText: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=300, examples=["success:games=200"])
]
Games: TypeAlias = Annotated[int, Field(ge=1, le=10**12)]


class PresetOut(Model):
    """Settings by name, and what judges a run with them."""

    name: str
    settings: dict[str, JsonValue]
    measures: list[str] | None
    """Null for the usual ones of the learner."""
    evaluation_every: int | None
    """Games between two evaluations; null for a twentieth of the run."""


class LearnerOut(Model):
    """A learner with what can be set."""

    name: str
    summary: str
    presets: list[PresetOut]
    json_schema: dict[str, JsonValue]
    """JSON schema of its settings, with the limits that hold here."""
    usual_measures: list[str]
    sources: list[str]
    """Trained players that come along: a run can begin with one of them."""


class MeasureOut(Model):
    """A way to judge a player while it learns."""

    name: str
    summary: str


class LearnersOut(Model):
    """Everything that learns, and how it is judged."""

    learners: list[LearnerOut]
    measures: list[MeasureOut]


class RunIn(Model):
    """A run to be made."""

    learner: Annotated[str, Field(min_length=1, max_length=40, examples=["ntuple"])]
    preset: Annotated[str, Field(max_length=60)] | None = None
    settings: dict[SettingName, SettingValue] = Field(default_factory=dict, max_length=80)
    """Settings that differ from the preset."""
    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    """Name of its folder; null for a free one."""
    measures: list[MeasureText] | None = Field(default=None, max_length=4)
    """What judges it; null for what is usual, an empty list for nothing."""
    evaluation_every: Games | None = None
    begin_from: Annotated[str, Field(max_length=500)] | None = None
    """The spec of a trained player whose weights it begins with."""


class CheckedRun(Model):
    """What a run would be, or why it cannot be."""

    problem: str | None = None
    board: Board | None = None
    games: int = 0
    settings: dict[str, JsonValue] = Field(default_factory=dict)


class ResumeIn(Model):
    """How a run goes on."""

    games: Games | None = None
    """Games that it shall have in all; null for those it was to have."""


class NamedRun(Model):
    """The name of a run."""

    name: str


class EvaluationOut(Model):
    """How a player was judged by the measure that counts."""

    games: int
    """Games of training until then."""
    key: str
    label: str
    value: float | None
    """null where it is beyond all numbers."""
    interval: tuple[float, float | None] | None
    opponent: str | None


class RunOut(Model):
    """A run as it stands."""

    name: str
    title: str
    state: OrderedState
    place: int
    """Place in line of one that waits, from 1; else 0."""
    problem: str | None
    """Why it does not go on, or what is wrong with its folder."""
    learner: str | None
    preset: str | None
    started: str | None
    began_from: str | None
    measures: list[str]
    evaluation_every: int | None
    """Games between two evaluations; null as long as it has not begun."""
    tuple_file: str | None
    """Name of the set of tuples that it was given, if it was."""
    board: Board | None
    games: int
    total: int
    seconds: float
    games_per_second: float
    seconds_left: float | None
    metrics: list[str]
    """Names of what the learner reports."""
    figures: list[str]
    """Names of what evaluations measured, what counts first."""
    labels: dict[str, str]
    """What people call each of these figures."""
    evaluations: int
    last: EvaluationOut | None
    best: EvaluationOut | None
    rows: int
    version: int
    """Grows when rows that were sent before may have gone."""
    player: str | None
    """The spec of the player, its best; null while there is none."""
    newest: str | None
    """The spec of what was saved last."""
    plan: str | None
    can_stop: bool
    can_resume: bool


class PlanOut(Model):
    """Several runs of one plan, made on the command line."""

    name: str
    title: str
    runs: int
    problem: str | None


class RunsOut(Model):
    """Everything in the runs folder."""

    runs: list[RunOut]
    plans: list[PlanOut]
    at_once: int
    """Runs that are made at the same time; others wait in line."""


class RunDetail(Model):
    """A run with all that it has measured."""

    run: RunOut
    settings: dict[str, JsonValue]
    rows: list[dict[str, JsonValue]]
    """The lines of ``metrics.jsonl``."""

"""The pieces of an experiment: what a piece is decides what comes out of it.

A cell names everything that its result depends on, so two experiments that need the same run share
it, a cell that was computed once is never computed again, and one whose settings changed is another
cell.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from connectlab.agents.registry import settings_class
from connectlab.agents.sources import RUN_FILES
from connectlab.agents.spec import SOURCE, Spec
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import Request, make_config, parse_changes
from connectlab.lab.wording import count
from connectlab.training.config import LearnerConfig
from connectlab.training.display import Display
from connectlab.training.folder import METRICS_FILE, RUN_FILE
from connectlab.training.learner import BrokeDownError
from connectlab.training.measurement import whole
from connectlab.training.metrics import Evaluation, ProgressRow, RunError, read_rows
from connectlab.training.run import RunResult, Stop, evaluation_seed

KEY_LENGTH = 24
RUN = "run"
"""The folder of the run within that of its cell."""
_, LATEST = RUN_FILES
ADVICE = "the same command goes on"

Plain: TypeAlias = dict[str, object]


class Board(BaseModel):
    """The game that a cell is about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: int = 7
    rows: int = 6
    connect: int = 4
    variant: str = ""

    @property
    def geometry(self) -> Geometry:
        """The same as the board of a game."""
        return Geometry(self.columns, self.rows, self.connect, Variant.parse(self.variant))


class BaseCell(BaseModel):
    """What all cells have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    version: ClassVar[int] = 1
    """Counted up when the same settings come to mean something else."""
    later: ClassVar[tuple[str, ...]] = ()
    """Fields that came later: at their defaults they leave the key as it was without them."""

    @property
    def key(self) -> str:
        """A name that no other cell has."""
        plain = {"version": self.version, **self.model_dump(mode="json")}
        for name in self.later:
            if getattr(self, name) == type(self).model_fields[name].default:
                del plain[name]
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]

    def __hash__(self) -> int:
        return hash(self.key)


class TrainingCell(BaseCell):
    """One run of a learner, judged while it learns and at its end."""

    later = ("also_as", "keeps")

    kind: Literal["training"] = "training"
    learner: str
    config: dict[str, object]
    """Every setting of the learner."""
    measures: tuple[str, ...]
    """What judges the run on its way."""
    evaluation_every: int = Field(ge=1)
    """Games of training between two judgements."""
    final: tuple[str, ...] = ()
    """What the player at the end is measured by as well."""
    counts_weights: bool = False
    """Ask of an n-tuple network how many weights it has, and how many were learned."""
    also_as: tuple[str, ...] = ()
    """Settings of the player, such as ``invalid=allow``, with which ``final`` is measured again."""
    keeps: tuple[str, ...] = ()
    """What the learner reports and the result shall tell of, as means between judgements."""

    @property
    def learner_config(self) -> LearnerConfig:
        """The settings, checked."""
        return make_config(self.learner, self.config)

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        games = count(whole(self.config["games"]), "game")
        return f"{self.learner}, {games}, seed {self.config['seed']}, {self.key[:6]}"

    def compute(self, folder: Path, stop: Stop) -> Plain:
        """Learn in ``folder``, going on from where an earlier try was stopped.

        A run that breaks down is a result too: it tells why, and what was judged before.
        """
        path = folder / RUN
        begun = path.exists()
        try:
            result = self._run(path, stop)
        except BrokeDownError as error:
            return self._broken(path, error)
        except UserError as error:
            if not begun:
                raise
            raise RunError(f"{error}; remove {folder} to begin this cell anew") from None
        seed = evaluation_seed(self.learner_config.seed, result.games)
        latest = path / LATEST
        return {
            **result.to_json(),
            "final": self._final(latest, seed, "") if self.final else [],
            "final_as": {text: self._final(latest, seed, text) for text in self.also_as},
            "checkpoint_bytes": latest.stat().st_size,
            "weights": _count_weights(latest) if self.counts_weights else None,
            "kept": self._kept(path),
        }

    def _run(self, path: Path, stop: Stop) -> RunResult:
        """Learn to the end; refuse what was not judged all the way."""
        from connectlab.lab.jobs import new_job, old_job

        make = old_job if (path / RUN_FILE).exists() else new_job
        result = replace(make(self._request(), path), advice=ADVICE).run(
            Display(), stop, beside=False
        )
        if self.measures and self._lacks_judgements(path, result):
            raise RunError(f"judgements are missing in {path / METRICS_FILE}")
        return result

    def _lacks_judgements(self, path: Path, result: RunResult) -> bool:
        """Say whether a step that made a judgement due, which left a row behind, has none."""
        every = self.evaluation_every
        rows = (row for row in read_rows(path / METRICS_FILE) if isinstance(row, ProgressRow))
        ends = [0, *(row.games for row in rows)]
        due = {later for earlier, later in pairwise(ends) if earlier // every < later // every}
        return not due | {result.games} <= {row.games for row in result.evaluations}

    def _final(self, path: Path, seed: int, changes: str) -> list[Plain]:
        """Measure the player at the end, with some of its settings changed."""
        from connectlab.lab.bench import Referee

        settings = parse_changes(changes.split(",") if changes else [])
        geometry = self.learner_config.geometry
        judge = Referee(self.learner, geometry, parse_measures(self.final), settings)
        return [measurement.to_json() for measurement in judge(path, seed)]

    def _broken(self, path: Path, error: BrokeDownError) -> Plain:
        """Return what a run was before it broke down."""
        rows = read_rows(path / METRICS_FILE)
        progress = [row for row in rows if isinstance(row, ProgressRow)]
        return {
            "games": progress[-1].games if progress else 0,
            "seconds": progress[-1].seconds if progress else 0.0,
            "evaluations": [row.to_json() for row in rows if isinstance(row, Evaluation)],
            "final": [],
            "broke_down": str(error),
        }

    def _kept(self, path: Path) -> dict[str, list[list[float]]]:
        """Return [games, mean since the judgement before] of all that is kept, by name."""
        rows = read_rows(path / METRICS_FILE) if self.keeps else []
        progress = [row for row in rows if isinstance(row, ProgressRow)]
        return {name: _means_of(name, progress, self.evaluation_every) for name in self.keeps}

    def _request(self) -> Request:
        return Request(
            self.learner,
            changes=self.config,
            measures=parse_measures(self.measures or ["none"]),
            evaluation_every=self.evaluation_every,
        )


class MatchCell(BaseCell):
    """Games between two players, the first always moving first."""

    kind: Literal["match"] = "match"
    first: str
    second: str
    games: int = Field(ge=1)
    seed: int = 0
    board: Board = Board()

    @property
    def title(self) -> str:
        """Who plays whom."""
        return f"{self.first} v {self.second}, {count(self.games, 'game')}"

    def compute(self, folder: Path, stop: Stop) -> Plain:
        """Play the games; they are too short to be stopped."""
        from connectlab.agents import make_agent
        from connectlab.arena.match import play_match

        del folder, stop
        geometry = self.board.geometry
        first, second = make_agent(self.first, geometry), make_agent(self.second, geometry)
        match = play_match(first, second, self.games, sides="fixed", seed=self.seed, threads=1)
        return match.to_json()


class MeasuringCell(BaseCell):
    """A player put on the bench."""

    later = ("weights",)

    kind: Literal["measuring"] = "measuring"
    player: str
    weights: str = ""
    """Digest of the file of a trained player: with another file it is another player."""
    measures: tuple[str, ...]
    seed: int = 0
    board: Board = Board()

    @property
    def title(self) -> str:
        """Who is measured by what."""
        return f"{self.player} by {', '.join(self.measures)}"

    def compute(self, folder: Path, stop: Stop) -> Plain:
        """Measure one after the other."""
        from connectlab.agents import make_agent
        from connectlab.lab.bench import Bench

        del folder, stop
        player = make_agent(self.player, self.board.geometry)
        bench = Bench(player, self.seed, position_seed=0, threads=1)
        measured = [bench.measure(measure) for measure in parse_measures(self.measures)]
        return {"final": [measurement.to_json() for measurement in measured]}


Cell: TypeAlias = TrainingCell | MatchCell | MeasuringCell
CELL: TypeAdapter[Cell] = TypeAdapter(Annotated[Cell, Field(discriminator="kind")])
"""Reads a cell from plain data."""


def training_cell(
    learner: str,
    preset: str | None = None,
    changes: Mapping[str, object] | None = None,
    *,
    measures: tuple[str, ...],
    evaluation_every: int,
    final: tuple[str, ...] = (),
    counts_weights: bool = False,
    also_as: tuple[str, ...] = (),
    keeps: tuple[str, ...] = (),
) -> TrainingCell:
    """Return the run of a preset with some settings changed, every setting of it written out."""
    config = Request(learner, preset, changes=changes or {}).config()
    return TrainingCell(
        learner=learner,
        config=config.plain(),
        measures=measures,
        evaluation_every=evaluation_every,
        final=final,
        counts_weights=counts_weights,
        also_as=also_as,
        keeps=keeps,
    )


def measuring_cell(player: str, measures: tuple[str, ...]) -> MeasuringCell:
    """Return a player put on the bench as it is now, with the weights that it has."""
    return MeasuringCell(player=player, weights=_weights_of(player), measures=measures)


@cache
def _weights_of(player: str) -> str:
    """Return a digest of the file of a trained player; nothing of any other, or without a file."""
    spec = Spec.parse(player)
    if SOURCE not in spec.settings:
        return ""
    source, settings = spec.settings[SOURCE], settings_class(spec.name)
    file = settings.shipped_file(source) if source in settings.shipped else Path(source)
    return hashlib.sha256(file.read_bytes()).hexdigest()[:KEY_LENGTH] if file.is_file() else ""


def _means_of(name: str, rows: Sequence[ProgressRow], every: int) -> list[list[float]]:
    """Return [games, mean] of what a learner reported, for each ``every`` games of a run."""
    totals: dict[int, tuple[float, int]] = {}
    before = 0
    for row in rows:
        value, games = row.metrics.get(name, math.nan), row.games - before
        if math.isfinite(value):
            end = -(-row.games // every) * every
            total, weight = totals.get(end, (0.0, 0))
            totals[end] = total + value * games, weight + games
        before = row.games
    return [[end, round(total / max(1, n), 6)] for end, (total, n) in totals.items()]


def _count_weights(path: Path) -> Plain:
    """Count the weights of a trained n-tuple network as Table 1 of Thill 2012 does."""
    from connectlab.agents.ntuple.network import Network

    return asdict(Network.load(path).counts)

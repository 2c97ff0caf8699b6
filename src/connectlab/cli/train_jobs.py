"""What ``connectlab train`` was asked for, as runs to be made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from connectlab.agents.learners import learner_class, make_settings, parse_changes
from connectlab.arena.referee import PerfectReferee
from connectlab.cli import console
from connectlab.training.display import Display
from connectlab.training.folder import RunFolder, RunRecord, free_folder
from connectlab.training.metrics import RunError
from connectlab.training.provenance import versions
from connectlab.training.run import RunResult, Stop, load_learner, train

RUNS = Path("runs")
EVALUATION_GAMES = 200


@dataclass(frozen=True)
class Plan:
    """The options of the command line that decide what a run is."""

    learner: str
    preset: str | None = None
    config: Path | None = None
    changes: tuple[str, ...] = ()
    options: Mapping[str, int | None] = field(default_factory=dict)
    """Settings with an option of their own; None where it was not given."""
    threads: int | None = None
    evaluation_games: int | None = None
    evaluation_every: int | None = None
    evaluation_exact: bool = False

    def folder(self, out: Path | None, *, resume: bool) -> Path:
        """Return the folder that was named, or a free name for a new run."""
        learner_class(self.learner)  # a wrong name is told before anything else
        if out is not None:
            return out
        if resume:
            raise RunError("--resume needs the folder of the run: add --out DIR")
        return free_folder(RUNS, f"{self.learner}-{self.preset or 'custom'}")

    def new_job(self, path: Path, number: int = 0) -> "Job":
        """Return a run that begins; ``number`` moves its seeds."""
        settings = self._settings(number)
        games = self.evaluation_games
        record = RunRecord.make(
            self.learner,
            settings.model_dump(mode="json"),
            preset=self.preset,
            threads=self.threads or 1,
            evaluation_games=EVALUATION_GAMES if games is None else games,
            evaluation_every=self.evaluation_every,
            evaluation_exact=self.evaluation_exact,
        )
        return Job(path, record, is_new=True, threads=record.threads)

    def old_job(self, path: Path, number: int = 0) -> "Job":
        """Return a run that goes on; settings given anew must be those it has."""
        record = RunFolder.open(path).record
        if record.learner != self.learner:
            raise RunError(f"{path} is a run of {record.learner}, not of {self.learner}")
        self._check_settings(path, record, number)
        return Job(path, record, is_new=False, threads=self.threads or record.threads)

    def _check_settings(self, path: Path, record: RunRecord, number: int) -> None:
        """Refuse a setting that was given and is not that of the run."""
        settings = self._settings(number)
        plain = settings.model_dump(mode="json")
        pairs = {key: (record.settings.get(key), plain[key]) for key in settings.model_fields_set}
        pairs["--eval-games"] = (record.evaluation_games, self.evaluation_games)
        pairs["--eval-every"] = (record.evaluation_every, self.evaluation_every)
        for key, (old, new) in pairs.items():
            if new is not None and old != new:
                raise RunError(f"{path} goes on with its own settings: {key} is {old}, not {new}")

    def _settings(self, number: int) -> Any:
        chosen = {key: value for key, value in self.options.items() if value is not None}
        changes: dict[str, Any] = {**parse_changes(self.changes), **chosen}
        settings = self._make_settings(changes)
        if number == 0:
            return settings
        seeds = [key for key in ("seed", "tuple_seed") if key in type(settings).model_fields]
        moved = {key: getattr(settings, key) + number for key in seeds}
        return self._make_settings(changes | moved)

    def _make_settings(self, changes: Mapping[str, Any]) -> Any:
        return make_settings(self.learner, preset=self.preset, file=self.config, changes=changes)


@dataclass(frozen=True)
class Job:
    """One run; it can be sent to another process."""

    path: Path
    record: RunRecord
    is_new: bool
    threads: int

    @property
    def title(self) -> str:
        """What learns, on which board."""
        name = f"{self.record.learner} {self.record.preset or ''}".strip()
        return f"{name} on {self._config().geometry}"

    @property
    def agent(self) -> str:
        """The spec string of the player that comes out."""
        return f"{self.record.learner}:{self.path}"

    def run(self, display: Display, stop: Stop) -> RunResult:
        """Learn to the end; raise ``RunStoppedError`` when asked to stop."""
        config = self._config()
        kind: Any = learner_class(self.record.learner)
        if self.is_new:
            learner = kind(config, threads=self.threads)  # may refuse, before a folder is made
            folder = RunFolder.create(self.path, self.record)
        else:
            folder = RunFolder.open(self.path)
            self._tell_versions()
            learner = load_learner(folder, kind, self.threads)
            learner = learner or kind(config, threads=self.threads)
        games = self.record.evaluation_games
        exact = self.record.evaluation_exact
        referee = PerfectReferee(self.record.learner, config.geometry, games, exact)
        try:
            return train(folder, learner, referee if games else None, display, stop=stop)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise RunError(f"{reason}; what was saved last is whole: {self.how_to_go_on}") from None

    @property
    def how_to_go_on(self) -> str:
        """What to type to go on with this run."""
        name = self.record.learner
        return f"go on with {console.program()} train {name} --resume --out {self.path}"

    def to_json(self, result: RunResult) -> dict[str, Any]:
        """Return the JSON document of the run."""
        return {
            "run": str(self.path),
            "agent": self.agent,
            "learner": self.record.learner,
            "preset": self.record.preset,
            "seed": self.record.seed,
            "settings": self.record.settings,
            **result.to_json(),
        }

    def _config(self) -> Any:
        return make_settings(self.record.learner, changes=self.record.settings)

    def _tell_versions(self) -> None:
        now = versions()
        for name, then in self.record.versions.items():
            if now.get(name) != then:
                console.notice(
                    f"{self.path} was begun with {name} {then}, this is {now.get(name)}: "
                    "the weights may differ from those of a run without a break"
                )

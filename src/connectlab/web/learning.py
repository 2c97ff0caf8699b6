"""Which runs the web may ask for: learners, settings, measures and beginnings, all checked.

As with players, a setting that is free text is refused unless it is known here what it means, and
what would take too much memory or time is refused before a process begins with it.
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from connectlab.agents.opponents import SELF, split_specs
from connectlab.agents.registry import config_class, learners, settings_class
from connectlab.agents.settings import AgentError
from connectlab.agents.spec import SOURCE, Spec, suggest
from connectlab.lab.catalogue import describe_learner
from connectlab.lab.measures import KINDS, AccuracyMeasure, Measure, ScoreMeasure, parse_measures
from connectlab.lab.orders import Order
from connectlab.training.config import LearnerConfig
from connectlab.web.guard import PLAYERS, Guard
from connectlab.web.limits import Limits
from connectlab.web.models.runs import LearnerOut, MeasureOut, PresetOut, RunIn
from connectlab.web.options import WebError

FORBIDDEN = 403
PLAIN_TEXT = frozenset({"variant"})
"""Text that is checked by the settings themselves."""
OPPONENTS = "opponents"
TUPLE_FILE = "tuple_file"
MOST_EVALUATIONS = 1_000


class LearnerGuard:
    """Checks what the web wants to be learned."""

    def __init__(self, guard: Guard, limits: Limits, tuples: Path) -> None:
        self._guard = guard
        self._limits = limits
        self._tuples = tuples
        """The folder of the tuple files that people made on the page."""

    def names(self) -> list[str]:
        """Return the learners of the page."""
        return [name for name in learners() if name in PLAYERS]

    def describe(self, name: str) -> LearnerOut:
        """Return a learner with its schema and presets."""
        told, known = describe_learner(name), config_class(self._known(name))
        presets = [
            PresetOut.model_validate({"name": preset.name, "settings": preset.settings})
            for preset in told.presets
        ]
        return LearnerOut(
            name=name,
            summary=told.summary,
            presets=presets,
            json_schema=self.schema(name),
            usual_measures=list(known.usual_measures),
            sources=[f"{name}:{source}" for source in _shipped(name)],
        )

    def measures(self) -> list[MeasureOut]:
        """Return the ways to judge a player."""
        return [MeasureOut(name=kind.name, summary=kind.summary) for kind in KINDS.values()]

    def schema(self, name: str) -> dict[str, JsonValue]:
        """Return the JSON schema of the settings, with the limits that hold here."""
        schema: dict[str, JsonValue] = config_class(self._known(name)).model_json_schema()
        properties = schema["properties"]
        assert isinstance(properties, dict), "settings are an object"
        for setting, field in properties.items():
            assert isinstance(field, dict), "a setting is an object"
            if "$ref" in field:  # a rate: people write it as text, such as 0.1->0.01
                del field["$ref"]
                field["type"] = "string"
            most = self._most(name, setting)
            if most is not None:
                field["maximum"] = most
        schema.pop("$defs", None)
        return schema

    def order(self, asked: RunIn) -> Order:
        """Return the order for a run, or say why the web may not ask for it."""
        self._known(asked.learner)
        order = Order(
            learner=asked.learner,
            preset=asked.preset,
            settings=self._settings(asked.settings),
            measures=None if asked.measures is None else self._measures(asked.measures),
            evaluation_every=asked.evaluation_every,
            begin_from=self._beginning(asked.learner, asked.begin_from),
        )
        self._check(order.request().config(), asked.evaluation_every)
        return order

    def games(self, learner: str | None, games: int | None) -> int | None:
        """Check the games that a run which goes on shall have."""
        most = self._most(learner or "", "games")
        if games is not None and most is not None and games > most:
            raise WebError(f"games={games:,} is more than the page allows: {most:,.0f}")
        return games

    def _known(self, name: str) -> str:
        if name not in self.names():
            raise WebError(f"the page has no learner {name[:40]!r}{suggest(name, self.names())}")
        return name

    def _most(self, learner: str, setting: str) -> float | None:
        limits = self._limits.learning
        return limits.get((learner, setting), limits.get(("", setting)))

    def _settings(self, given: Mapping[str, object]) -> dict[str, object]:
        """Let tuple files be those of the page; everything else is checked as a config."""
        settings = dict(given)
        file = settings.get(TUPLE_FILE)
        if isinstance(file, str) and file:
            settings[TUPLE_FILE] = str(self._tuple_file(file))
        return settings

    def _tuple_file(self, name: str) -> Path:
        stem = name.removesuffix(".json")
        if not stem.replace("-", "").replace("_", "").isalnum() or not stem.isascii():
            raise WebError(f"tuple_file: {name[:60]!r} is no tuple file of the page", FORBIDDEN)
        path = self._tuples / f"{stem}.json"
        if not path.is_file() or path.is_symlink():
            raise WebError(f"tuple_file: there is no tuple file {name[:60]!r}")
        return path

    def _check(self, config: LearnerConfig, every: int | None) -> None:
        """Refuse what is too large, and text that could mean anything."""
        for setting, field in type(config).model_fields.items():
            value, most = getattr(config, setting), self._most(config.name, setting)
            if most is not None and isinstance(value, int | float) and value > most:
                raise WebError(
                    f"{config.name}: {setting}={value} is more than the page allows: {most:,.0f}"
                )
            if setting == OPPONENTS:
                self._check_opponents(str(value))
            elif isinstance(value, str) and field.annotation in (str, str | None):
                if setting not in PLAIN_TEXT and setting != TUPLE_FILE:
                    raise WebError(
                        f"{config.name}: {setting} cannot be set from the page", FORBIDDEN
                    )
        self._check_weights(config)
        if every is not None and config.games // every > MOST_EVALUATIONS:
            raise WebError(f"a run is evaluated {MOST_EVALUATIONS:,} times at most")

    def _check_opponents(self, opponents: str) -> None:
        for spec in split_specs(opponents):
            if spec != SELF:
                self._guard.spec(spec)

    def _check_weights(self, config: LearnerConfig) -> None:
        """Refuse a network of tuples that would fill the memory."""
        sizes = [getattr(config, key, None) for key in ("tuples", "length", "states", "tables")]
        if any(size is None for size in sizes):
            return
        tuples, length, states, tables = (int(str(size)) for size in sizes)
        if tuples * states**length * tables > self._limits.weights:
            raise WebError(
                f"{config.name}: {tuples} tuples of length {length} have more weights than the "
                f"page allows: {self._limits.weights:,}"
            )

    def _measures(self, texts: list[str]) -> list[str]:
        if not texts:
            return []
        found = parse_measures(texts)
        for measure in found:
            self._check_measure(measure)
        return [measure.spec for measure in found]

    def _check_measure(self, measure: Measure) -> None:
        if isinstance(measure, ScoreMeasure):
            self._guard.spec(measure.source)
        if isinstance(measure, AccuracyMeasure) and measure.positions is not None:
            raise WebError("accuracy: positions cannot be set from the page", FORBIDDEN)
        games = getattr(measure, "games", getattr(measure, "per_class", 0))
        if games > self._limits.measure_games:
            raise WebError(
                f"{measure.name}: {games:,} is more than the page allows: "
                f"{self._limits.measure_games:,}"
            )

    def _beginning(self, learner: str, spec: str | None) -> str | None:
        """Return the source of the player that a run begins with."""
        if not spec:
            return None
        parsed = Spec.parse(self._guard.spec(spec))
        if parsed.name != learner:
            raise WebError(f"a run of {learner} cannot begin with what {parsed.name} has learned")
        source = parsed.settings.get(SOURCE)
        if source is None:
            raise AgentError(f"{spec} is no trained player")
        return source


def _shipped(name: str) -> tuple[str, ...]:
    return settings_class(name).shipped

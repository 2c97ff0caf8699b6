"""Which runs the web may ask for: a learner, its settings, its measures and its beginning."""

from importlib.util import find_spec

from pydantic import JsonValue

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.layout import MOST_WEIGHTS
from connectlab.agents.registry import config_class, settings_class
from connectlab.agents.spec import SOURCE, Spec
from connectlab.lab.catalogue import describe_learner
from connectlab.lab.measures import KINDS, parse_measures
from connectlab.lab.orders import Order
from connectlab.lab.plans import make_config
from connectlab.training.config import LearnerConfig
from connectlab.web.guard import LEARNERS, Guard
from connectlab.web.limits import Limits
from connectlab.web.models.runs import LearnerOut, MeasureOut, PresetOut, RunIn
from connectlab.web.options import WebError

MOST_EVALUATIONS = 1_000
GAMES = "games"
LIBRARIES = {"dqn": ("torch", "deep")}
"""What learners need that does not come along: a library, and the extra that brings it."""


class Learning:
    """Checks what the web wants to be learned, and tells what it may."""

    def __init__(self, guard: Guard, limits: Limits) -> None:
        self._guard = guard
        self._limits = limits

    def learners(self) -> list[LearnerOut]:
        """Return all learners of the page with their schemas and presets."""
        return [self._describe(name) for name in LEARNERS]

    def measures(self) -> list[MeasureOut]:
        """Return the ways to judge a player."""
        return [MeasureOut(name=kind.name, summary=kind.summary) for kind in KINDS.values()]

    def order(self, asked: RunIn) -> Order:
        """Return the order for a run, or say why the web may not ask for it."""
        order = Order(
            learner=asked.learner,
            preset=asked.preset,
            settings=dict(asked.settings),
            measures=None if asked.measures is None else self._measures(asked.measures),
            evaluation_every=asked.evaluation_every,
            begin_from=self._beginning(asked.learner, asked.begin_from),
        )
        self.config(order)
        return order

    def config(self, order: Order) -> LearnerConfig:
        """Return what an order is for; raise ``WebError`` for what is too much."""
        self._guard.config(order.learner, {})  # a wrong name is told before anything else
        config = self._guard.config(order.learner, order.request().given())
        _check_library(order.learner)
        every = order.request().interval(config)
        if every is not None and config.games // every > MOST_EVALUATIONS:
            raise WebError(f"a run is evaluated {MOST_EVALUATIONS:,} times at most")
        return config

    def check_games(self, learner: str, games: int | None) -> None:
        """Refuse to let a run go on for more games than the page allows."""
        most = self._limits.greatest("learner", learner, GAMES)
        if games is not None and most is not None and games > most:
            raise WebError(f"{learner}: games={games} is more than the page allows: {most:,}")

    def _describe(self, name: str) -> LearnerOut:
        told, known = describe_learner(name), config_class(name)
        return LearnerOut(
            name=name,
            summary=told.summary,
            presets=[_preset(name, preset) for preset in known.presets],
            json_schema=_with_rates(self._guard.learner_schema(name)),
            usual_measures=list(known.usual_measures),
            sources=[f"{name}:{source}" for source in settings_class(name).shipped],
        )

    def _measures(self, texts: list[str]) -> list[str]:
        for text in texts:
            self._guard.measure(text)
        return [measure.spec for measure in parse_measures(texts or ["none"])]

    def _beginning(self, learner: str, spec: str | None) -> str | None:
        """Return the source of the player that a run begins with."""
        if not spec:
            return None
        parsed = Spec.parse(self._guard.spec(spec))
        if parsed.name != learner:
            raise WebError(f"a run of {learner} cannot begin with what {parsed.name} has learned")
        return parsed.settings[SOURCE]


def _check_library(learner: str) -> None:
    """Refuse a run that could not begin here, before anybody waits for it."""
    library, extra = LIBRARIES.get(learner, ("", ""))
    if library and find_spec(library) is None:
        raise WebError(
            f"{learner} needs {library}, which is not installed: pip install "
            f"'connectlab[{extra}]', or in a checkout pip install -e '.[web,{extra}]'"
        )


def _preset(learner: str, name: str) -> PresetOut:
    """Return a preset with its values as the settings of a run have them."""
    preset = config_class(learner).presets[name]
    plain = make_config(learner, preset.settings).plain()
    return PresetOut.model_validate(
        {
            "name": name,
            "settings": {key: plain[key] for key in preset.settings if key in plain},
            "measures": None if preset.measures is None else list(preset.measures),
            "evaluation_every": preset.evaluation_every,
        }
    )


def _with_rates(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Let rates be text, as people write them: 0.1, or 0.1->0.01."""
    properties = schema["properties"]
    assert isinstance(properties, dict), "settings are an object"
    for field in properties.values():
        assert isinstance(field, dict), "a setting is an object"
        if field.pop("$ref", None) is not None:
            field["type"] = "string"
    schema.pop("$defs", None)
    return schema


def may_be_too_large(config: LearnerConfig) -> bool:
    """Say whether the tuples of a network must be drawn or read to know whether it fits."""
    if not isinstance(config, NTupleConfig):
        return False
    most = config.tuples * config.states**config.length  # all states; few of them can occur
    return config.creation == "file" or most > MOST_WEIGHTS

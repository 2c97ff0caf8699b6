"""Every player and every learner by name.

A name maps to "module:Class" twice: the settings, which need no Numba, and the class that plays or
learns. So names are listed and settings checked without importing a kernel. Other packages add
players and learners through the entry point groups ``connectlab.agents`` and
``connectlab.learners``; an entry point names the class, whose ``Settings`` or ``Config`` is used.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from connectlab.agents.settings import AgentError, AgentSettings
from connectlab.agents.spec import SOURCE, Spec, suggest
from connectlab.errors import UserError
from connectlab.game.geometry import STANDARD, Geometry
from connectlab.training.config import LearnerConfig

if TYPE_CHECKING:
    from connectlab.agents.base import Agent
    from connectlab.training.learner import Learner

AGENT_GROUP = "connectlab.agents"
LEARNER_GROUP = "connectlab.learners"

Kind = TypeVar("Kind")


class Entry(NamedTuple):
    """Where the two classes of a name are."""

    settings: str | None
    """"module:Class" of the settings; None to ask the class itself."""
    target: str
    """"module:Class" of what plays or learns."""


def _simple(settings: str, target: str) -> Entry:
    return Entry(f"connectlab.agents.settings:{settings}", f"connectlab.agents.{target}")


PLAYERS = {
    "random": _simple("RandomSettings", "baselines:RandomAgent"),
    "extend": _simple("ExtendSettings", "baselines:ExtendAgent"),
    "minimax": _simple("MinimaxSettings", "minimax:MinimaxAgent"),
    "negamax": _simple("NegamaxSettings", "negamax:NegamaxAgent"),
    "perfect": _simple("PerfectSettings", "perfect:PerfectAgent"),
    "mcts": Entry(
        "connectlab.agents.mcts.config:MCTSSettings",
        "connectlab.agents.mcts.agent:MCTSAgent",
    ),
    "ntuple": Entry(
        "connectlab.agents.ntuple.config:NTupleSettings",
        "connectlab.agents.ntuple.agent:NTupleAgent",
    ),
    "allis": Entry(
        "connectlab.agents.allis.config:AllisSettings",
        "connectlab.agents.allis.agent:AllisAgent",
    ),
    "mlp": Entry(
        "connectlab.agents.mlp.config:MLPSettings",
        "connectlab.agents.mlp.agent:MLPAgent",
    ),
    "qtable": Entry(
        "connectlab.agents.qtable.config:QTableSettings",
        "connectlab.agents.qtable.agent:QTableAgent",
    ),
    "dqn": Entry(
        "connectlab.agents.dqn.config:DQNSettings",
        "connectlab.agents.dqn.agent:DQNAgent",
    ),
    "external": Entry(
        "connectlab.agents.external.config:ExternalSettings",
        "connectlab.agents.external.agent:ExternalAgent",
    ),
    "kaggle": Entry(
        "connectlab.agents.kaggle.config:KaggleSettings",
        "connectlab.agents.kaggle.agent:KaggleAgent",
    ),
    "openspiel": Entry(
        "connectlab.agents.openspiel.config:OpenSpielSettings",
        "connectlab.agents.openspiel.agent:OpenSpielAgent",
    ),
}

LEARNERS = {
    "ntuple": Entry(
        "connectlab.agents.ntuple.config:NTupleConfig",
        "connectlab.agents.ntuple.training:NTupleLearner",
    ),
    "mlp": Entry(
        "connectlab.agents.mlp.config:MLPConfig",
        "connectlab.agents.mlp.training:MLPLearner",
    ),
    "qtable": Entry(
        "connectlab.agents.qtable.config:QTableConfig",
        "connectlab.agents.qtable.training:QTableLearner",
    ),
    "dqn": Entry(
        "connectlab.agents.dqn.config:DQNConfig",
        "connectlab.agents.dqn.training:DQNLearner",
    ),
}


@cache
def players() -> dict[str, Entry]:
    """Return every player by name, built-in ones first; a built-in name cannot be taken."""
    return _with_entry_points(PLAYERS, AGENT_GROUP)


@cache
def learners() -> dict[str, Entry]:
    """Return every learner by name, built-in ones first; a built-in name cannot be taken."""
    return _with_entry_points(LEARNERS, LEARNER_GROUP)


def settings_class(name: str) -> type[AgentSettings]:
    """Return the settings of a player; an unknown name gets a suggestion."""
    entry = _find(name, players(), "player")
    if entry.settings is None:
        return agent_class(name).Settings
    return _load(name, entry.settings, AgentSettings, "player")


def trained_spec(name: str, path: Path, settings: Mapping[str, str] | None = None) -> str:
    """Return the spec string of a trained player in a file or folder.

    A folder that is called as a player that comes along is still the one that is meant.
    """
    shipped = settings_class(name).shipped if name in players() else ()
    source = f"./{path}" if str(path) in shipped else str(path)
    return str(Spec(name, {SOURCE: source, **(settings or {})}))


def agent_class(name: str) -> "type[Agent]":
    """Import the class of a player; an unknown name gets a suggestion."""
    from connectlab.agents.base import Agent

    entry = _find(name, players(), "player")
    return _load_class(name, entry, Agent, "player", "Settings")  # type: ignore[type-abstract]


def config_class(name: str) -> type[LearnerConfig]:
    """Return the settings that a learner is trained with; an unknown name gets a suggestion."""
    entry = _find(name, learners(), "learner")
    if entry.settings is None:
        return learner_class(name).Config
    return _load(name, entry.settings, LearnerConfig, "learner")


def learner_class(name: str) -> "type[Learner]":
    """Import the class of a learner; an unknown name gets a suggestion."""
    from connectlab.training.learner import Learner

    entry = _find(name, learners(), "learner")
    return _load_class(name, entry, Learner, "learner", "Config")  # type: ignore[type-abstract]


def make_agent(spec: str | Spec, geometry: Geometry = STANDARD) -> "Agent":
    """Build the player a spec string names, for one board."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    settings = parsed.validate(settings_class(parsed.name))
    return agent_class(parsed.name)(settings, geometry)


def home_board(spec: str) -> Geometry | None:
    """Return the board on which the player a spec string names is at home; None if any will do.

    What is wrong with a spec is left for ``make_agent`` to say.
    """
    try:
        parsed = Spec.parse(spec)
        return agent_class(parsed.name).home_board(parsed.validate(settings_class(parsed.name)))
    except UserError:
        return None


def make_learner(config: LearnerConfig, *, threads: int = 1) -> "Learner":
    """Build the learner of a config, ready for its first step."""
    return learner_class(config.name)(config, threads=threads)


def _with_entry_points(built_in: dict[str, Entry], group: str) -> dict[str, Entry]:
    others = {point.name: Entry(None, point.value) for point in entry_points(group=group)}
    return built_in | {name: entry for name, entry in others.items() if name not in built_in}


def _find(name: str, known: dict[str, Entry], what: str) -> Entry:
    if name not in known:
        raise AgentError(f"there is no {what} {name!r}{suggest(name, list(known))}")
    return known[name]


def _load_class(name: str, entry: Entry, kind: type[Kind], what: str, settings: str) -> type[Kind]:
    """Import what plays or learns, and see that its settings bear the same name."""
    found = _load(name, entry.target, kind, what)
    if getattr(getattr(found, settings, None), "name", None) != name:  # specs would name another
        raise AgentError(
            f"{what} {name!r}: the {settings} of {entry.target} must say name={name!r}"
        )
    return found


def _load(name: str, target: str, kind: type[Kind], what: str) -> type[Kind]:
    """Import "module:Class" and see that it is of the right kind."""
    module, _, attribute = target.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise AgentError(f"{what} {name!r} ({target}) cannot be loaded: {error}") from error
    if not (isinstance(found, type) and issubclass(found, kind)):
        raise AgentError(f"{what} {name!r}: {target} is not a subclass of {kind.__name__}")
    return found

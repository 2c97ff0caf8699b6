"""Every player by name. A name maps to "module:Class", so listing names imports no player.

Other packages add players through the entry point group ``connectlab.agents``.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from connectlab.agents.base import Agent, AgentError
from connectlab.agents.spec import Spec, suggest
from connectlab.game import STANDARD, Geometry

ENTRY_POINT_GROUP = "connectlab.agents"

BUILT_IN = {
    "random": "connectlab.agents.baselines:RandomAgent",
    "extend": "connectlab.agents.baselines:ExtendAgent",
    "minimax": "connectlab.agents.minimax:MinimaxAgent",
    "negamax": "connectlab.agents.negamax:NegamaxAgent",
    "perfect": "connectlab.agents.perfect:PerfectAgent",
    "ntuple": "connectlab.agents.ntuple.agent:NTupleAgent",
}


@cache
def registered() -> dict[str, str]:
    """Return "module:Class" by name, built-in players first; a built-in name cannot be taken."""
    others = {point.name: point.value for point in entry_points(group=ENTRY_POINT_GROUP)}
    return BUILT_IN | {name: value for name, value in others.items() if name not in BUILT_IN}


def agent_class(name: str) -> type[Agent]:
    """Import the class of a player; an unknown name gets a suggestion."""
    target = registered().get(name)
    if target is None:
        raise AgentError(f"there is no player {name!r}{suggest(name, list(registered()))}")
    module, _, attribute = target.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise AgentError(f"player {name!r} ({target}) cannot be loaded: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise AgentError(f"player {name!r}: {target} is not a subclass of Agent")
    if getattr(found, "name", None) != name:  # its spec string would name another player, or none
        raise AgentError(f"player {name!r}: {target} must say name = {name!r}")
    return found


def make_agent(spec: str | Spec, geometry: Geometry = STANDARD) -> Agent:
    """Build the player a spec string names, for one board."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    chosen = agent_class(parsed.name)
    return chosen(parsed.validate(chosen.Settings), geometry)

"""Who enters when everyone is invited: each registered player once, at its default strength."""

from dataclasses import dataclass

from connectlab.agents import Agent, make_agent
from connectlab.agents.perfect import PerfectAgent
from connectlab.agents.registry import players, settings_class
from connectlab.agents.settings import AgentError, AgentSettings
from connectlab.agents.spec import SOURCE
from connectlab.errors import UserError
from connectlab.game import Geometry
from connectlab.lab.bench import perfect_success


@dataclass(frozen=True)
class Roster:
    """The players of a tournament of all."""

    agents: tuple[Agent, ...]
    left_out: dict[str, str]
    """Why the others stay at home, by name."""


def invite_everyone(geometry: Geometry) -> Roster:
    """Make every registered player that needs nothing but its name and can play on this board."""
    agents: list[Agent] = []
    left_out: dict[str, str] = {}
    for name in players():
        try:
            agents.append(_invite(name, geometry))
        except UserError as error:
            left_out[name] = str(error)
    return Roster(tuple(agents), left_out)


def _invite(name: str, geometry: Geometry) -> Agent:
    agent = make_agent(default_spec(name), geometry)
    if isinstance(agent, PerfectAgent) and perfect_success(geometry) is None:
        raise AgentError(f"{geometry} takes too long to play perfectly")
    return agent


def default_spec(name: str) -> str:
    """Return the spec of a player at its default strength.

    That is its name, or the first of those that come with connectlab; ``AgentError`` says what
    else has to be given.
    """
    settings = settings_class(name)
    missing = _required(settings)
    if missing == [SOURCE] and settings.shipped:
        return f"{name}:{next(iter(settings.shipped))}"
    if missing:
        raise AgentError(f"it needs {' and '.join(f'{key}=…' for key in missing)}")
    return name


def _required(settings: type[AgentSettings]) -> list[str]:
    return [key for key, field in settings.model_fields.items() if field.is_required()]

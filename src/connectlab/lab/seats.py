"""Who sits at a table, and how a player is asked so that its faults stay its own."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.forfeits import ForfeitError
from connectlab.agents.registry import make_agent
from connectlab.errors import GameError, UserError
from connectlab.game import Geometry, Position
from connectlab.lab.records import HUMAN

Player: TypeAlias = Agent | str
"""Who may sit down: an agent, a spec string, or "human"."""
Answer = TypeVar("Answer")

MESSAGE_LETTERS = 200


class AgentFailedError(UserError):
    """A player gave up, crashed or answered with what is no move; the message names it."""


class AgentForfeitsError(AgentFailedError):
    """A player lost the game by what is no move, as players of its kind may."""


class Seats:
    """The two seats of a table; a person is None."""

    def __init__(self, players: Sequence[Player], geometry: Geometry) -> None:
        self.geometry = geometry
        self._known: dict[str, Agent] = {}
        first, second = (self.invite(player) for player in players)
        self._agents = [first, second]

    @property
    def names(self) -> tuple[str, str]:
        """Both players: specs, or "human"."""
        first, second = (HUMAN if agent is None else name_of(agent) for agent in self._agents)
        return first, second

    @property
    def players(self) -> tuple[Player, Player]:
        """Both players, to be seated elsewhere."""
        first, second = self._agents
        return first or HUMAN, second or HUMAN

    def agent(self, seat: int) -> Agent | None:
        """Return the agent of a seat (0 moves first); None for a person."""
        return self._agents[seat]

    def take(self, seat: int, agent: Agent | None) -> None:
        """Give a seat to somebody whom ``invite`` returned."""
        self._agents[seat] = agent

    def invite(self, player: Player) -> Agent | None:
        """Return the agent for this board; None for a person."""
        if player == HUMAN:
            return None
        if isinstance(player, Agent) and player.geometry == self.geometry:
            agent = player
        else:
            spec = player.spec if isinstance(player, Agent) else player
            agent = make_agent(spec, self.geometry)
        self._known[name_of(agent)] = agent
        return agent

    def named(self, name: str) -> Agent:
        """Return an agent by its spec, also if it has left the table."""
        return self._known[name] if name in self._known else make_agent(name, self.geometry)


def name_of(agent: Agent) -> str:
    """Return the spec of an agent, or the name of its class if it cannot even tell that."""
    try:
        return str(agent.spec)
    except Exception:
        return type(agent).__name__


def ask_move(agent: Agent, position: Position, stream: int) -> int:
    """Return the column, 0-based, that an agent plays; raise ``AgentFailedError`` if it is none."""
    column = _ask(agent, lambda: agent.choose_one(position, stream=stream))
    if not isinstance(column, int | np.integer) or isinstance(column, bool):
        raise AgentFailedError(f"{name_of(agent)} answered {_short(column)}, which is no column")
    try:
        position.play(column)
    except GameError as error:
        raise AgentFailedError(f"{name_of(agent)} made no legal move: {error}") from None
    return int(column)


def ask_analysis(agent: Agent, position: Position, stream: int) -> Analysis:
    """Return what an agent sees in a position; raise ``AgentFailedError`` if it cannot tell."""
    analysis = _ask(agent, lambda: agent.analyse(position, stream=stream))
    if not isinstance(analysis, Analysis):
        raise AgentFailedError(f"{name_of(agent)} explains itself with {_short(analysis)}")
    return analysis


def _ask(agent: Agent, question: Callable[[], Answer]) -> Answer:
    """Ask an agent; whatever it raises becomes one line that names it."""
    try:
        return question()
    except ForfeitError as error:
        raise AgentForfeitsError(f"{_one_line(error)}: that loses the game") from error
    except UserError as error:
        name = name_of(agent)
        said = _one_line(error)
        raise AgentFailedError(said if said.startswith(name) else f"{name}: {said}") from error
    except (Exception, SystemExit) as error:  # a player must not end the program either
        reason = f"{type(error).__name__}: {_one_line(error)}".rstrip(": ")
        raise AgentFailedError(f"{name_of(agent)} failed ({reason})") from error


def _one_line(error: BaseException) -> str:
    return _cut(" ".join(str(error).split()))


def _short(value: object) -> str:
    return _cut(" ".join(repr(value).split()))


def _cut(text: str) -> str:
    return text if len(text) <= MESSAGE_LETTERS else f"{text[: MESSAGE_LETTERS - 1]}…"

"""Players of the laboratory as bots of OpenSpiel."""

from typing import TYPE_CHECKING

from connectlab.agents.base import Agent
from connectlab.agents.openspiel.game import Game, load_pyspiel
from connectlab.agents.registry import make_agent
from connectlab.game import STANDARD

if TYPE_CHECKING:
    from connectlab.integrations.openspiel.bot import AgentBot

__all__ = ["as_bot"]


def as_bot(
    player: str | Agent, player_id: int, game: Game | None = None, *, seed: int = 0
) -> "AgentBot":
    """Return a player as a ``pyspiel.Bot`` for OpenSpiel's connect_four.

    ``player`` is a spec string or an agent; ``player_id`` is 0 for the side that moves first, 1 for
    the other. A spec string needs the ``game`` if that is not 7x6 connect-4. The bot is as random
    as the player is, by streams of ``seed``: the first game gets the first stream, and so on.
    """
    load_pyspiel()  # says what to install
    from connectlab.agents.openspiel.game import geometry_of
    from connectlab.integrations.openspiel.bot import AgentBot

    geometry = STANDARD if game is None else geometry_of(game)
    agent = make_agent(player, geometry) if isinstance(player, str) else player
    if game is not None:
        agent.check_board(geometry)
    return AgentBot(agent, player_id, seed)

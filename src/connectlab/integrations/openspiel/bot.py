"""A player behind the interface of OpenSpiel's bots; importing this needs OpenSpiel."""

import pyspiel

from connectlab.agents.base import Agent
from connectlab.agents.openspiel.game import State, position_of
from connectlab.agents.settings import AgentError
from connectlab.game.streams import make_streams


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """Steps as the player moves; made by :func:`connectlab.integrations.openspiel.as_bot`.

    Restarts begin the next game, with the next stream of the seed. Within a game the same state has
    the same answer. A player that forfeits raises ``ForfeitError``: OpenSpiel knows no forfeits.
    """

    def __init__(self, agent: Agent, player_id: int, seed: int) -> None:
        if player_id not in (0, 1):
            raise AgentError(f"player_id is 0 or 1, not {player_id!r}")
        pyspiel.Bot.__init__(self)
        self.agent = agent
        self._player_id = player_id
        self._seed = seed
        self._game_number = 0
        self._has_moved = False

    @property
    def stream(self) -> int:
        """The random stream of the game that is played."""
        return int(make_streams(self._seed, 1, self._game_number)[0])

    def player_id(self) -> int:
        """Return the side it plays."""
        return self._player_id

    def restart(self) -> None:
        """Begin the next game, unless the last one has not seen a move."""
        self._game_number += self._has_moved
        self._has_moved = False

    def restart_at(self, state: State) -> None:
        """Begin the next game, in this state."""
        del state
        self.restart()

    def step(self, state: State) -> int:
        """Return the column that the player draws; ``INVALID_ACTION`` if it is not its turn."""
        if state.current_player() != self._player_id:
            return int(pyspiel.INVALID_ACTION)
        self._has_moved = True
        return self.agent.choose_one(position_of(state), stream=self.stream)

    def provides_policy(self) -> bool:
        """Every player of the laboratory is a policy."""
        return True

    def get_policy(self, state: State) -> list[tuple[int, float]]:
        """Return the columns with room and how likely each is played."""
        position = position_of(state)
        policy = self.agent.policy_of(position, stream=self.stream)
        return [(column, policy[column]) for column in position.legal_columns]

    def step_with_policy(self, state: State) -> tuple[list[tuple[int, float]], int]:
        """Return the policy and the column drawn from it."""
        return self.get_policy(state), self.step(state)

    def inform_action(self, state: State, player_id: int, action: int) -> None:
        """Take no note of moves of others: a state tells all."""

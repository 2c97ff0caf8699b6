"""The player behind which a bot of OpenSpiel thinks."""

import numpy as np

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.openspiel.config import OpenSpielSettings
from connectlab.agents.openspiel.game import Bot, State, load_game, load_pyspiel, state_of
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import column_name
from connectlab.game.streams import at_ply

MOST_MEMORY_MB = 1000
"""What the tree of mcts may take."""
SEEDS = 2**31
"""OpenSpiel takes seeds below this."""


class OpenSpielAgent(Agent):
    """Plays as a bot of OpenSpiel, which is made anew for every move.

    ``mcts`` is the MCTSBot in C++ with random rollouts; ``minimax`` the alpha-beta search of
    OpenSpiel's Python, which takes the leftmost of the best columns; ``random`` and ``first`` are
    the bots uniform_random and fixed_action_preference. Seeds come from the game's stream and the
    ply, so the same question has the same answer.
    """

    Settings = OpenSpielSettings
    settings: OpenSpielSettings
    sampled = True

    def __init__(
        self, settings: OpenSpielSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        self._pyspiel = load_pyspiel()
        self._game = load_game(geometry)

    def policy(self, batch: PositionBatch) -> Chances:
        """Give the chances the bot tells, or 1 to the column it chooses, float64[n, columns]."""
        chances = np.zeros((len(batch), self.geometry.columns))
        for i, (stream, ply) in enumerate(zip(batch.streams, batch.plies, strict=True)):
            position = batch.position(i)
            state = state_of(position, self._game)
            for column, chance in self._answer(state, int(at_ply(stream, ply)) % SEEDS):
                chances[i, column] = chance
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Tell what the bot chooses, or among which columns it draws."""
        policy = self.policy_of(position, stream=stream)
        columns = [column_name(c, self.geometry) for c, chance in enumerate(policy) if chance]
        answer = f"answers {columns[0]}" if len(columns) == 1 else f"draws {', '.join(columns)}"
        return Analysis(
            position,
            policy,
            sentences=(f"The bot {self.settings.source} of OpenSpiel {answer}.",),
            facts={"game": str(self._game)},
        )

    def _answer(self, state: State, seed: int) -> list[tuple[int, float]]:
        """Return columns with their chances."""
        if self.settings.source == "minimax":
            return [(self._search(state), 1.0)]
        bot = self._bot(state, seed)
        return list(bot.get_policy(state)) if bot.provides_policy() else [(bot.step(state), 1.0)]

    def _bot(self, state: State, seed: int) -> Bot:
        spiel, settings = self._pyspiel, self.settings
        bot: Bot
        if settings.source == "random":
            bot = spiel.make_uniform_random_bot(state.current_player(), seed)
        elif settings.source == "first":
            bot = spiel.load_bot("fixed_action_preference", self._game, state.current_player())
        else:
            bot = spiel.MCTSBot(
                self._game,
                spiel.RandomRolloutEvaluator(settings.rollouts, seed),
                settings.exploration,
                settings.simulations,
                MOST_MEMORY_MB,
                settings.solve,
                seed,
                False,
            )
        return bot

    def _search(self, state: State) -> int:
        """Return the leftmost of the best columns; beyond the horizon all positions are even."""
        from open_spiel.python.algorithms.minimax import alpha_beta_search

        _, column = alpha_beta_search(
            self._game,
            state=state,
            value_function=lambda _: 0.0,
            maximum_depth=self.settings.depth,
        )
        return int(column)

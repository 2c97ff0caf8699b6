"""How a multi-layer perceptron learns: the state of a run, advanced in steps of some games."""

from collections.abc import Sequence
from typing import NoReturn, get_args

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.mlp.config import MLPConfig, Optimiser
from connectlab.agents.mlp.explain import inputs_after
from connectlab.agents.mlp.network import KIND, Network
from connectlab.agents.mlp.records import SGD, Learning, make_scratch
from connectlab.agents.mlp.selfplay import FINISHED, learn_games, learn_recorded
from connectlab.game.notation import FALL
from connectlab.game.position import Position
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.learner import BrokeDownError, Learner, LearnerError, Metrics
from connectlab.training.pace import games_a_step, longest_plies
from connectlab.training.saved import (
    check_beginning,
    check_kind,
    check_state,
    copy_arrays,
    moves_of_games,
    saved_count,
)
from connectlab.training.threads import work_side_by_side

STATE_KIND = f"{KIND}-state"

NEURONS_A_STEP = 300e6
"""Hidden neurons that are computed in a step (of a state, of each ply): some 0.1 s."""
FROZEN_STATES = 1_000
"""So many states of a step, and half of all, whose value cannot change any more: no accident."""


class MLPLearner(Learner):
    """A network in training. The same config gives the same weights, however games are split.

    With several threads each game draws the same random numbers, but which weights it finds depends
    on the others: no two such runs are alike.
    """

    Config = MLPConfig
    learns_from_games = True
    config: MLPConfig

    def __init__(self, config: MLPConfig, *, threads: int = 1) -> None:
        super().__init__(config, threads=threads)
        self.plies_done = 0
        self.network = Network.create(config)
        optimiser = get_args(Optimiser).index(config.optimiser)
        size = (1, 1) if optimiser == SGD else self.network.parameters.shape
        self._memory = np.zeros(size, dtype=np.float32)
        self._learning = _numbers(config, optimiser)
        self._scratch = [make_scratch(self.network, optimiser) for _ in range(threads)]
        self.games_a_step = _games_a_step(config)
        """Games of a step; a step ends where their number is a multiple of this."""

    # Learning

    def step(self) -> Metrics:
        """Play and learn the games up to the next multiple of ``games_a_step``.

        Returns the means over these games of ``eta``, ``plies`` (the length of a game) and
        ``return`` (of each episode learned); and ``squared_error``, the mean of (T_s - V(s))^2
        over all states that were learned from.
        """
        size = self.games_a_step
        return self.learn((self.games_done // size + 1) * size - self.games_done)

    def learn(self, games: int) -> Metrics:
        """Learn so many games, at most up to the end of the run; return what ``step`` returns."""
        first, left = self.games_done, self.config.games - self.games_done
        if left <= 0:
            raise LearnerError(f"all {first:,} games of the run are learned: more games= go on")
        etas = self.config.eta.values(first, min(games, left), self.config.games)
        self._begin_tally()
        self._learn_all(first, etas)
        self.games_done += len(etas)
        return self._metrics(len(etas), self._episodes(self.config.both_sides), float(etas.mean()))

    def learn_from(self, games: Sequence[Position]) -> Metrics:
        """Learn finished games in the view of both players; none of their moves was explored.

        They come on top of the games of the run: ``games_done`` stays, and eta is that of the next
        game. Returns what ``step`` returns.
        """
        moves_of_games(games, self.config.geometry)  # refuses what cannot be learned from
        variant = self.config.geometry.variant
        if variant.counts and variant.slip:
            raise LearnerError(
                "games in which stones slip tell where they landed and not what was chosen, so "
                "nothing can be learned from them where counts are told"
            )
        next_game = min(self.games_done, self.config.games - 1)
        eta = float(self.config.eta.values(next_game, 1, self.config.games)[0])
        self._begin_tally()
        for number, game in enumerate(games, start=1):
            self._record(game)
            sound = learn_recorded(
                0,
                game.n_moves,
                game.outcome.value,
                eta,
                True,
                self._memory,
                self.network.brain,
                self._learning,
                self._scratch[0],
            )
            if not sound:
                self._stop(f"game {number:,} of those given")
        return self._metrics(len(games), self._episodes(both_sides=True), eta)

    def _record(self, game: Position) -> None:
        """Write the states that the moves of a game led to into the working memory."""
        scratch, position = self._scratch[0], Position(game.geometry)
        for move in game.history or ():
            if move == FALL:
                position = position.fall()
            else:
                self._note(position, move)
                position = position.play(move)
            ply = position.n_moves - 1
            scratch.stones[:, ply] = position.first_stones, position.second_stones
        scratch.chosen[: game.n_moves] = True

    def _note(self, position: Position, column: int) -> None:
        """Write what is seen before a move, and the column, where counts are read."""
        if self.network.brain.counted:
            inputs = inputs_after(self.network, position, column)
            self._scratch[0].inputs[position.n_moves] = inputs

    def _learn_all(self, first: int, etas: NDArray[np.float64]) -> None:
        n = len(etas)
        threads = min(len(self._scratch), n)
        stuck = np.full(threads, FINISHED, dtype=np.int64)

        def work(thread: int) -> None:
            stuck[thread] = learn_games(
                first + thread,
                len(range(thread, n, threads)),
                threads,
                np.uint64(self.config.seed),
                etas[thread:],
                self._memory,
                self.network.brain,
                self._learning,
                self._scratch[thread],
            )

        work_side_by_side(work, threads)
        if (stuck != FINISHED).any():
            self._stop(f"game {int(stuck[stuck != FINISHED].min()) + 1:,}")

    def _stop(self, where: str, how: str = "are no numbers") -> NoReturn:
        config = self.config
        raise BrokeDownError(
            f"the weights exploded by {where}: values {how} with hidden={config.hidden}, "
            f"eta={config.eta}, error={config.error}, optimiser={config.optimiser}: try a smaller "
            "eta, or error=mean"
        )

    # What the threads count

    def _begin_tally(self) -> None:
        for scratch in self._scratch:
            scratch.tally[:] = 0

    def _episodes(self, both_sides: bool) -> int:
        """Return how many episodes a game is learned as."""
        return (1 + both_sides) * (1 + self.config.mirror)

    def _metrics(self, games: int, episodes: int, eta: float) -> Metrics:
        plies, states, error, returns, frozen = np.sum(
            [s.tally for s in self._scratch], axis=0
        ).tolist()
        self.plies_done += int(plies)
        if frozen > FROZEN_STATES and 2 * frozen > states:
            self._stop(f"game {self.games_done:,}", "are stuck at 0 or 1")
        return {
            "eta": eta,
            "squared_error": error / max(1.0, states),
            "return": returns / (games * episodes),
            "plies": plies / games,
        }

    # Saving

    def checkpoint(self) -> Checkpoint:
        """Return the network to play with, and what it was trained with."""
        header = {"config": self.config.plain(), "games_done": self.games_done}
        return self.network.checkpoint(header)

    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""
        header = {
            "config": self.config.plain(),
            "games_done": self.games_done,
            "plies_done": self.plies_done,
        }
        return Checkpoint(STATE_KIND, header, self._arrays())

    def _arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return all numbers that learning changes."""
        return {"parameters": self.network.parameters, "memory": self._memory}

    def restore(self, state: Checkpoint) -> None:
        """Go on from a state whose config differs from this one in ``games`` at most."""
        games = check_state(state, STATE_KIND, self.config)
        plies = saved_count(state.header, "plies_done")
        copy_arrays(state.arrays, self._arrays())
        self.games_done, self.plies_done = games, plies

    def begin_from(self, checkpoint: Checkpoint) -> None:
        """Begin with the weights of a trained network of the same board and size."""
        check_kind(checkpoint, KIND)
        network = Network.from_checkpoint(checkpoint)
        check_beginning(
            self.games_done, self.network.header.model_dump(), network.header.model_dump()
        )
        self.network.parameters[:] = network.parameters


def _numbers(config: MLPConfig, optimiser: int) -> Learning:
    return Learning(
        config.gamma,
        config.exploit,
        config.draw_return,
        config.error == "mean",
        config.both_sides,
        config.mirror,
        optimiser,
        config.decay,
    )


def _games_a_step(config: MLPConfig) -> int:
    successors = longest_plies(config.geometry) * config.geometry.columns
    return games_a_step(NEURONS_A_STEP, config.hidden * successors, config.games)

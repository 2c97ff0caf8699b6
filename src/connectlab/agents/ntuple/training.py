"""How an n-tuple network learns: the state of a run, advanced in steps of some games."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.ntuple.averaging import Average
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.network import KIND, Network
from connectlab.agents.ntuple.records import (
    Learned,
    Learning,
    Scratch,
    make_scratch,
)
from connectlab.agents.ntuple.selfplay import FINISHED, learn_games, learn_given
from connectlab.agents.ntuple.starts import Starts
from connectlab.agents.ntuple.step_sizes import RULES
from connectlab.agents.ntuple.traces import Memory, make_trace
from connectlab.game.position import Position
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import BrokeDownError, Learner, LearnerError, Metrics
from connectlab.training.pace import games_a_step
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

WATCH_GAMES = 10_000
"""Frozen positions are counted anew after so many games."""
LARGEST = float(np.finfo(np.float16).max)
"""Greatest weight of a network that plays."""
SLOTS_A_STEP = 30e6, 12e6
"""Slots read in a step (each of a position, of each ply), without traces and with them: 0.1 s."""

Rates = NDArray[np.float64]
"""float64[games, 3]: alpha of each game, and epsilon of the first and of the second player."""


class NTupleLearner(Learner):
    """A network in training. The same config gives the same weights, however games are split.

    ``network`` is what to play with: the averaged weights if the config asks for an average, else
    the latest. With several threads each game draws the same random numbers, but which weights it
    finds depends on the others: no two such runs are alike.
    """

    Config = NTupleConfig
    learns_from_games = True
    config: NTupleConfig

    def __init__(self, config: NTupleConfig, *, threads: int = 1) -> None:
        super().__init__(config, threads=threads)
        self.plies_done = 0
        self._learning = Network.create(config)
        self._memory = Memory.create(len(self._learning.weights), RULES[config.rule].numbers)
        self._shared = np.zeros(1, dtype=np.float32)
        self._starts = Starts.create(used=config.restarts > 0)
        self._average = self._new_average()
        self._scratch = [self._new_scratch() for _ in range(threads)]
        self.games_a_step = games_a_step(
            SLOTS_A_STEP[config.trace_lambda > 0],
            self._learning.layout.slots * config.geometry.cells,
            config.games,
        )
        """Games of a step; a step ends where their number is a multiple of this."""

    def _new_average(self) -> Average | None:
        config = self.config
        if not config.average_games:
            return None
        return Average(self._learning.weights, config.average_games, config.games)

    def _new_scratch(self) -> Scratch:
        views, config = self._learning.views, self.config
        trace = make_trace(views, config.tables, config.geometry.cells, self._shared)
        return make_scratch(views, trace, config.geometry.cells)

    @property
    def network(self) -> Network:
        """The network to play with."""
        if self._average is None or not self._average.ready:
            return self._learning
        return replace(self._learning, weights=self._average.weights)

    # Learning

    def step(self) -> Metrics:
        """Play and learn the games up to the next multiple of ``games_a_step``.

        Returns the means over these games of ``alpha``, ``epsilon`` (and ``epsilon_second``, where
        the second player has one of its own) and ``plies``, the length of a game; and ``td_error``,
        the mean of |delta| over all moves that were learned from. delta is gamma times the value
        of the position after the move (at the end of a game, its reward) less the value of the
        position before it, both as the learning weights have it.
        """
        size = self.games_a_step
        return self.learn((self.games_done // size + 1) * size - self.games_done)

    def learn(self, games: int) -> Metrics:
        """Learn so many games, at most up to the end of the run; return what ``step`` returns."""
        first, left = self.games_done, self.config.games - self.games_done
        if left <= 0:
            raise LearnerError(f"all {first:,} games of the run are learned: more games= go on")
        rates = self._rates(first, min(games, left))
        self._begin_tally()
        end = first + len(rates)
        while self.games_done < end:
            look = self._average.next_look(self.games_done) if self._average else end
            watch = (self.games_done // WATCH_GAMES + 1) * WATCH_GAMES
            stop = min(end, look, watch)
            self._learn_until(stop, rates[self.games_done - first :])
            if self._average and stop == look:
                self._average.look(self._learning.weights, stop)
            if stop == watch:
                self._begin_watch()
        alpha, first_epsilon, second_epsilon = rates.mean(axis=0).tolist()
        metrics = self._metrics(len(rates), alpha, first_epsilon)
        by_side = self.config.epsilon_second is not None
        return {**metrics, "epsilon_second": second_epsilon} if by_side else metrics

    def learn_from(self, games: Sequence[Position]) -> Metrics:
        """Learn along the moves of finished games, none of which counts as random.

        They come on top of the games of the run: ``games_done`` stays, and alpha is that of the
        next game. Returns what ``step`` returns.
        """
        moves = moves_of_games(games, self.config.geometry)
        alpha = float(self._rates(min(self.games_done, self.config.games - 1), 1)[0, 0])
        self._begin_tally()
        for number, columns in enumerate(moves, start=1):
            if not learn_given(columns, alpha, self._learned, self._rule, self._scratch[0]):
                self._stop(f"game {number:,} of those given")
        if self._average:
            self._average.learned_from(self._learning.weights, len(moves))
        return self._metrics(len(moves), alpha, 0.0)

    def begin_games_from(self, positions: Sequence[Position]) -> None:
        """Note these positions among those from which the share ``restarts`` of games begins."""
        if not self.config.restarts:
            raise LearnerError("no game begins from a position unless restarts is above 0")
        if any(p.geometry != self.config.geometry or p.is_over for p in positions):
            raise LearnerError(f"games begin from unfinished positions on {self.config.geometry}")
        self._starts.note_all(positions)

    @property
    def _learned(self) -> Learned:
        network = self._learning
        shape = network.geometry.shape
        return Learned(network.weights, self._memory, self._starts, network.views, shape)

    @property
    def _rule(self) -> Learning:
        config, rule = self.config, RULES[self.config.rule]
        parameters = {"beta": config.beta, "theta": config.theta, "mu": config.mu, None: 0.0}
        return Learning(
            rule.code,
            parameters[rule.parameter],
            config.gamma,
            config.gamma * config.trace_lambda,
            config.replace,
            config.reset,
            config.random_end,
            config.mirror,
            config.bounded,
            config.safe_second,
            config.restarts,
            config.surprise,
            config.output == "linear",
            config.haste,
        )

    def _learn_until(self, stop: int, rates: Rates) -> None:
        first, n = self.games_done, stop - self.games_done
        threads = min(len(self._scratch), n)
        seed, learned, rule = np.uint64(self.config.seed), self._learned, self._rule
        stuck = np.full(threads, FINISHED, dtype=np.int64)
        plies = self._tally()[0]

        def work(thread: int) -> None:
            games = len(range(thread, n, threads))
            scratch = self._scratch[thread]
            stuck[thread] = learn_games(
                first + thread, games, threads, seed, rates[thread:], learned, rule, scratch
            )

        work_side_by_side(work, threads)
        if (stuck != FINISHED).any():
            self._stop(f"game {int(stuck[stuck != FINISHED].min()) + 1:,}")
        self.plies_done += int(self._tally()[0] - plies)
        self.games_done = stop

    def _rates(self, first: int, n: int) -> Rates:
        config = self.config
        schedules = (config.alpha, config.epsilon, config.epsilon_second or config.epsilon)
        return np.stack([s.values(first, n, config.games) for s in schedules], axis=1)

    def _stop(self, where: str) -> NoReturn:
        config = self.config
        stuck = "beyond all bounds" if config.output == "linear" else "stuck at -1 or 1"
        learned = RULES[config.rule].parameter
        rates = ["alpha", learned] if learned in ("theta", "mu") else ["alpha"]
        sizes = ", ".join(f"{rate}={getattr(config, rate)}" for rate in rates)
        ways = [
            *(f"a smaller {rate}" for rate in reversed(rates)),
            *(["haste=0.01"] if not config.haste else []),
            *(["bounded=true"] if not config.bounded else []),
        ]
        raise BrokeDownError(
            f"the weights exploded in {where}: values are no numbers or {stuck} with "
            f"rule={config.rule}, {sizes}, lambda={config.trace_lambda} [{config.traces}], "
            f"{config.tuples} tuples: try {' or '.join(ways)}"
        )

    # What the threads count

    def _begin_tally(self) -> None:
        for scratch in self._scratch:
            scratch.tally[:] = 0

    def _begin_watch(self) -> None:
        for scratch in self._scratch:
            scratch.watch[:] = 0

    def _tally(self) -> NDArray[np.float64]:
        """Return plies, moves learned from and the sum of their |delta|."""
        tally: NDArray[np.float64] = np.sum([s.tally for s in self._scratch], axis=0)
        return tally

    def _metrics(self, games: int, alpha: float, epsilon: float) -> Metrics:
        plies, learned, error = self._tally().tolist()
        return {
            "alpha": alpha,
            "epsilon": epsilon,
            "td_error": error / max(1.0, learned),
            "plies": plies / games,
        }

    # Saving

    def checkpoint(self, **told: object) -> Checkpoint:
        """Return the network to play with, and what it was trained with (and is ``told``).

        Its weights are float16, half the size: what is evaluated is then what is shipped. Weights
        beyond that are no use to anybody.
        """
        header = {"config": self.config.plain(), "games_done": self.games_done, **told}
        weights = self.network.weights
        if not -LARGEST <= weights.min() <= weights.max() <= LARGEST:
            self._stop(f"the first {self.games_done:,} games")
        return self.network.checkpoint(header, half=True)

    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""
        header = {
            "config": self.config.plain(),
            "network": self._learning.header.plain(),
            "games_done": self.games_done,
            "plies_done": self.plies_done,
            "averaged": self._average is not None and self._average.ready,
        }
        return Checkpoint(STATE_KIND, header, self._arrays())

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return all numbers that learning changes."""
        arrays: dict[str, NDArray[np.generic]] = {
            "learning": self._learning.weights,
            "shared": self._shared,
        }
        if self._average is not None:
            arrays["average"] = self._average.weights
        if self.config.restarts:
            arrays |= {"starts": self._starts.keys, "starts_noted": self._starts.noted}
        if len(self._memory.words):
            arrays["memory"] = self._memory.pairs
        if len(self._memory.third_number):
            arrays["memory_third"] = self._memory.third_number
        return arrays

    def restore(self, state: Checkpoint) -> None:
        """Go on from a state whose config differs from this one in ``games`` at most."""
        games = check_state(state, STATE_KIND, self.config)
        plies = saved_count(state.header, "plies_done")
        if state.header.get("network") != self._learning.header.plain():
            raise LearnerError(
                "the tuples are no longer those of the saved state: the tuple file was changed, or "
                "another version of connectlab makes others"
            )
        copy_arrays(state.arrays, self._arrays())
        if not self._starts.are_sound(self.config.geometry.shape):
            raise CheckpointError("the saved state is damaged: games cannot begin from its starts")
        self.games_done, self.plies_done = games, plies
        if self._average is not None:
            self._average.ready = bool(state.header.get("averaged"))

    def take_over(self, state: Checkpoint) -> None:
        """Go on with the network that a run of the same tuples and rule plays with.

        Its averaged weights, if it has them, are those that learn from now on: the latest ones are
        far noisier. Games are counted on; positions to begin from are not taken over.
        """
        check_kind(state, STATE_KIND)
        config = state.header.get("config")
        rule = config.get("rule") if isinstance(config, dict) else None
        described = self._learning.header.plain()
        if state.header.get("network") != described or rule != self.config.rule:
            raise LearnerError("the saved run has other tuples or another step-size rule")
        games, plies = (saved_count(state.header, f"{what}_done") for what in ("games", "plies"))
        own, saved = self._arrays(), dict(state.arrays)
        played = "average" if state.header.get("averaged") else "learning"
        saved["learning"] = saved["average"] = saved.get(played, np.zeros(0))
        copy_arrays(saved, {name: own[name] for name in own if not name.startswith("starts")})
        self.games_done, self.plies_done = games, plies
        if self._average is not None:
            self._average.ready = True

    def begin_from(self, checkpoint: Checkpoint) -> None:
        """Begin with the weights of a trained network; its tuples must be those of this run."""
        check_kind(checkpoint, KIND)
        network = Network.from_checkpoint(checkpoint)
        own, other = self._learning.header.model_dump(), network.header.model_dump()
        check_beginning(self.games_done, own, other, unsaid="tuples")
        self._learning.weights[:] = network.weights
        self._average = self._new_average()

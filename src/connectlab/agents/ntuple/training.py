"""How an n-tuple network learns: the state of a run, advanced by any number of games."""

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import AgentError
from connectlab.agents.checkpoint import Checkpoint
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.network import KIND, Network
from connectlab.agents.ntuple.rules import RULES
from connectlab.agents.ntuple.selfplay import FINISHED, Learning, learn_games
from connectlab.agents.ntuple.traces import Trace, make_trace

AVERAGE_EVERY = 10_000
"""Games between two looks of the average at the weights."""


class NTupleLearner:
    """A network in training. The same config gives the same weights, however games are split.

    ``games_done`` counts games; ``learn`` plays more of them; ``network`` is what to play with:
    the averaged weights if the config asks for an average, else the latest.
    """

    def __init__(self, config: NTupleConfig, *, threads: int = 1) -> None:
        self.config = config
        self.games_done = 0
        self.plies_done = 0
        self._learning = Network.create(config)
        rule = RULES[config.rule]
        size = len(self._learning.weights)
        self._memory = np.zeros((size if rule.numbers else 0, rule.numbers), dtype=np.float32)
        self._average = self._learning.weights.copy() if config.average_games else None
        self._traces = [self._make_trace() for _ in range(threads)]

    def _make_trace(self) -> Trace:
        return make_trace(self._learning.views, self.config.tables, self.config.geometry.cells)

    @property
    def network(self) -> Network:
        """The network to play with."""
        if self._average is None:
            return self._learning
        return Network(self._learning.layout, self._learning.tables, self._average)

    def rates(self) -> dict[str, float]:
        """Return alpha and epsilon of the next game."""
        alpha, epsilon = self._rates(self.games_done, 1)[0]
        return {"alpha": float(alpha), "epsilon": float(epsilon)}

    def learn(self, games: int) -> None:
        """Play and learn ``games`` more games, at most up to the end of the run."""
        end = min(self.games_done + games, self.config.games)
        while self.games_done < end:
            stop = min(end, (self.games_done // AVERAGE_EVERY + 1) * AVERAGE_EVERY)
            self._learn_until(stop)
            if stop % AVERAGE_EVERY == 0:
                self._take_average()

    def _learn_until(self, stop: int) -> None:
        first, n = self.games_done, stop - self.games_done
        rates = self._rates(first, n)
        threads = min(len(self._traces), n)
        plies = np.zeros((threads, 1), dtype=np.int64)
        stuck = np.full(threads, FINISHED, dtype=np.int64)

        def work(worker: int) -> None:
            games = len(range(worker, n, threads))
            stuck[worker] = self._play(
                first + worker, games, threads, rates[worker:], plies, worker
            )

        others = [threading.Thread(target=work, args=(w,)) for w in range(1, threads)]
        for thread in others:
            thread.start()
        work(0)
        for thread in others:
            thread.join()
        if (stuck != FINISHED).any():
            self._stop(int(stuck[stuck != FINISHED].min()))
        self.plies_done += int(plies.sum())
        self.games_done = stop

    def _play(
        self,
        first: int,
        games: int,
        stride: int,
        rates: NDArray[np.float64],
        plies: NDArray[np.int64],
        worker: int,
    ) -> int:
        config, network = self.config, self._learning
        rule = RULES[config.rule]
        learning = Learning(
            rule.code,
            float(getattr(config, rule.parameter)) if rule.parameter else 0.0,
            config.gamma,
            config.gamma * config.trace_lambda,
            config.replace,
            config.reset,
            config.mirror,
        )
        return learn_games(
            first,
            games,
            stride,
            np.uint64(config.seed),
            rates,
            network.weights,
            self._memory,
            self._traces[worker],
            learning,
            network.views,
            config.geometry.shape,
            plies[worker],
        )

    def _rates(self, first: int, n: int) -> NDArray[np.float64]:
        config = self.config
        schedules = (config.alpha, config.epsilon)
        return np.stack([s.values(first, n, config.games) for s in schedules], axis=1)

    def _take_average(self) -> None:
        if self._average is None:
            return
        horizon = min(self.config.average_games, max(self.games_done // 2, AVERAGE_EVERY))
        share = np.float32(min(1.0, AVERAGE_EVERY / horizon))
        self._average += share * (self._learning.weights - self._average)

    def _stop(self, game: int) -> None:
        config = self.config
        raise AgentError(
            f"the values stopped being numbers in game {game + 1:,}: the weights exploded with "
            f"rule={config.rule}, alpha={config.alpha}, lambda={config.trace_lambda} "
            f"[{config.traces}], {config.tuples} tuples: try a smaller alpha or lambda"
        )

    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""
        arrays: dict[str, NDArray[Any]] = {"learning": self._learning.weights}
        if self._average is not None:
            arrays["average"] = self._average
        if len(self._memory):
            arrays["memory"] = self._memory
        header = {
            "config": self.config.model_dump(mode="json"),
            "games_done": self.games_done,
            "plies_done": self.plies_done,
        }
        return Checkpoint(f"{KIND}-state", header, arrays)

    @classmethod
    def resume(cls, state: Checkpoint, *, threads: int = 1) -> "NTupleLearner":
        """Go on from a saved state."""
        header: Mapping[str, Any] = state.header
        learner = cls(NTupleConfig.model_validate(header["config"]), threads=threads)
        learner.games_done = header["games_done"]
        learner.plies_done = header["plies_done"]
        learner._learning.weights[:] = state.arrays["learning"]
        if learner._average is not None:
            learner._average[:] = state.arrays["average"]
        if len(learner._memory):
            learner._memory[:] = state.arrays["memory"]
        return learner

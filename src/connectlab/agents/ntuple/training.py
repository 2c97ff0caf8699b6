"""How an n-tuple network learns: the state of a run, advanced by any number of games."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from connectlab.agents.base import AgentError
from connectlab.agents.ntuple.config import PRESETS, NTupleConfig
from connectlab.agents.ntuple.network import KIND, Network
from connectlab.agents.ntuple.rules import RULES
from connectlab.agents.ntuple.selfplay import FINISHED, Learning, learn_games
from connectlab.agents.ntuple.traces import Trace, make_trace
from connectlab.storage.checkpoint import Checkpoint

if TYPE_CHECKING:
    from connectlab.training.learner import Learner

AVERAGE_EVERY = 10_000
"""Games between two looks of the average at the weights."""


class NTupleLearner:
    """A network in training. The same config gives the same weights, however games are split.

    ``games_done`` counts games; ``learn`` plays more of them; ``network`` is what to play with:
    the averaged weights if the config asks for an average, else the latest.
    """

    Config: ClassVar[type[BaseModel]] = NTupleConfig
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS

    def __init__(self, config: NTupleConfig, *, threads: int = 1) -> None:
        self.config = config
        self.games_done = 0
        self.plies_done = 0
        self._learning = Network.create(config)
        rule = RULES[config.rule]
        size = len(self._learning.weights)
        self._memory = np.zeros((size if rule.numbers else 0, rule.numbers), dtype=np.float32)
        self._shared = np.zeros(1, dtype=np.float32)
        self._average = self._learning.weights.copy() if config.average_games else None
        self._traces = [self._make_trace() for _ in range(threads)]

    def _make_trace(self) -> Trace:
        cells = self.config.geometry.cells
        return make_trace(self._learning.views, self.config.tables, cells, self._shared)

    @property
    def network(self) -> Network:
        """The network to play with."""
        if self._average is None:
            return self._learning
        return Network(self._learning.layout, self._learning.tables, self._average)

    @property
    def settings(self) -> dict[str, Any]:
        """The config as plain data."""
        return self.config.model_dump(mode="json")

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
            config.bounded,
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
            f"the weights exploded in game {game + 1:,}: values are no numbers or stuck at -1 and "
            f"1 with rule={config.rule}, alpha={config.alpha}, lambda={config.trace_lambda} "
            f"[{config.traces}], {config.tuples} tuples: try a smaller alpha, or bounded=true"
        )

    def checkpoint(self) -> Checkpoint:
        """Return the network to play with, and what it was trained with.

        Its weights are float16, half the size: what is evaluated is then what is shipped.
        """
        header = {"config": self.settings, "games_done": self.games_done}
        return self.network.checkpoint(header, half=True)

    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""
        header = {
            "config": self.settings,
            "tuples": self._tuples(),
            "games_done": self.games_done,
            "plies_done": self.plies_done,
        }
        return Checkpoint(f"{KIND}-state", header, self._arrays())

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return all numbers that learning changes."""
        arrays = {"learning": self._learning.weights, "shared": self._shared}
        if self._average is not None:
            arrays["average"] = self._average
        if len(self._memory):
            arrays["memory"] = self._memory
        return arrays

    def _tuples(self) -> list[list[list[int]]]:
        return [[list(cell) for cell in cells] for cells in self._learning.layout.tuples]

    @classmethod
    def resume(cls, state: Checkpoint, *, threads: int = 1) -> "NTupleLearner":
        """Go on from a saved state."""
        header: Mapping[str, Any] = state.header
        try:
            learner = cls(NTupleConfig.model_validate(header["config"]), threads=threads)
            learner._restore(header, state.arrays)
        except (KeyError, ValidationError):
            raise AgentError("the state was saved by another version of connectlab") from None
        return learner

    def _restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        if header["tuples"] != self._tuples():
            raise AgentError(
                "the tuples are no longer those of the saved state: the tuple file was changed, or "
                "another version of connectlab makes others"
            )
        self.games_done = header["games_done"]
        self.plies_done = header["plies_done"]
        for name, array in self._arrays().items():
            array[:] = arrays[name]

    @classmethod
    def load(cls, path: Path, *, threads: int = 1) -> "NTupleLearner":
        """Go on from the state in a file; refuse one that is damaged or of another kind."""
        return cls.resume(Checkpoint.load(path, f"{KIND}-state"), threads=threads)


if TYPE_CHECKING:
    _conforms: type[Learner] = NTupleLearner

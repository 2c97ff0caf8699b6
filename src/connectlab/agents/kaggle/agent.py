"""The player behind which an agent written for Kaggle's ConnectX thinks."""

import os

import numpy as np

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.kaggle.config import KaggleSettings
from connectlab.agents.kaggle.episode import Answer
from connectlab.agents.kaggle.observation import mark_of
from connectlab.agents.kaggle.submission import Submission
from connectlab.agents.kaggle.worker import Worker
from connectlab.agents.settings import AgentError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import column_name


class KaggleAgent(Agent):
    """Plays what an agent written for Kaggle's ConnectX answers, by the rules of Kaggle.

    The agent runs in a child process, which is started when it is asked first. An answer that is no
    move (an exception, a time-out, no whole number, a column that is full or not there, the end of
    the process) loses the game, as it does on Kaggle.

    It differs from Kaggle in this: a process serves many games, each with globals of its own; an
    agent that is late is stopped; and ``random`` and ``numpy.random`` are seeded for each game by
    its stream, so that the same seed gives the same games. As the answers of an agent may come
    from chance, its policy counts as one that does.
    """

    Settings = KaggleSettings
    settings: KaggleSettings
    sampled = True
    may_forfeit = True

    def __init__(
        self, settings: KaggleSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        if os.name != "posix":
            raise AgentError("kaggle: agents written for Kaggle play on Linux and macOS only")
        self._submission = Submission(self.settings)
        self._workers = self._new_workers()
        self._owner = os.getpid()

    def policy(self, batch: PositionBatch) -> Chances:
        """Give 1 to the column answered in each position; a row of zeros is a lost game."""
        chances = np.zeros((len(batch), self.geometry.columns))
        for i, stream in enumerate(batch.streams):
            column = self._ask(batch.position(i), int(stream)).column
            if column is not None:
                chances[i, column] = 1.0
        return chances

    def forfeit_reason(self, position: Position, stream: int) -> str:
        """Say why the game with this stream is lost in this position."""
        return self._ask(position, stream).reason

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Tell what was answered; the agent tells no more."""
        policy = self.policy_of(position, stream=stream)
        answer = self._ask(position, stream)
        source = self.settings.source
        sentence = (
            f"The agent {source} {answer.reason}: it loses the game."
            if answer.column is None
            else f"The agent {source} answers {column_name(answer.column, self.geometry)}."
        )
        facts = {"mark": mark_of(position), "step": position.n_moves}
        return Analysis(position, policy, sentences=(sentence,), facts=facts)

    def close(self) -> None:
        """End the child processes; they start again when they are needed."""
        for worker in self._workers:
            with worker.lock:
                worker.close()

    def _ask(self, position: Position, stream: int) -> Answer:
        """Ask the worker to whom a game belongs, so that its globals are where they were."""
        if self._owner != os.getpid():  # after a fork the children belong to the other process
            self._workers, self._owner = self._new_workers(), os.getpid()
        worker = self._workers[stream % len(self._workers)]
        with worker.lock:
            return worker.ask(position, stream)

    def _new_workers(self) -> list[Worker]:
        return [
            Worker(self.settings, self._submission, self.geometry)
            for _ in range(self.settings.workers)
        ]

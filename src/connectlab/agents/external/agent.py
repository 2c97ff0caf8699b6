"""The player behind which another program thinks."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import numpy as np

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.external.config import ExternalSettings
from connectlab.agents.external.order import find_moves
from connectlab.agents.external.protocol import Engine, check_board, start_engine
from connectlab.agents.settings import AgentError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import column_name, format_moves


class ExternalAgent(Agent):
    """Plays what another program answers, and is certain of it.

    The program runs in a child process, started when it is asked first. Each thread that asks
    has one to itself while it asks; it goes to the next thread then, so there are never more of
    them than threads that ask at the same time. A program that fails is an error and is killed; it
    starts anew only if it is asked again after that error.

    The policy counts as one that comes from chance, since the program may draw lots and nobody can
    see its other moves: its games are played, never walked through.
    """

    Settings = ExternalSettings
    settings: ExternalSettings
    sampled = True

    def __init__(
        self, settings: ExternalSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        check_board(self.settings, geometry)
        _check_program(self.settings.words[0])
        self._idle: list[Engine] = []
        self._lock = Lock()
        self._owner = os.getpid()

    def policy(self, batch: PositionBatch) -> Chances:
        """Give 1 to the column the program answers in each position, float64[n, columns]."""
        chances = np.zeros((len(batch), self.geometry.columns))
        if len(batch):
            with self._engine() as engine:
                for i, stream in enumerate(batch.streams):
                    chances[i, self._ask(engine, batch.position(i), int(stream))] = 1.0
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Tell what was asked and answered; the program tells no more."""
        policy = self.policy_of(position, stream=stream)
        answer = column_name(policy.index(1.0), self.geometry)
        return Analysis(
            position,
            policy,
            sentences=(f"The engine {self.settings.command} answers {answer}.",),
            facts={"protocol": self.settings.protocol, "moves_sent": self._moves_to(position)},
        )

    def close(self) -> None:
        """End the programs that nobody is asking; they start again when they are needed."""
        with self._lock:
            engines, self._idle = self._idle, []
        for engine in engines:
            engine.process.close()

    def _ask(self, engine: Engine, position: Position, stream: int) -> int:
        moves = self._moves_to(position)
        column = engine.choose(moves, stream)
        if column not in position.legal_columns:
            name = column_name(column, self.geometry)
            raise engine.process.failure(f"played {name} after {moves!r}, where it is full")
        return column

    def _moves_to(self, position: Position) -> str:
        moves = find_moves(position)
        if moves is None:
            raise AgentError(f"external: no moves lead to {position!r}, so no engine can be asked")
        return format_moves(moves, self.geometry)

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        """Lend an engine to this thread alone; one that was interrupted has lost the thread."""
        engine = self._idle_engine() or start_engine(self.settings, self.geometry)
        try:
            yield engine
        except BaseException:
            engine.process.kill()
            raise
        with self._lock:
            self._idle.append(engine)

    def _idle_engine(self) -> Engine | None:
        with self._lock:
            if self._owner != os.getpid():  # after a fork the engines belong to the other process
                self._idle, self._owner = [], os.getpid()
            return self._idle.pop() if self._idle else None


def _check_program(program: str) -> None:
    if os.name != "posix":
        raise AgentError("external: other programs can play on Linux and macOS only")
    if shutil.which(program) is None:
        raise AgentError(f"external: there is no program {program!r}, or it may not be run")

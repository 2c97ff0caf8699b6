"""The two ways to speak to an engine: Velena's, and lines of our own (docs/engine.md)."""

import re
import time
from abc import ABC, abstractmethod
from typing import ClassVar

from connectlab.agents.external.config import VELENA, ExternalSettings
from connectlab.agents.external.process import EngineProcess
from connectlab.agents.settings import AgentError
from connectlab.errors import GameError
from connectlab.game.geometry import STANDARD, Geometry
from connectlab.game.notation import parse_moves

BANNER_LINES = 5
MOST_BANNER_LINES = 25
"""Some builds of Velena say more than five lines before their first answer."""


class Engine(ABC):
    """An engine that runs and is asked one position after the other, by one thread at a time."""

    farewell: ClassVar[str]
    """What makes it end."""

    def __init__(self, settings: ExternalSettings, geometry: Geometry) -> None:
        self.settings = settings
        self.geometry = geometry
        self.process = EngineProcess(settings.words, settings.command, self.farewell)
        self.greet(time.monotonic() + settings.start_seconds)

    @abstractmethod
    def greet(self, deadline: float) -> None:
        """Come to terms after the start."""

    @abstractmethod
    def ask(self, moves: str, stream: int, deadline: float) -> str:
        """Return the name of the column that the engine plays after these moves."""

    def choose(self, moves: str, stream: int) -> int:
        """Return the column, 0-based, that the engine plays after these moves.

        It is one of the board; whether it has room is not known here.
        """
        answer = self.ask(moves, stream, time.monotonic() + self.settings.seconds)
        try:
            (column,) = parse_moves(answer, self.geometry)
        except (GameError, ValueError):
            raise self.process.failure(
                f"played {answer!r} after {moves!r}, which is no column of {self.geometry}"
            ) from None
        return column


class VelenaEngine(Engine):
    """Velena by Bertoletti: a line such as ``c44530`` is answered ``Velena answers in 4``.

    The line is its level, the moves, and a 0. A prompt may stand before the answer.
    """

    farewell = "q\n"
    _answer = re.compile(r"[>\s]*Velena answers in\s+(\w+)\s*")
    _refusal = re.compile(r"[>\s]*\?")

    def greet(self, deadline: float) -> None:
        """Skip the banner."""
        for _ in range(BANNER_LINES):
            self.process.read_line(deadline)
        self._more_banner = MOST_BANNER_LINES - BANNER_LINES

    def ask(self, moves: str, stream: int, deadline: float) -> str:
        """Send level and moves; lines before the very first answer still belong to the banner."""
        del stream
        self.process.send(f"{self.settings.level}{moves}0", unasked=self._more_banner > 0)
        while True:
            line = self.process.read_line(deadline)
            found = self._answer.fullmatch(line)
            if found is not None:
                self._more_banner = 0
                return found[1]
            if self._refusal.match(line) or not self._more_banner:
                raise self.process.failure(f"did not say 'Velena answers in N' after {moves!r}")
            self._more_banner -= 1


class LinesEngine(Engine):
    """Our own protocol: ``position``, ``go``, ``bestmove``."""

    farewell = "quit\n"

    def greet(self, deadline: float) -> None:
        """Tell the board."""
        board = self.geometry
        self.process.send(f"board {board.columns} {board.rows} {board.connect}", "isready")
        self._expect("readyok", f"the board {board}", deadline)

    def ask(self, moves: str, stream: int, deadline: float) -> str:
        """Send the position; ``readyok`` shows that the answer after it belongs to it."""
        go = f"go {stream}" if self.settings.streams else "go"
        self.process.send(f"position {moves}".rstrip(), "isready", go)
        self._expect("readyok", f"position {moves}", deadline)
        return self._expect("bestmove", f"position {moves} and {go}", deadline)

    def _expect(self, word: str, question: str, deadline: float) -> str:
        """Return what follows a word that must come next; lines of ``info`` are passed over."""
        while True:
            line = self.process.read_line(deadline)
            first, _, rest = line.strip().partition(" ")
            if first == word:
                return rest.strip()
            if first != "info":
                raise self.process.failure(f"did not say {word} after {question}")


def start_engine(settings: ExternalSettings, geometry: Geometry) -> Engine:
    """Start the program of some settings, ready to be asked."""
    kind = VelenaEngine if settings.protocol == VELENA else LinesEngine
    return kind(settings, geometry)


def check_board(settings: ExternalSettings, geometry: Geometry) -> None:
    """Raise ``AgentError`` if the protocol cannot speak of a board."""
    if settings.protocol == VELENA and geometry != STANDARD:
        raise AgentError(f"external: Velena plays on {STANDARD} and cannot play on {geometry}")

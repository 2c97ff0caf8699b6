"""A player as an engine: a line of the protocol in, at most one line out (docs/engine.md)."""

from collections.abc import Callable
from typing import Final

from connectlab.agents.registry import make_agent
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.game.notation import column_name
from connectlab.game.streams import make_streams
from connectlab.lab.seats import ask_move

SHOWN_LETTERS = 40
MOST_STREAM = 2**64 - 1


class EngineError(UserError):
    """A line that an engine does not understand, or cannot follow now."""


class EngineTable:
    """Where an engine sits: it knows the board and the position, and answers line by line.

    A line that is wrong changes nothing. Lots are drawn with the stream that ``go`` names; without
    one, the n-th ``go`` takes stream number n of the seed, so the same lines get the same answers.
    """

    def __init__(self, spec: str, geometry: Geometry, *, seed: int = 0) -> None:
        self.agent = make_agent(spec, geometry)
        self.position = Position(geometry)
        self.is_open: bool = True
        """False once ``quit`` was said."""
        self._seed = seed
        self._n_drawn = 0
        self._commands: Final[dict[str, Callable[[list[str]], str | None]]] = {
            "board": self._board,
            "position": self._place,
            "isready": self._is_ready,
            "go": self._go,
            "quit": self._quit,
        }

    def answer(self, line: str) -> str | None:
        """Return the answer to a line, if it asks for one; any mistake is answered ``error …``."""
        name, *words = line.split() or [""]
        if not name:
            return None
        try:
            if name not in self._commands:
                known = ", ".join(self._commands)
                raise EngineError(f"there is no command {_shown(name)}: say {known}")
            return self._commands[name](words)
        except UserError as error:
            return f"error {' '.join(str(error).split())}"

    def _board(self, words: list[str]) -> None:
        numbers = [_whole(word, 64) for word in words]
        if len(numbers) != 3:
            raise EngineError("a board has columns, rows and stones to connect: say board 7 6 4")
        geometry = Geometry(numbers[0], numbers[1], numbers[2])
        if geometry != self.agent.geometry:
            self.agent = make_agent(self.agent.spec, geometry)
        self.position = Position(geometry)

    def _place(self, words: list[str]) -> None:
        self.position = Position.from_moves("".join(words), self.agent.geometry)

    def _is_ready(self, words: list[str]) -> str:
        _expect_none("isready", words)
        return "readyok"

    def _go(self, words: list[str]) -> str:
        if len(words) > 1:
            raise EngineError("go takes one number at most, that of the random stream")
        if self.position.is_over:
            raise EngineError("the game is over")
        stream = _whole(words[0], MOST_STREAM) if words else self._next_stream()
        column = ask_move(self.agent, self.position, stream)
        return f"bestmove {column_name(column, self.agent.geometry)}"

    def _next_stream(self) -> int:
        self._n_drawn += 1
        return int(make_streams(self._seed, 1, self._n_drawn - 1)[0])

    def _quit(self, words: list[str]) -> None:
        _expect_none("quit", words)
        self.is_open = False


def _whole(word: str, most: int) -> int:
    if not (word.isascii() and word.isdigit()) or len(word) > len(str(most)) or int(word) > most:
        raise EngineError(f"{_shown(word)} is no whole number from 0 to {most}")
    return int(word)


def _expect_none(name: str, words: list[str]) -> None:
    if words:
        raise EngineError(f"{name} stands alone, without {_shown(words[0])}")


def _shown(word: str) -> str:
    return repr(word if len(word) <= SHOWN_LETTERS else f"{word[: SHOWN_LETTERS - 1]}…")

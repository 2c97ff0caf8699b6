"""Runs a Kaggle agent: ``python -P host.py FILE FOLDER``.

This file is a program of its own and imports nothing of the package but NumPy, which agents
expect. It reads one JSON object a
line from standard input and answers each with one line of JSON on standard output. The agent can
use neither: its standard input is empty, and what it prints goes to standard error.

The first line is the configuration. Every other line is a question::

    {"game": "17/1", "load": true, "forget": null, "seed": "17/0", "observation": {…}}

``load`` executes the file for this game, from this seed, whether or not it was executed before;
``forget`` names another game that is not asked for again. The answer is one of ::

    {"action": 3, "load_s": 0.1, "act_s": 0.02}
    {"wrong": "'left'", "load_s": 0.1, "act_s": 0.02}
    {"raised": "ZeroDivisionError: division by zero (line 7)", "load_s": 0.1, "act_s": 0.02}

The agent is found and called as kaggle-environments does: the file is executed in an empty
namespace, with its folder at the end of ``sys.path`` meanwhile; the last callable of that namespace
is the agent; it gets the observation and the configuration, or as many of them as it takes.

One process serves many games. Each has the globals of its own execution, its own copy of the
modules that lie beside the file, its own ``sys.path``, and its own lots: ``random`` and
``numpy.random`` are seeded before the file is executed, and go on from move to move. All other
modules are shared.
"""

import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from types import CodeType, ModuleType
from typing import TextIO

import numpy

LONGEST = 160
"""Letters of an answer or an error that are passed on."""
BEYOND = 10**9
"""No board has so many columns; a number this large is not written out."""


class Struct(dict[str, object]):
    """A dictionary whose entries are attributes too, as Kaggle's observations are."""

    def __init__(self, **entries: object) -> None:
        super().__init__(entries)
        self.__dict__.update(entries)

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = value
        self[name] = value


class Chance:
    """Where the usual sources of random numbers stand.

    Agents use NumPy's global generator, so that is the one to take care of.
    """

    def __init__(self) -> None:
        self._random = random.getstate()
        self._numpy = numpy.random.get_state()  # noqa: NPY002

    def restore(self) -> None:
        """Let them go on from there."""
        random.setstate(self._random)
        numpy.random.set_state(self._numpy)  # noqa: NPY002


class Game:
    """What belongs to one game: the agent, its modules, their places, and its lots."""

    def __init__(self, path: list[str], chance: Chance) -> None:
        self.agent: Callable[..., object] | None = None
        self.modules: dict[str, ModuleType] = {}
        self.path = path
        self.chance = chance


class Host:
    """The games of one agent."""

    def __init__(self, file: str, folder: str) -> None:
        self.file = file
        self.folder = folder
        self.home = str(Path(file).parent)
        self.path = list(sys.path)
        self.code: CodeType | None = None
        self.games: dict[str, Game] = {}
        self.current = Game(self.path, Chance())

    def answer(
        self, question: dict[str, object], configuration: dict[str, object]
    ) -> dict[str, object]:
        """Let the agent move; an error is an answer too."""
        name = str(question["game"])
        self.games.pop(str(question["forget"]), None)
        began = loaded = perf_counter()
        answer: dict[str, object]
        try:
            if question["load"]:
                self._load(name, str(question["seed"]))
            loaded = perf_counter()
            self._enter(self.games[name])
            action = self._call(self.games[name], question["observation"], configuration)
            answer = _told(action)
        except BaseException as error:  # whatever an agent raises loses its game
            answer = {"raised": self._explained(error)}
        return {**answer, "load_s": loaded - began, "act_s": perf_counter() - loaded}

    def _load(self, name: str, seed: str) -> None:
        """Execute the file for a game; its last callable is the agent."""
        self.games.pop(name, None)
        self._enter(game := Game(list(self.path), self.current.chance))
        random.seed(seed)
        numpy.random.seed(random.Random(seed).randrange(2**32))  # noqa: NPY002
        os.chdir(self.folder)
        if self.code is None:
            self.code = compile(Path(self.file).read_text(encoding="utf-8"), self.file, "exec")
        names: dict[str, object] = {}
        sys.path.append(self.home)
        exec(self.code, names)
        sys.path.pop()
        found = [value for value in names.values() if callable(value)]
        if not found:
            raise LookupError("the file defines no function")
        game.agent = found[-1]
        self.games[name] = game

    def _call(self, game: Game, observation: object, configuration: dict[str, object]) -> object:
        assert game.agent is not None, "a game that is loaded has one"
        arguments = [_structured(observation), _structured(configuration)]
        code = getattr(game.agent, "__code__", None)
        count = getattr(code, "co_argcount", len(arguments))
        return game.agent(*arguments[:count])

    def _enter(self, game: Game) -> None:
        """Give a game what is its own, after putting away what is the last one's."""
        if game is self.current:
            return
        own = {name: module for name, module in sys.modules.items() if self._is_own(module)}
        for name in own:
            del sys.modules[name]
        last, self.current = self.current, game
        last.modules, last.path, last.chance = own, list(sys.path), Chance()
        sys.modules.update(game.modules)
        sys.path[:] = game.path
        game.chance.restore()

    def _is_own(self, module: ModuleType) -> bool:
        """Whether a module lies beside the file, and not in a library that happens to lie there."""
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not file.endswith(".py"):
            return False
        libraries = (place for place in self.path if place.startswith(self.home + os.sep))
        return _is_under(file, self.home) and not any(_is_under(file, place) for place in libraries)

    def _explained(self, error: BaseException) -> str:
        """Say in one line what was raised, and where in the file."""
        line, frame = 0, error.__traceback__
        while frame is not None:
            if frame.tb_frame.f_code.co_filename == self.file:
                line = frame.tb_lineno
            frame = frame.tb_next
        words = " ".join(f"{type(error).__name__}: {_shown(error, str)}".split())[:LONGEST]
        return f"{words} (line {line})" if line else words


def _is_under(file: str, folder: str) -> bool:
    return file.startswith(folder + os.sep)


def _structured(value: object) -> object:
    if isinstance(value, dict):
        return Struct(**{name: _structured(entry) for name, entry in value.items()})
    return [_structured(entry) for entry in value] if isinstance(value, list) else value


def _told(action: object) -> dict[str, object]:
    """Turn what the agent returned into an answer; None stands for column 0, as on Kaggle."""
    if action is None:
        return {"action": 0}
    if isinstance(action, int) and not isinstance(action, bool) and abs(action) < BEYOND:
        return {"action": int(action)}
    return {"wrong": _shown(action, repr)}


def _shown(value: object, how: Callable[[object], str]) -> str:
    try:
        text = " ".join(how(value).split())
    except Exception:  # the value may be of any class, with any bug
        text = f"something of type {type(value).__name__}"
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _keep_the_pipes() -> tuple[TextIO, TextIO]:
    """Take standard input and output away from the agent; return them."""
    questions, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return (
        os.fdopen(questions, encoding="utf-8"),
        os.fdopen(answers, "w", encoding="utf-8", buffering=1),
    )


def main() -> None:
    """Answer question after question until the input ends."""
    questions, answers = _keep_the_pipes()
    host = Host(sys.argv[1], sys.argv[2])
    configuration = json.loads(questions.readline())
    configuration["__raw_path__"] = host.file
    answers.write("ready\n")
    for line in questions:
        answers.write(json.dumps(host.answer(json.loads(line), configuration)) + "\n")


if __name__ == "__main__":
    main()

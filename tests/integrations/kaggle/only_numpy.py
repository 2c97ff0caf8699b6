"""A stand-in for Kaggle's way to run a submission, in a process where only NumPy can be imported.

Reads a JSON document from standard input: the ``path`` of a main.py and ``questions``, each an
observation and a configuration. Prints a list with the answer to each. Run it with ``python -I``.
"""

import json
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any


class OnlyNumpy(MetaPathFinder):
    """Finds nothing, and fails loudly where something else than Python and NumPy is asked for."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        del path, target
        package = fullname.partition(".")[0]
        if package != "numpy" and package not in sys.stdlib_module_names:
            raise ImportError(f"a submission must not import {fullname}")


class Struct(dict[str, Any]):
    """What Kaggle hands to an agent: entries are attributes too."""

    def __init__(self, entries: dict[str, Any]) -> None:
        super().__init__(entries)
        self.__dict__ = self


def last_callable(path: Path) -> Callable[..., object]:
    """Return the agent of a file as kaggle-environments finds it.

    The file is run without a name or a place of its own, its folder stands at the end of the path
    only meanwhile, and the last thing that can be called is the agent.
    """
    program = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    scope: dict[str, Any] = {}
    sys.path.append(str(path.parent))
    exec(program, scope)
    sys.path.pop()
    return [found for found in scope.values() if callable(found)][-1]  # type: ignore[no-any-return]


def main() -> None:
    sys.meta_path.insert(0, OnlyNumpy())
    asked = json.load(sys.stdin)
    agent = last_callable(Path(asked["path"]))
    answers = [agent(Struct(seen), Struct(rules)) for seen, rules in asked["questions"]]
    wrong = [answer for answer in answers if type(answer) is not int]
    if wrong:
        raise TypeError(f"an answer is a whole number of Python's own, not {wrong[0]!r}")
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()

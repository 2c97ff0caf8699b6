"""Running commands in this process, with what they print."""

import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from connectlab.cli.app import run


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output; anything beside it is an error."""
        return json.loads(self.out)


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return a function that runs one command line and hands back what it printed."""

    def call(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call

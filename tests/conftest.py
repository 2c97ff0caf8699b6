"""Settings of the whole test suite; the folder itself is importable, so tests share ``naive``."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

NEEDS_KAGGLE = Path(__file__).parent / "kaggle"
"""Tests against the real kaggle-environments, which has an environment of its own."""

# A compiled function is slow on its first call, so no deadline; the same examples on every run, so
# that a failure can be repeated anywhere.
settings.register_profile("connectlab", deadline=None, derandomize=True, database=None)
settings.load_profile("connectlab")


def pytest_configure() -> None:
    """Let tests hear Ctrl-C and a closed terminal where this process ignores them.

    A background shell ignores the one and nohup the other. What is ignored stays so in every
    process that a test starts; what is handled does not.
    """
    heard = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: lambda *_: None}
    for number, handler in heard.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kaggle", action="store_true", help="collect tests/kaggle: make test-kaggle")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave tests/kaggle to ``make test-kaggle``; all else is decided as usual."""
    left_out = collection_path.is_relative_to(NEEDS_KAGGLE) and not config.getoption("--kaggle")
    return True if left_out else None

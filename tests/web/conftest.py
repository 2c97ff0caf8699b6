"""A server that all tests of the page share, and others for tests with wishes of their own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from asking import Api
from serving import Lab, serving

Serve = Callable[..., Lab]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Return a server with empty folders; it ends with the tests and must leave no process."""
    with serving(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture
def api(lab: Lab) -> Api:
    """Return the API of the shared server."""
    return Api(lab)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts a server with options of the command line, for one test."""
    with ExitStack() as stack:

        def start(*options: str, port: int = 0) -> Lab:
            return stack.enter_context(serving(tmp_path, *options, port=port))

        yield start

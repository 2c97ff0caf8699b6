"""What is said when there is no Ray, or no cluster where one should be: one line, at once."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import SimpleNamespace

import pytest

from connectlab.lab.executors import ray
from connectlab.lab.executors.base import ExecutorError, ignore
from connectlab.lab.executors.choice import make_executor
from connectlab.lab.executors.ray_connection import FRAME_HEADER, HELLO, connected
from connectlab.lab.executors.ray_worker import check_identity, identity
from connectlab.training.signals import stop_on_signals

NEVER = threading.Event()


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the address of a server that answers everybody with the same bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            caller, _ = listening.accept()
            with caller:
                caller.recv(len(HELLO))
                caller.sendall(request.param)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        thread.join(10)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> ModuleSpec | None:
        assert name == "ray"
        return None

    monkeypatch.setattr(ray, "find_spec", find)
    with pytest.raises(ExecutorError, match=r"^Ray is not installed: pip install '.*\[cluster\]'$"):
        make_executor("ray")


def test_a_port_where_nobody_listens_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
    with (
        pytest.raises(ExecutorError, match=f"^there is no Ray cluster at {address}: connection"),
        connected(address, None),
    ):
        pass


@pytest.mark.parametrize(
    "server", [b"HTTP/1.0 400 Bad Request\r\n\r\n", b"", b"\0\0\0\1\0\0\0\0\0"], indirect=True
)
def test_a_server_of_something_else_is_not_taken_for_ray(server: str) -> None:
    with (
        pytest.raises(ExecutorError, match=f"^what answers at {server} is no Ray cluster$"),
        connected(server, None),
    ):
        pass


@pytest.mark.parametrize(
    "address", ["localhost", "6379", ":6379", "host:port", "ray://a:10001", ""]
)
def test_an_address_is_a_host_and_a_port(address: str) -> None:
    with pytest.raises(ExecutorError, match="write HOST:PORT"):
        make_executor("ray", address=address)


@pytest.mark.parametrize("port", ["0", "65536", "99999", "9" * 5000])
def test_a_port_is_one_that_there_is(port: str) -> None:
    with pytest.raises(ExecutorError, match=r"a port is a number from 1 to 65535$"):
        make_executor("ray", address=f"127.0.0.1:{port}")


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_what_ray_starts_outlives_the_terminal_and_timeout(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    hang_up = f"import os, signal; os.kill(os.getpid(), signal.{name}); print('lives')"
    lived: list[str] = []

    def start(*_: object, **__: object) -> None:
        command = [sys.executable, "-c", hang_up]
        daemon = subprocess.run(command, capture_output=True, text=True, check=False)
        lived.append(daemon.stdout)

    monkeypatch.setattr("ray.init", start)
    monkeypatch.setattr("ray.shutdown", lambda: None)
    monkeypatch.setattr("ray.get_runtime_context", lambda: SimpleNamespace(gcs_address="here:1"))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with connected(None, 1):
        assert lived == ["lives\n"]
        assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_what_ends_the_command_while_ray_starts_is_noticed_afterwards(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr("ray.init", lambda *_, **__: os.kill(os.getpid(), number))
    monkeypatch.setattr("ray.shutdown", lambda: None)
    monkeypatch.setattr("ray.get_runtime_context", lambda: SimpleNamespace(gcs_address="here:1"))
    with stop_on_signals() as stop, connected(None, 1):
        end = time.monotonic() + 10
        while not stop.is_set() and time.monotonic() < end:
            time.sleep(0.01)  # another thread may have got it, and wakes nobody
        assert stop.is_set()


def test_nothing_to_do_needs_no_cluster() -> None:
    assert make_executor("ray", address="nowhere:6379").run([], NEVER, ignore) == []


def test_the_preface_is_that_of_http_2() -> None:
    assert HELLO.startswith(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    assert len(HELLO) == 24 + FRAME_HEADER


@pytest.mark.parametrize("what", ["Python", "connectlab", "numpy", "numba"])
def test_a_machine_that_differs_in_anything_is_refused(what: str) -> None:
    check_identity(identity(), identity(), "a")
    theirs = {**identity(), what: "0.0"}
    with pytest.raises(ExecutorError, match=f"^node a has {what} 0.0, this machine {what} "):
        check_identity(theirs, identity(), "a")

"""A quiet connection to a Ray cluster, and a look at its nodes.

Ray has no way to ask whether there is a cluster at an address without minutes of waiting and lines
of its own about it, so the address is tried before Ray is told of it.
"""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

from connectlab.lab.executors.base import ExecutorError
from connectlab.lab.executors.ray_head import ANSWER_SECONDS, Head, split_address
from connectlab.lab.executors.ray_worker import check_identity, identity, tell_identity
from connectlab.training.signals import stop_signals

CHECK_SECONDS = 120.0
"""How long a node may take to say what is installed there: it has to start a process."""
STORE_BYTES = 200 * 2**20
"""Shared memory of a cluster that is started for one command."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
"""What keeps Ray from talking to people, and to anybody else."""
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""The preface of HTTP/2 and an empty frame of settings (RFC 9113, 3.4)."""
FRAME_HEADER, SETTINGS = 9, 4
"""Bytes before each frame, the fourth of which is its type; and the type that comes first."""


@contextmanager
def connected(address: str | None, workers: int | None) -> Iterator[Head]:
    """Hold a connection to the cluster at an address, or to one that lives as long as this does.

    What is yielded is the head of that cluster.
    """
    if address is not None:
        _knock(address)
    import ray

    _silence()
    with ExitStack() as stack:
        if address is None:
            folder = TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True)
            _start(workers or os.cpu_count() or 1, stack.enter_context(folder))
        else:
            _join(address)
        stack.callback(ray.shutdown)
        yield Head(address or ray.get_runtime_context().gcs_address)


def _silence() -> None:
    """Keep Ray from writing to the streams of this process: its errors come as exceptions."""
    from ray._private import worker

    os.environ.update({**QUIET, **os.environ})
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    # What the nodes report, such as a worker that died, goes to standard output otherwise.
    worker.print_to_stdstream = _say_nothing


def _say_nothing(*_: object, **__: object) -> None:
    """Print nothing."""


def _start(workers: int, folder: str) -> None:
    import ray

    with _in_one_line("here"), _deaf_to_what_ends_the_command(), _own_signals():
        ray.init(
            "local",
            num_cpus=workers,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
            object_store_memory=STORE_BYTES,
            _temp_dir=folder,
        )


def _join(address: str) -> None:
    import ray

    with _in_one_line(f"at {address}"), _own_signals():
        ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL)


@contextmanager
def _in_one_line(where: str) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        raise ExecutorError(f"Ray cannot be used {where}: {last_line(error)}") from None


@contextmanager
def _own_signals() -> Iterator[None]:
    """Put back who hears the signals of this process: Ray would take them over."""
    heard = {number: signal.getsignal(number) for number in stop_signals()}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in heard.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def _deaf_to_what_ends_the_command() -> Iterator[None]:
    """Let processes started meanwhile outlive a closed terminal, and ``timeout``.

    Both signal all that the command has started, and without a cluster nothing could be saved. What
    comes meanwhile is heard afterwards, as it would not be if the signals were ignored.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP, signal.SIGTERM])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _knock(address: str) -> None:
    """Refuse an address where nothing answers, or not in the language of Ray (gRPC on HTTP/2)."""
    try:
        with socket.create_connection(split_address(address), ANSWER_SECONDS) as connection:
            connection.sendall(HELLO)
            answer = connection.recv(FRAME_HEADER)
    except OSError as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ExecutorError(f"there is no Ray cluster at {address}: {reason}") from None
    if len(answer) < FRAME_HEADER or answer[3] != SETTINGS:
        raise ExecutorError(f"what answers at {address} is no Ray cluster")


def check_nodes(threads: int) -> None:
    """Refuse a cluster where a node has other versions, or none has as many cores."""
    import ray
    from ray.exceptions import GetTimeoutError, RayError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    alive = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    most = max((node["Resources"].get("CPU", 0) for node in alive), default=0)
    if threads > most:
        raise ExecutorError(f"{threads} threads are more than any node has cores ({most:g})")
    ask = ray.remote(tell_identity)
    asked = [
        ask.options(
            num_cpus=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
        ).remote()
        for node in alive
    ]
    for node, answer in zip(alive, asked, strict=True):
        name = str(node["NodeManagerAddress"])
        try:
            check_identity(ray.get(answer, timeout=CHECK_SECONDS), identity(), name)
        except RayError as error:
            if _is_alive(node["NodeID"]):  # who died meanwhile need not answer
                reason = "no answer" if isinstance(error, GetTimeoutError) else last_line(error)
                raise ExecutorError(f"node {name} cannot work here: {reason}") from None


def _is_alive(node: str) -> bool:
    import ray

    return any(each["NodeID"] == node and each["Alive"] for each in ray.nodes())  # type: ignore[no-untyped-call]


def cores() -> int:
    """Return how many cores the cluster has now."""
    import ray

    resources = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 0)))


def last_line(error: Exception) -> str:
    """Return what went wrong, without the way there."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__

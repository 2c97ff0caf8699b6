"""What a visitor sees while the server gets ready: a word instead of silence.

The port listens from the start, so that nobody else takes it. As long as kernels are compiled,
whoever comes is told so and asked to come again, by a page that reloads by itself.
"""

import json
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

PATIENCE_S = 4.0
"""How long silence is no bother: most servers are ready sooner, and then answer themselves."""
RETRY_S = 5
LOOK_S = 0.1
HEAD_S = 1.0
"""How long a visitor may take to say what is wanted; others wait meanwhile."""
MOST_BYTES = 8_192
WORDS = "The server is warming up, which takes a minute or two, once"
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="{RETRY_S}">
<title>Warming up – connectlab</title>
<h1>connectlab</h1>
<p role="status">{WORDS}. This page reloads by itself.</p>
</html>
"""
REFUSAL = json.dumps({"detail": f"{WORDS}: try again"})


class WaitingRoom:
    """Answers in place of the server, from when it takes long until it is ready."""

    def __init__(self, door: socket.socket, began: Callable[[], None]) -> None:
        self._door = door
        self._began = began
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _keep(self) -> None:
        if self._done.wait(PATIENCE_S):
            return
        self._began()
        while not self._done.is_set():
            with suppress(OSError):  # who came is gone
                if select.select([self._door], [], [], LOOK_S)[0]:
                    visitor, _ = self._door.accept()
                    with visitor:
                        _answer(visitor)


def _answer(visitor: socket.socket) -> None:
    """Tell one visitor to come again."""
    visitor.settimeout(HEAD_S)
    head = b""
    while b"\r\n\r\n" not in head and len(head) < MOST_BYTES:
        part = visitor.recv(MOST_BYTES)
        if not part:
            return
        head += part
    visitor.sendall(response(head))


def response(head: bytes) -> bytes:
    """Return the answer to a request: JSON to programs, else a page."""
    method, _, rest = head.partition(b" ")
    is_api = rest.startswith(b"/api/")
    body = (REFUSAL if is_api else PAGE).encode()
    kind = "application/json" if is_api else "text/html; charset=utf-8"
    lines = (
        "HTTP/1.1 503 Service Unavailable",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        f"Retry-After: {RETRY_S}",
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    )
    told = "\r\n".join((*lines, "", "")).encode()
    return told if method == b"HEAD" else told + body

"""The watch over pages notices what it should."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser
from watched import find_browser, watched

PAGES = {
    "/good": "<title>good</title><script>console.log('fine')</script>",
    "/error": "<title>error</title><script>console.error('broken')</script>",
    "/thrown": "<title>thrown</title><script>throw new Error('broken')</script>",
    "/leaves": "<title>leaves</title><img alt='' src='http://127.0.0.1:9/picture.png'>",
    "/missing": "<title>missing</title><img alt='' src='/gone.png'>",
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        text = PAGES.get(self.path)
        self.send_response(200 if text else 204 if self.path == "/favicon.ico" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write((text or "").encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def pages() -> Iterator[str]:
    # Browsers open connections that they do not use, so every connection has a thread; nobody waits
    # for those at the end.
    ThreadingHTTPServer.daemon_threads = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=partial(server.serve_forever, 0.01))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_good_page_passes(browser: Browser) -> None:
    with pages() as origin, watched(browser, origin) as page:
        page.goto("/good")


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("/error", "console: broken"),
        ("/thrown", "uncaught: broken"),
        ("/leaves", "request that leaves the server"),
        ("/missing", "status of 404"),
    ],
)
def test_what_goes_wrong_in_a_page_fails_its_test(
    browser: Browser, address: str, complaint: str
) -> None:
    with pages() as origin:
        with pytest.raises(AssertionError, match=complaint), watched(browser, origin) as page:
            page.goto(address, wait_until="networkidle")
        with watched(browser, origin, expected=".") as page:
            page.goto(address)


@pytest.mark.parametrize(
    ("required", "outcome"), [(True, pytest.fail.Exception), (False, pytest.skip.Exception)]
)
def test_a_missing_browser_is_never_passed_over_in_silence(
    tmp_path: Path, required: bool, outcome: type[BaseException]
) -> None:
    with pytest.raises(outcome, match="make browser installs it"):
        find_browser(tmp_path / "chromium", required=required)

"""Windows of a browser that are watched: errors and requests to elsewhere are complaints."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from patience import PATIENCE_MS
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request

LOCAL = {"data", "blob", "about"}
"""Addresses that are inside the page."""


def find_browser(path: Path, *, required: bool) -> Path:
    """Return the path of a browser; without one, fail where it is required and skip elsewhere."""
    if path.exists():
        return path
    missing = f"no browser at {path}: make browser installs it, CHROMIUM names another"
    if required:
        pytest.fail(missing)
    pytest.skip(missing)


@dataclass
class Watch:
    """What went wrong in a page, apart from what a test expects to go wrong."""

    origin: str
    expected: str = r"(?!)"
    """Pattern of complaints that do not count; at first none."""
    complaints: list[str] = field(default_factory=list)

    def note(self, complaint: str) -> None:
        if not re.search(self.expected, complaint):
            self.complaints.append(complaint)

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.note(f"console: {message.text} ({message.location.get('url')})")

    def on_page_error(self, error: Error) -> None:
        self.note(f"uncaught: {error}")

    def on_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in LOCAL and f"{parts.scheme}://{parts.netloc}" != self.origin:
            self.note(f"request that leaves the server: {request.url}")


@contextmanager
def watched(
    browser: Browser, origin: str, expected: str = r"(?!)", **options: object
) -> Iterator[Page]:
    """Open a window of its own; after its use nothing may have gone wrong in it."""
    watch = Watch(origin, expected)
    context = browser.new_context(base_url=origin, **options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.on("console", watch.on_console)
    page.on("pageerror", watch.on_page_error)
    context.on("request", watch.on_request)
    try:
        yield page
    finally:
        context.close()
    if watch.complaints:
        raise AssertionError("\n".join(watch.complaints))

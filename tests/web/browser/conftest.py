"""Pages of the lab in Debian's Chromium, watched: what goes wrong in one fails its test."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright
from serving import Lab
from watched import find_browser, watched

CHROMIUM = Path(os.environ.get("CHROMIUM") or "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

expect.set_options(timeout=PATIENCE_MS)

Open = Callable[..., Page]
Routes = Mapping[str, Callable[[Route], object]]


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return where the browser is; developers may do without, make test as root and CI may not."""
    return find_browser(CHROMIUM, required=os.geteuid() == 0 or bool(os.environ.get("CI")))


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    """Return a browser; it keeps a loop running in this thread, which other tests cannot have."""
    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute("data-test")
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser, lab: Lab) -> Iterator[Open]:
    """Return a function that opens an address of the lab in a window with wishes of its own.

    ``routes`` answer requests in place of the server, by pattern; they are laid before the page
    opens, since one that is laid later may miss the first request after it. Options are those of
    Playwright's contexts: ``viewport``, ``color_scheme``, ``has_touch``, ….
    """
    with ExitStack() as stack:

        def open_one(
            address: str = "/", *, origin: str = "", routes: Routes | None = None, **options: object
        ) -> Page:
            page = stack.enter_context(watched(browser, origin or lab.url, **options))
            for pattern, answer in (routes or {}).items():
                page.route(pattern, answer)
            page.goto(address)
            return page

        yield open_one


@pytest.fixture
def page(open_page: Open) -> Page:
    """Return the front page as most people see it."""
    return open_page()

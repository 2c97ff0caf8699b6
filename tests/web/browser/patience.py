"""Waiting for a page, which draws in frames of its own and tells the address later still."""

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

PATIENCE_MS = 20_000
LOOK_EVERY_MS = 50


def soon(page: Page, read: Callable[[], object], wanted: object) -> None:
    """Wait until what is read from a page is what is wanted, and say what it was in the end."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while (found := read()) != wanted and time.monotonic() < end:
        page.wait_for_timeout(LOOK_EVERY_MS)
    assert found == wanted


def expect_in_address(page: Page, *terms: str) -> None:
    """Wait until the address has these terms in it."""
    for term in terms:
        expect(page).to_have_url(re.compile(re.escape(term)))

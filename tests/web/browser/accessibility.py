"""What axe-core has to say about a page."""

from axe_playwright_python.sync_playwright import Axe
from patience import soon
from playwright.sync_api import Page

GRAVE = {"serious", "critical"}


def violations(page: Page) -> list[str]:
    """Return the serious and critical violations in what a page shows now, one line each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']} {node['html'][:120]} "
        f"{'; '.join(item['message'] for item in node['any'][:1])}"
        for violation in found
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
    ]


def expect_usable_by_everyone(page: Page, settling_ms: int = 400) -> None:
    """Wait until colours have changed and panels opened, and then until nothing grave is found."""
    page.wait_for_timeout(settling_ms)
    soon(page, lambda: violations(page), [])

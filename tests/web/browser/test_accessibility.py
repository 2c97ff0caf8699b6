"""Everyone can use the page: axe-core finds nothing serious in any panel, theme or size."""

import re
from collections.abc import Callable

import pytest
from accessibility import expect_usable_by_everyone, violations
from hands import address
from playwright.sync_api import Browser, Page, expect
from watched import watched

BAD = """<!doctype html><html><title>bad</title><main><button></button><img src="data:,">
<p style="color: #aaa; background: white">Hard to read</p></main></html>"""


def test_a_bad_page_is_found_out(browser: Browser) -> None:
    with watched(browser, "about:blank") as page:
        page.set_content(BAD)
        found = " ".join(violations(page))
    assert "button-name (critical)" in found
    assert "image-alt (critical)" in found
    assert "color-contrast (serious)" in found
    assert "html-has-lang (serious)" in found


def test_a_good_page_passes(browser: Browser) -> None:
    with watched(browser, "about:blank") as page:
        page.set_content('<!doctype html><html lang="en"><title>good</title><main><h1>Good</h1>')
        assert violations(page) == []


LOOKS = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
}
OPENERS = {"tab-training": ["new-run"], "tab-tournament": ["new-tournament"]}
"""What has more to show once it is opened."""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("look", LOOKS)
def test_every_panel_can_be_used_by_everyone(
    open_page: Callable[..., Page], look: str, scheme: str
) -> None:
    page = open_page(
        address("44553", second="ntuple:champion"),
        color_scheme=scheme,
        reduced_motion="reduce",
        **LOOKS[look],
    )
    page.get_by_test_id("play-on").click()
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")
    page.keyboard.press("a")
    expect(page.get_by_test_id("bar-1-1")).to_have_attribute("data-height", re.compile("."))
    expect_usable_by_everyone(page)
    for tab in page.locator("[role=tab][data-test^=tab-]").all():
        tab.click()
        for opener in OPENERS.get(str(tab.get_attribute("data-test")), []):
            page.get_by_test_id(opener).click()
        expect_usable_by_everyone(page)
        if look == "phone":
            tab.click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dialogs_can_be_used_by_everyone(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page(address(second="random"), color_scheme=scheme, reduced_motion="reduce")
    for opener in ("help", "board", "seat-second", "paste"):
        page.get_by_test_id(opener).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        expect_usable_by_everyone(page)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.get_by_test_id(opener)).to_be_focused()

"""The page on small screens, in the dark, and for those who want no motion."""

import re
from collections.abc import Callable

import pytest
from hands import address, column, expect_moves
from patience import soon
from playwright.sync_api import Browser, Page, expect
from sizes import expect_to_fit, overflowing, small_targets
from watched import watched

Open = Callable[..., Page]

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SCREENS = [(360, 640), (768, 1024), (1440, 900), (2560, 1440)]


def panels(page: Page) -> list[str]:
    """Return the names of all panels."""
    tabs = page.locator("[role=tab][data-test^=tab-]")
    return [str(tab.get_attribute("data-test")) for tab in tabs.all()]


def test_everything_fits_a_phone_and_a_finger(open_page: Open) -> None:
    page = open_page(address("4455", second="random"), **PHONE)
    expect_to_fit(page)
    assert "tab-moves" in panels(page)
    for name in panels(page):
        page.get_by_test_id(name).tap()
        page.wait_for_timeout(150)
        expect_to_fit(page, but="board-column")  # the board is only looked at
        page.get_by_test_id(name).tap()


def test_a_finger_can_play(open_page: Open) -> None:
    page = open_page(address(second="random"), **PHONE)
    column(page, 4).tap()
    expect(page.locator("#board [data-cell]")).to_have_count(2)


def test_what_does_not_fit_is_noticed(browser: Browser) -> None:
    wide = '<p style="width: 500px">wide</p><div style="overflow: auto"><p style="width: 900px">ok'
    with watched(browser, "about:blank", **PHONE) as page:
        page.set_content(f'<meta name=viewport content="width=device-width">{wide}')
        assert len(overflowing(page)) == 2, "the page itself, and the paragraph"
        page.set_content("<button style='width: 39px; height: 80px'>x</button><input type=text>")
        assert len(small_targets(page)) == 2
        page.set_content("<button style='width: 40px; height: 40px'>x</button>")
        assert small_targets(page) == []


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_nothing_moves_for_those_who_want_no_motion(
    open_page: Open, motion: str, moves: bool
) -> None:
    page = open_page(address(), reduced_motion=motion)
    page.evaluate(
        """() => { window.most = 0; const look = () => {
             const times = document.getAnimations().map(a => a.effect.getComputedTiming().endTime);
             window.most = Math.max(window.most, ...times);
             requestAnimationFrame(look); }; look(); }"""
    )
    column(page, 4).click()
    expect_moves(page, "4")
    page.wait_for_timeout(300)
    longest_ms = page.evaluate("window.most")
    assert (longest_ms > 1) == moves
    assert longest_ms <= 300


def covers(page: Page, upper: str, lower: str) -> float:
    """Return how many pixels of what stands above lie below the top of what stands under it."""
    boxes = [page.locator(each).bounding_box() for each in (upper, lower)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    return boxes[0]["y"] + boxes[0]["height"] - boxes[1]["y"]


@pytest.mark.parametrize(("width", "height"), [(390, 780), (390, 844), (412, 915)])
def test_the_tabs_of_a_phone_leave_the_actions_free_while_it_analyses(
    open_page: Open, width: int, height: int
) -> None:
    page = open_page(
        address("44553", second="ntuple:champion", analyse="1"),
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    expect(page.get_by_test_id("bar-1-1")).to_have_attribute("data-height", re.compile("."))
    expect(page.get_by_test_id("said-advice")).to_be_visible()
    soon(page, lambda: covers(page, "section.actions", ".tabs") <= 0, True)


@pytest.mark.parametrize("width", [1100, 1200, 1300, 1440])
def test_all_tabs_stand_in_one_line(open_page: Open, width: int) -> None:
    page = open_page(address(second="random"), viewport={"width": width, "height": 800})
    expect(page.get_by_test_id("tab-moves")).to_be_visible()
    tops = "tabs => tabs.map(tab => Math.round(tab.getBoundingClientRect().top))"
    soon(page, lambda: len(set(page.locator("[role=tab]").evaluate_all(tops))), 1)
    soon(page, lambda: overflowing(page), [])

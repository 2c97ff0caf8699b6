"""The board has its room: beside verdicts, on odd boards, on low and on turned screens."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hands import address, column
from patience import soon
from playwright.sync_api import Browser, Page, Route, expect
from sizes import expect_to_fit, longer_than_seen, overlapping
from watched import watched

Open = Callable[..., Page]

CHAMPION, ANOTHER = "ntuple:champion", "mlp:best"
BLUNDER = "7717735374675"
"""Both players throw the win away, and there is much to say."""
DESKS = {(1280, 720): 420, (1366, 768): 460, (1440, 900): 580}
"""Screens, and how wide a board has to be there while it is analysed."""
FIGURES = ".board-under .verdict, .board-under .bar-value"


def screen(width: int, height: int) -> dict[str, object]:
    """Return a screen of so many pixels, with fingers for a mouse where it is small."""
    touch = min(width, height) < 700
    size = {"width": width, "height": height}
    return {"viewport": size, "has_touch": touch, "is_mobile": touch, "reduced_motion": "reduce"}


def analysed(page: Page, players: int = 1) -> None:
    """Wait until verdicts and values stand under the columns."""
    for number in range(players):
        bars = page.locator(f".board-under .bar-{number + 1}[data-height]")
        expect(bars.first).to_be_visible()
    expect(page.get_by_test_id("said-advice")).to_be_visible()


def board_box(page: Page) -> tuple[int, ...]:
    """Return where the board is and how large, in pixels."""
    box = page.locator(".board-face").bounding_box()
    assert box is not None
    return tuple(round(box[side]) for side in ("x", "y", "width", "height"))


def covered(page: Page, *others: str) -> list[str]:
    """Return the figures that overlap, and which parts of the page lie on others."""
    return overlapping(page, FIGURES) + overlapping(page, ", ".join((".board-face", *others)))


def test_what_overlaps_or_lengthens_a_page_is_noticed(browser: Browser) -> None:
    with watched(browser, "about:blank", viewport={"width": 400, "height": 300}) as page:
        page.set_content("<p style='margin: 0 0 -9px'>one</p><p style='margin: 0'>two</p>")
        assert overlapping(page, "p") == ["one | two"]
        assert longer_than_seen(page) == 0
        page.set_content(
            "<!doctype html><p style='position: absolute; top: 799px; height: 1px'>far"
        )
        assert longer_than_seen(page) >= 500


@pytest.mark.parametrize("size", [(1440, 900), (360, 640)])
def test_no_panel_makes_the_page_longer_than_what_is_seen(
    open_page: Open, size: tuple[int, int]
) -> None:
    page = open_page(address("4453", second=CHAMPION), **screen(*size))
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")
    soon(page, lambda: longer_than_seen(page), 0)
    for tab in page.locator("[role=tab][data-test^=tab-]").all():
        tab.click()
        page.wait_for_timeout(300)
        soon(page, lambda: longer_than_seen(page), 0)
        if size[0] < 700:
            tab.click()
    page.get_by_test_id("tab-inside").click()
    expect(page.get_by_test_id("group").first).to_be_visible()
    soon(page, lambda: longer_than_seen(page), 0)
    page.get_by_test_id("inside-another").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    soon(page, lambda: longer_than_seen(page), 0)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("size", DESKS)
def test_the_board_stays_large_while_it_is_analysed(
    open_page: Open, size: tuple[int, int], players: int
) -> None:
    see = "".join(f"&see={spec}" for spec in (CHAMPION, ANOTHER)[:players])
    page = open_page(address(BLUNDER, analyse="1") + see, **screen(*size))
    analysed(page, players)
    soon(page, lambda: board_box(page)[2] >= DESKS[size], True)
    soon(page, lambda: covered(page, ".opinions", ".status", ".timeline", ".board-under"), [])
    soon(page, lambda: longer_than_seen(page), 0)


@pytest.mark.parametrize("players", [1, 2])
def test_nothing_lies_on_anything_on_a_phone_on_its_side(open_page: Open, players: int) -> None:
    see = "".join(f"&see={spec}" for spec in (CHAMPION, ANOTHER)[:players])
    page = open_page(address(BLUNDER, analyse="1") + see, **screen(844, 390))
    analysed(page, players)
    parts = (".bar", ".stage-head", ".board-under", ".opinions", ".actions", ".side")
    soon(page, lambda: covered(page, *parts), [])
    soon(page, lambda: board_box(page)[2] >= 180, True)


@pytest.mark.parametrize("board", ["1x63x4", "9x6x4", "12x4x4"])
def test_odd_boards_fit_a_phone_with_their_figures(open_page: Open, board: str) -> None:
    page = open_page(address(board=board, analyse="1") + "&see=minimax", **screen(360, 640))
    expect(page.locator(".board-under .bar-1[data-height]").first).to_be_visible()
    soon(page, lambda: covered(page, ".bar", ".seats", ".status", ".board-under"), [])
    soon(page, lambda: longer_than_seen(page) < 640, True)


@pytest.mark.parametrize("narrow", [(820, 1180), (360, 640)])
def test_no_sheet_opens_by_itself_when_the_window_gets_narrow(
    open_page: Open, narrow: tuple[int, int]
) -> None:
    page = open_page(address("4453"), viewport={"width": 1180, "height": 820})
    moves = page.get_by_test_id("panel-moves")
    expect(moves).to_be_visible()
    page.set_viewport_size({"width": narrow[0], "height": narrow[1]})
    expect(moves).to_be_hidden()
    expect(page.get_by_test_id("undo")).to_be_visible()
    page.set_viewport_size({"width": 1180, "height": 820})
    expect(moves).to_be_visible()
    page.get_by_test_id("tab-games").click()
    page.set_viewport_size({"width": narrow[0], "height": narrow[1]})
    expect(page.get_by_test_id("panel-games")).to_be_visible()


@contextmanager
def thinking(open_page: Open, size: tuple[int, int]) -> Iterator[Page]:
    """Open a page whose player does not answer."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    player = "mcts:iterations=4000"
    page = open_page(address(second=player), routes={"**/api/move": hold}, **screen(*size))
    yield page
    for route in held:
        route.abort()


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_the_board_stays_where_it_is_however_long_a_player_thinks(
    open_page: Open, size: tuple[int, int]
) -> None:
    with thinking(open_page, size) as page:
        status = page.get_by_test_id("status")
        expect(status).to_contain_text("Your turn")
        before = board_box(page)
        column(page, 4).click()
        expect(page.get_by_test_id("cancel")).to_be_visible()
        assert board_box(page) == before
        expect(status).to_contain_text("in its mind")
        page.wait_for_timeout(200)
        assert board_box(page) == before
        page.get_by_test_id("cancel").click()
        expect(status).to_contain_text("You stopped")
        soon(page, lambda: board_box(page), before)


WITHOUT = """(selector) => {
  const bar = document.querySelector(selector);
  const box = () => JSON.stringify(document.querySelector('.board-face').getBoundingClientRect());
  const shown = box();
  bar.style.display = 'none';
  return new Promise((done) => setTimeout(() => {
    const moved = box() !== shown;
    bar.style.display = '';
    done(moved);
  }, 200));
}"""
"""Whether the board moves when something is taken away."""


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_what_belongs_to_the_players_does_not_move_the_board(
    open_page: Open, size: tuple[int, int]
) -> None:
    page = open_page(address(second="qtable:cheng-known"), **screen(*size))
    expect(page.get_by_test_id("make-pupil")).to_be_visible()
    assert not page.evaluate(WITHOUT, ".lesson-bar")
    assert page.evaluate(WITHOUT, ".timeline"), "the check can fail"
    page.get_by_test_id("hint").click()
    expect(page.get_by_test_id("notice")).to_contain_text(re.compile("wins|draws|loses"))
    assert not page.evaluate(WITHOUT, ".notices")
    page.goto(address(first="random", second="random"))
    expect(page.get_by_test_id("pause")).to_be_visible()
    assert not page.evaluate(WITHOUT, ".watch")


def test_whose_values_are_shown_can_be_changed_by_a_finger(open_page: Open) -> None:
    page = open_page(address(BLUNDER, analyse="1") + f"&see={CHAMPION}", **screen(360, 640))
    analysed(page)
    expect_to_fit(page, but="board-column")

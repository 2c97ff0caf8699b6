"""What somebody new to the page tries first, and what must not mislead them."""

import json
from collections.abc import Callable
from functools import partial

from hands import DISCS, address, column, expect_moves
from patience import soon
from playwright.sync_api import Locator, Page, ViewportSize, expect

Open = Callable[..., Page]
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 640}
DRAWN_MS = 300
HELD = ("hint", "analyse", "share", "download")


def part(page: Page, name: str) -> Locator:
    """Return what a person points at by its name for tests."""
    return page.get_by_test_id(name)


def paste(page: Page, text: str) -> None:
    part(page, "paste").click()
    part(page, "paste-text").fill(text)
    part(page, "paste-use").click()


def meets(first: Locator, second: Locator) -> bool:
    """Whether two things lie on top of each other."""
    one, other = first.bounding_box(), second.bounding_box()
    assert one is not None and other is not None
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


def test_a_position_that_is_set_up_has_no_verdicts_of_another(open_page: Open) -> None:
    page = open_page(address("44", analyse="1"))
    expect(page.locator(".board-under .verdict")).to_have_count(7)
    part(page, "setup").click()
    column(page, 1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(DISCS)).to_have_count(3)
    for place in (".board-under > *", ".board-side > *"):
        expect(page.locator(place)).to_have_count(0)
    expect(part(page, "opinions")).to_be_hidden()
    for action in HELD:
        expect(part(page, action).first).to_be_disabled()
    page.keyboard.press("h")
    page.keyboard.press(",")
    expect(part(page, "notice")).to_have_count(0)
    expect(part(page, "setup-text")).to_contain_text("second player is to move")
    part(page, "setup-cancel").click()
    expect(page.locator(".board-under .verdict")).to_have_count(7)
    expect(part(page, "hint")).to_be_enabled()


def test_undo_takes_back_the_last_disc_of_a_set_up(open_page: Open) -> None:
    page = open_page(address("44"))
    part(page, "setup").click()
    expect(part(page, "undo")).to_be_disabled()
    column(page, 1).focus()
    for key, discs in (("Enter", 3), ("Enter", 4), ("u", 3), ("u", 2), ("r", 3), ("u", 2)):
        page.keyboard.press(key)
        expect(page.locator(DISCS)).to_have_count(discs)
    expect(part(page, "undo")).to_be_disabled()
    part(page, "swap").click()
    expect(part(page, "setup-text")).to_be_visible()
    part(page, "setup-cancel").click()
    part(page, "undo").click()
    expect(page.locator(DISCS)).to_have_count(1)


def test_a_notice_covers_neither_the_status_nor_its_buttons(open_page: Open) -> None:
    page = open_page(address("4141414"))
    for viewport in (DESK, PHONE):
        page.set_viewport_size(viewport)
        page.reload()
        if not part(page, "paste").is_visible():
            part(page, "more").click()
        paste(page, "4141414")
        notice, again = part(page, "notice"), part(page, "again")
        expect(notice).to_be_visible()
        for covered in (part(page, "status"), again, part(page, "review-now")):
            soon(page, partial(meets, notice, covered), False)
        if part(page, "more").is_visible():
            part(page, "more").click()
        part(page, "setup").click()
        expect(notice).to_have_count(0)


def test_a_board_that_is_set_up_on_a_phone_stays_where_it_is(open_page: Open) -> None:
    page = open_page(address(), viewport=PHONE, has_touch=True)
    part(page, "more").click()
    part(page, "setup").click()
    expect(part(page, "setup-text")).to_be_visible()
    face = page.locator(".board-face")
    page.wait_for_timeout(DRAWN_MS)
    before = face.bounding_box()
    for number in (1, 1, 1, 2):
        column(page, number).tap(position={"x": 20, "y": 200})
        page.wait_for_timeout(DRAWN_MS)
        assert face.bounding_box() == before
    expect(part(page, "setup-use")).to_be_disabled()
    actions, tabs = page.locator(".actions"), page.locator("#tabs")
    soon(page, lambda: meets(actions, tabs), False)


def test_nothing_pasted_changes_nothing(open_page: Open) -> None:
    page = open_page(address("4453"))
    paste(page, "  \n")
    expect(page.locator(".complaint")).to_contain_text("no game yet")
    page.keyboard.press("Escape")
    expect_moves(page, "4453")


def test_a_pasted_game_keeps_its_players(open_page: Open) -> None:
    page = open_page(address("4141414", second="extend"), expected="status of 4")
    with page.expect_download() as download:
        part(page, "download").click()
    text = download.value.path().read_text()
    assert json.loads(text)["players"] == ["human", "extend"]
    page.goto(address(second="random"))
    paste(page, "445")
    expect(part(page, "seat-second")).to_have_attribute("title", "random")
    expect(part(page, "status")).to_contain_text("Random is to move")
    expect_moves(page, "445")
    paste(page, text)
    expect(part(page, "seat-second")).to_have_attribute("title", "extend")
    unknown = json.dumps({**json.loads(text), "players": ["human", "ntuple:/nowhere"]})
    page.get_by_test_id("new").click()
    paste(page, unknown)
    expect(part(page, "seat-second")).to_have_attribute("title", "human")


def test_a_set_of_tuples_outlasts_the_choice_of_a_preset(page: Page) -> None:
    part(page, "tab-inside").click()
    part(page, "inside-tuples").click()
    part(page, "tuple-add").click()
    for cell in ("cell-1/1", "cell-2/1"):
        part(page, cell).click()
    part(page, "tuple-name").fill("corner")
    part(page, "tuple-train").click()
    expect(part(page, "run-wish")).to_contain_text("With tuple set corner")
    part(page, "run-preset").select_option("")
    expect(page.locator('.run-form [name="tuple_file"]')).to_have_value("data/tuples/corner.json")
    part(page, "run-unwish").click()
    expect(page.locator('.run-form [name="tuple_file"]')).to_have_value("")
    expect(part(page, "run-wish")).to_be_hidden()
    page.reload()
    expect(part(page, "tab-training")).to_have_attribute("aria-selected", "true")

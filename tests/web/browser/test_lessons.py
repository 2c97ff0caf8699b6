"""A pupil is made on the page, and every finished game with a person is a lesson to it."""

import json
import re
from collections.abc import Iterator

import pytest
from hands import address
from patience import soon
from playwright.sync_api import Page, Route, expect
from serving import Lab

from conftest import Open

TABLE = "qtable:cheng-known"
WINNING = "343434"
"""The person wins with column 3."""
GAME = WINNING + "3"
WAITING = "() => JSON.parse(localStorage['connectlab.waiting'] ?? '[]').length"


CHANGES = {
    (14.92, 14.88): ["14.92", "14.88"],
    (14.9, 15.3): ["14.9", "15.3"],
    (14.9, 14.9): ["14.9", "14.9"],
    (-14.9001, -14.9002): ["−14.9001", "−14.9002"],
    (0.0, 0.5): ["0.000", "0.500"],
}


def test_a_change_is_told_with_digits_that_show_it(page: Page) -> None:
    told = page.evaluate(
        "async (pairs) => { const { change } = await import('/js/figures.js');"
        " return pairs.map(([before, after]) => change(before, after)); }",
        [list(pair) for pair in CHANGES],
    )
    assert told == list(CHANGES.values())


@pytest.fixture
def pupil(open_page: Open, lab: Lab) -> Iterator[tuple[Page, str]]:
    """Return a page where a new pupil sits down, made by the button, and its spec."""
    page = open_page(address(WINNING, second=TABLE, analyse="1"), expected="status of 503")
    page.get_by_test_id("make-pupil").click()
    seat = page.get_by_test_id("seat-second")
    expect(seat).to_have_attribute("title", re.compile(r"^qtable:runs/pupil-\d+$"))
    expect(page.get_by_test_id("notice")).to_contain_text("a copy that learns")
    yield page, str(seat.get_attribute("title"))


def value_shown(page: Page) -> str:
    """Return the value of column 3 as it stands under the column."""
    value = page.get_by_test_id("strip-3").locator(".bar-value")
    expect(value).to_have_text(re.compile(r"\d"))
    return value.inner_text()


def value_asked(page: Page, player: str) -> float:
    """Return the value of column 3 as the server has it."""
    board = {"columns": 7, "rows": 6, "connect": 4, "variant": ""}
    body = {"position": {**board, "moves": WINNING, "seed": 7, "game": 0}, "player": player}
    answered = page.request.post("/api/analysis", data=body)
    assert answered.ok, answered.text()
    return float(answered.json()["values"]["3"])


def lessons(page: Page, player: str) -> int:
    """Return how many lessons a pupil has had."""
    listed = page.request.get("/api/pupils").json()["pupils"]
    return int(next(each["lessons"] for each in listed if each["player"] == player))


def refuse(route: Route) -> None:
    route.fulfill(status=503, json={"detail": "the lab is busy"}, headers={"Retry-After": "2"})


def test_a_finished_game_is_a_lesson_that_is_told_and_changes_the_values(
    pupil: tuple[Page, str], lab: Lab
) -> None:
    page, player = pupil
    shown, asked = value_shown(page), value_asked(page, player)
    page.keyboard.press("3")
    notice = page.get_by_test_id("notice")
    expect(notice).to_contain_text("has learned from this game")
    notice.get_by_role("button", name="See what changed").click()
    steps = page.get_by_test_id("lesson-dialog").locator(".lesson-step")
    expect(steps).to_have_count(len(GAME))
    expect(steps.last).to_have_attribute("data-change", "up")
    page.keyboard.press("Escape")
    learned = value_asked(page, player)
    assert learned > asked
    page.keyboard.press(",")
    expect(page.get_by_test_id("strip-3").locator(".bar-value")).not_to_have_text(shown)
    soon(page, lambda: float(value_shown(page)), pytest.approx(learned, abs=0.05))
    told = (lab.folder / player.removeprefix("qtable:") / "lessons.jsonl").read_text().splitlines()
    assert [len(json.loads(line)["steps"]) for line in told] == [len(GAME)]


def test_with_the_switch_off_nothing_is_learned(pupil: tuple[Page, str]) -> None:
    """The switch counts as it stands when the game ends, not when the game is sent."""
    page, player = pupil
    asked = value_asked(page, player)
    page.get_by_test_id("learn").uncheck()
    page.route("**/api/games", refuse)
    with page.expect_response("**/api/games"):
        page.keyboard.press("3")
    page.unroute("**/api/games")
    with page.expect_response("**/api/games"):
        page.reload()  # with it the switch is on again
    page.wait_for_function(f"() => ({WAITING})() === 0")
    assert lessons(page, player) == 0
    assert value_asked(page, player) == asked


@pytest.mark.parametrize("refused", ["**/api/pupils/lessons", "**/api/games"])
def test_a_lesson_waits_while_the_server_is_busy(pupil: tuple[Page, str], refused: str) -> None:
    page, player = pupil
    page.route(refused, refuse)
    with page.expect_response(refused):
        page.keyboard.press("3")
    if "lessons" in refused:
        expect(page.get_by_test_id("notice")).to_contain_text("The lesson waits")
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.wait_for_function(f"() => ({WAITING})() === 1")
    assert lessons(page, player) == 0
    page.unroute(refused)
    page.reload()
    expect(page.get_by_test_id("notice")).to_contain_text("has learned from this game")
    page.wait_for_function(f"() => ({WAITING})() === 0")
    soon(page, lambda: lessons(page, player), 1)

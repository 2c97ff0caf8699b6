"""A game at the page, from the first click to the archive."""

import json
from collections.abc import Callable

import pytest
from hands import SEED, address, answer, cells, column, expect_moves, whole_game
from patience import soon
from playwright.sync_api import Page, Route, expect
from serving import Lab

Open = Callable[..., Page]


def test_a_whole_game_by_mouse(open_page: Open, lab: Lab) -> None:
    game = whole_game("extend", "random", person_first=True)
    page = open_page(address(second="random"))
    for place in range(0, len(game), 2):
        column(page, game[place]).click()
        expect_moves(page, game[: place + 2])
    expect(page.get_by_test_id("status")).to_contain_text("You win!")
    expect(page.locator("#board .mark-won")).to_have_count(4)
    page.get_by_test_id("tab-games").click()
    expect(page.get_by_test_id("game").first).to_contain_text(f"{len(game)} moves")
    kept = [json.loads(path.read_text()) for path in (lab.data / "games").glob("*.json")]
    assert game in [record.get("moves") for record in kept]


def test_a_whole_game_by_keyboard(open_page: Open) -> None:
    game = whole_game("extend", "random", person_first=False)
    page = open_page(address(first="random"))
    for place in range(1, len(game), 2):
        expect_moves(page, game[:place])
        expect(page.get_by_test_id("status")).to_contain_text("Your turn")
        if place == 1:
            walk_to(page, int(game[place]))
        else:
            page.keyboard.press(game[place])
    expect_moves(page, game)
    expect(page.get_by_test_id("live")).to_contain_text("You win")


def walk_to(page: Page, number: int) -> None:
    """Drop with arrows and Enter; focus is on the column that is shown."""
    column(page, "4").focus()
    page.keyboard.press("Home")
    for _ in range(number - 1):
        page.keyboard.press("ArrowRight")
    expect(column(page, number)).to_be_focused()
    page.keyboard.press("Enter")


def test_another_move_forgets_what_was_taken_back(open_page: Open) -> None:
    page = open_page(address("4455", second="random"))
    page.get_by_test_id("undo").click()
    column(page, 1).click()
    expect_moves(page, "441" + answer("441", "random"))
    expect(page.get_by_test_id("redo")).to_be_disabled()


def test_a_link_brings_the_same_game_to_somebody_else(open_page: Open) -> None:
    """The same board, the same players, and the same answer to the same move."""
    page = open_page(address("44", second="mcts:iterations=60"))
    other = open_page(page.url)
    for each in (page, other):
        expect_moves(each, "44")
        column(each, 3).click()
        expect_moves(each, "443" + answer("443", "mcts:iterations=60"))
    assert cells(page) == cells(other)
    assert len(cells(page)) == 4


def test_another_seed_may_have_another_answer() -> None:
    """What the two tests above compare is a matter of lots."""
    assert len({answer("443", "mcts:iterations=60", seed) for seed in range(SEED, SEED + 8)}) > 1


def test_a_long_thought_can_be_cancelled(open_page: Open, lab: Lab) -> None:
    page = open_page(address(second="mcts:seconds=10"))
    column(page, 4).click()
    page.get_by_test_id("cancel").click()
    expect(page.get_by_test_id("status")).to_contain_text("You stopped")
    expect_moves(page, "4")
    # The player does not think on without anybody listening.
    soon(page, lambda: page.request.get("/api/info").json()["running"], 0)
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")


@pytest.mark.parametrize("answer", ["null", "{}", '{"column": "99", "landed": "zz"}'])
def test_an_answer_that_is_no_move_is_told(open_page: Open, answer: str) -> None:
    def reply(route: Route) -> None:
        route.fulfill(content_type="application/json", body=answer)

    page = open_page("/?first=human&second=random&seed=1", routes={"**/api/move": reply})
    column(page, "4").click()
    page.get_by_role("button", name="Try again").wait_for()
    expect_moves(page, "4")


def test_a_finished_game_waits_for_a_server_that_knows_us_again(open_page: Open) -> None:
    said = json.dumps({"detail": "a token is needed"})
    refused = {"**/api/games": lambda route: route.fulfill(status=401, body=said)}
    game = "/?pos=121212&first=human&second=human&seed=5"
    page = open_page(game, expected="status of 401", routes=refused)
    with page.expect_response("**/api/games"):
        column(page, "1").click()
    page.wait_for_timeout(200)
    page.wait_for_function("() => JSON.parse(localStorage['connectlab.waiting']).length === 1")

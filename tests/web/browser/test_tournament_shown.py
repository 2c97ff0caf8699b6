"""A tournament is begun on the page, its table seen filling, stopped and gone on with."""

import json
import re
from collections.abc import Callable

import pytest
from accessibility import expect_usable_by_everyone
from asking import Api
from hands import address
from playwright.sync_api import Page, expect

Open = Callable[..., Page]

SLOW_MS = 90_000
GAMES = "2000"
PLAYED = '[data-test="cross-table"] [data-played]'


def begin(page: Page) -> None:
    """Hold a tournament of those whom the form offers on a small board."""
    page.get_by_test_id("tab-tournament").click()
    page.get_by_test_id("new-tournament").click()
    page.get_by_test_id("tournament-games").fill(GAMES)
    page.get_by_test_id("begin-tournament").click()


def per_cent(share: float) -> str:
    return f"{100 * share:.0f}"


def told(score: dict[str, object]) -> str:
    """Return a score as the table shall have it."""
    low, high = score["interval"]  # type: ignore[misc]
    return f"{per_cent(float(str(score['rate'])))} {per_cent(low)} to {per_cent(high)}"


@pytest.mark.slow
def test_a_tournament_fills_its_table_stops_goes_on_and_can_be_read_by_everyone(
    open_page: Open, api: Api
) -> None:
    page = open_page(address(board="4x4x3"), reduced_motion="reduce")
    begin(page)
    body, cells = page.locator(".tournament-body"), page.locator(PLAYED)
    expect(body).to_have_attribute("data-played", "1", timeout=SLOW_MS)
    expect(cells).to_have_count(2)
    page.get_by_test_id("tournament-stop").click()
    expect(body).to_have_attribute("data-state", "stopped", timeout=SLOW_MS)
    expect(page.get_by_test_id("tournament-stop")).to_be_hidden()
    played = int(body.get_attribute("data-played") or 0)
    assert played < 3, "it was to be stopped before its end"
    expect(cells).to_have_count(2 * played)
    page.get_by_test_id("tournament-resume").click()
    expect(body).to_have_attribute("data-state", "finished", timeout=SLOW_MS)
    expect(cells).to_have_count(6)
    expect(page.get_by_test_id("tournament-resume")).to_be_hidden()
    found = api.get("/tournaments").json()["tournaments"][0]
    found = api.get(f"/tournaments/{found['name']}").json()
    check_scores(page, found)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect_usable_by_everyone(page)


def check_scores(page: Page, found: dict[str, object]) -> None:
    """Compare every score that is shown, and its interval, with what the server says."""
    plain = json.loads(json.dumps(found))
    shown = [re.sub(r"\s+", " ", text) for text in page.locator(PLAYED).all_inner_texts()]
    order = [plain["agents"].index(rating["agent"]) for rating in plain["ratings"]]
    assert shown == [
        told(plain["score_rates"][row][column])
        for row in order
        for column in order
        if row != column
    ]
    scores = page.locator(".ratings .score-cell").all_inner_texts()
    assert [re.sub(r"\s+", " ", text) for text in scores] == [
        "{} % {} to {}".format(
            per_cent(rating["score_rate"]), *map(per_cent, rating["score_rate_interval"])
        )
        for rating in plain["ratings"]
    ]

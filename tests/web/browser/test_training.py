"""A run is started on the page, and its curve is seen growing."""

import json
import time
from collections.abc import Callable

import pytest
from accessibility import expect_usable_by_everyone
from asking import Api
from hands import address
from playwright.sync_api import Page, Route, expect
from sizes import expect_to_fit

Open = Callable[..., Page]

SLOW_MS = 60_000
COUNT = "Number(document.querySelector('[data-test=\"plot\"] [data-points]')?.dataset.points ?? 0)"


def points(page: Page) -> int:
    """Return how many points the lines of the plot have."""
    found = page.locator('[data-test="plot"] [data-points]').all()
    return sum(int(each.get_attribute("data-points") or 0) for each in found)


def begin(page: Page, name: str, games: str) -> None:
    page.locator('[data-test="tab-training"]').click()
    page.locator('[data-test="new-run"]').click()
    page.get_by_text("All settings").click()
    small = {"games": games, "columns": "4", "rows": "4", "connect": "3", "tuples": "6"}
    for setting, value in {**small, "length": "4"}.items():
        page.locator(f'.run-form [name="{setting}"]').fill(value)
    page.get_by_text("Name, measures, beginning").click()
    page.locator('[data-test="run-name"]').fill(name)
    page.locator('[data-test="start-run"]').click()


@pytest.mark.slow
def test_a_run_is_started_and_its_curve_grows(page: Page) -> None:
    begin(page, "grown", "20000000")
    run = page.locator('[data-test="run-grown"]')
    expect(run).to_have_attribute("data-state", "running", timeout=SLOW_MS)
    page.locator('[data-test="plot-figure"]').select_option("td_error")
    page.wait_for_function(f"() => {COUNT} > 0")
    seen = points(page)
    page.wait_for_function(f"seen => {COUNT} > seen", arg=seen)
    page.locator('[data-test="stop-grown"]').click()
    expect(run).to_have_attribute("data-state", "stopped", timeout=SLOW_MS)
    page.locator('[data-test="play-grown"]').click()
    page.locator("[data-column]").first.wait_for()
    expect(page.locator('[data-test="seat-second"]')).to_have_attribute(
        "title", "ntuple:runs/grown/latest.safetensors"
    )


def test_a_mistake_is_told_beside_its_field(page: Page) -> None:
    page.locator('[data-test="tab-training"]').click()
    page.locator('[data-test="new-run"]').click()
    page.get_by_text("All settings").click()
    page.locator('.run-form [name="alpha"]').fill("much")
    expect(page.locator('[data-test="field-error"]')).to_contain_text("alpha")


FINISHED = {
    "learner": "ntuple",
    "name": "done",
    "settings": {"columns": 4, "rows": 4, "connect": 3, "tuples": 6, "length": 4, "games": 2_000},
    "measures": ["quota:games=50"],
}


def finished_run(api: Api, name: str) -> dict[str, object]:
    """Make a small run and wait for its end."""
    assert api.post("/runs", {**FINISHED, "name": name}).status_code == 201
    end = time.monotonic() + SLOW_MS / 1000
    while True:
        answer = api.get(f"/runs/{name}")
        run: dict[str, object] = answer.json()["run"] if answer.status_code == 200 else {}
        if run.get("state") == "finished":
            return run
        assert time.monotonic() < end, "it never ends"
        time.sleep(0.1)


@pytest.mark.slow
def test_a_finished_run_names_its_opponent_gets_more_games_and_can_be_read_by_everyone(
    open_page: Open, api: Api
) -> None:
    finished_run(api, "done")
    page = open_page(address(second="random"), reduced_motion="reduce", has_touch=True)
    page.get_by_test_id("tab-training").click()
    run = page.get_by_test_id("run-done")
    page.get_by_test_id("plot-done").check()
    expect(page.get_by_test_id("plot").locator("[data-points]").first).to_be_visible()
    expect(run.locator(".run-best")).to_contain_text("] against Random")
    label = page.get_by_test_id("plot-figure").locator('option[value="win_rate"]')
    expect(label).to_have_text("share of games won")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect_usable_by_everyone(page)
    page.set_viewport_size({"width": 360, "height": 640})
    expect_to_fit(page, but="board-column")
    page.get_by_test_id("extend-done").click()
    games = page.get_by_test_id("more-games")
    expect(games).to_have_value("4000")
    games.fill("3000")
    page.get_by_test_id("main-action").click()
    expect(run.locator(".run-far")).to_contain_text("3,000 games in", timeout=SLOW_MS)
    expect(run).to_have_attribute("data-state", "finished")


def rows_event(version: int, first: int, rows: int) -> str:
    told = [
        {"games": 100 * (first + row + 1), "seconds": 1.0, "td_error": 0.5} for row in range(rows)
    ]
    data = {"run": "told", "version": version, "first": first, "rows": told}
    return f"event: rows\ndata: {json.dumps(data)}\n\n"


def test_rows_that_come_again_are_not_doubled(open_page: Open) -> None:
    """Every answer is a stream that breaks off at once, so that the page takes it up again."""
    page = open_page(address(second="random"))
    run = {
        **dict.fromkeys(("problem", "best", "last", "player", "newest", "plan", "began_from")),
        **dict.fromkeys(("evaluation_every", "tuple_file")),
        **dict.fromkeys(("games", "total", "seconds", "place", "version", "evaluations"), 0),
        "rows": 4,
        **{"name": "told", "title": "told", "state": "stopped", "board": None},
        **{"can_stop": False, "can_resume": False, "seconds_left": None, "games_per_second": 0},
        **{"metrics": ["td_error"], "figures": [], "labels": {}, "measures": []},
    }
    listed = json.dumps({"runs": [run], "plans": [], "at_once": 1})
    parts = {(1, 0, 4): 4, (1, 2, 3): 5, (2, 0, 2): 2, (2, 2, 1): 3}
    now = [next(iter(parts))]
    streams: list[str] = []

    def handle(route: Route) -> None:
        streams.append(route.request.url)
        text = f"event: runs\ndata: {listed}\n\n{rows_event(*now[0])}"
        route.fulfill(body=text, content_type="text/event-stream")

    page.route("**/api/runs/events*", handle)
    page.get_by_test_id("tab-training").click()
    for part, rows in parts.items():
        now[0] = part
        page.wait_for_function(f"told => {COUNT} === told", arg=rows)
        before = len(streams)
        while len(streams) < before + 2:
            page.wait_for_timeout(100)
        assert points(page) == rows, "the same rows came twice more"

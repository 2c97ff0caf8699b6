"""A run is started on the page, and its curve is seen growing."""

import pytest
from playwright.sync_api import Page, expect

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
    page.wait_for_function(f"{COUNT} > 0")
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

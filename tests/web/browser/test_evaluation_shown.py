"""The evaluation bar tells who wins, whoever is to move, and no more than is known."""

import json
from collections.abc import Callable

import pytest
from hands import address
from playwright.sync_api import Page, Route, expect

from connectlab.game import Position
from connectlab.solver import Solver

Open = Callable[..., Page]

MINUS = "−"
STANDINGS = [
    "642713771171647635371166",
    "772136625432711523777523361",
    "461744567775543562321627",
    "3127357246565117526325352",
    "463225615374453743522521",
    "455342547427536762377233722",
]
"""Either player is to move and wins, loses or draws."""
WINS = {"first": "642713771171647635371166", "second": "772136625432711523777523361"}
"""Either player is to move and wins."""
LONGEST_S = 20


def analysed(moves: str) -> str:
    return address(moves, analyse="1")


def test_the_standings_are_of_all_kinds() -> None:
    solver, kinds = Solver(), set()
    for moves in STANDINGS:
        score = solver.score(Position.from_moves(moves))
        kinds.add((len(moves) % 2, (score > 0) - (score < 0)))
    assert len(kinds) == len(STANDINGS) == 6


@pytest.mark.parametrize("moves", STANDINGS)
def test_the_bar_stands_on_the_side_of_who_wins(open_page: Open, moves: str) -> None:
    position, solver = Position.from_moves(moves), Solver()
    mover = 1 if position.first_to_move else -1
    value = mover * solver.score(position)
    plies = solver.distance(position)
    expected = f"+{plies}" if value > 0 else f"{MINUS}{plies}" if value else "="
    side = "first" if value > 0 else "second" if value else "even"
    page = open_page(analysed(moves))
    bar = page.get_by_test_id("evaluation")
    expect(bar.locator("[aria-hidden]")).to_have_text(expected)
    expect(bar).to_have_attribute("data-side", side)
    share = float(bar.evaluate("bar => getComputedStyle(bar).getPropertyValue('--share')"))
    assert (share > 0.5) - (share < 0.5) == (value > 0) - (value < 0)
    who = "The first player" if position.first_to_move else "The second player"
    does = {
        1: f"wins in {plies} plies",
        0: "draws with perfect play",
        -1: f"loses in {plies} plies",
    }
    sign = mover * ((value > 0) - (value < 0))
    expect(bar).to_have_attribute("aria-label", f"{who} is to move and {does[sign]}")


def forget_a_column(page: Page) -> list[float]:
    """Let perfect play not find out one of the columns before it is asked to look longest."""
    deadlines: list[float] = []

    def handle(route: Route) -> None:
        deadline = json.loads(route.request.post_data or "")["deadline_s"]
        deadlines.append(deadline)
        found = route.fetch().json()
        if deadline < LONGEST_S:
            name = next(name for name in found["scores"] if name not in found["best"])
            for each in ("scores", "distances"):
                found[each][name] = None
            found["words"][name] = ""
            found["best"], found["unknown"] = [], [name]
        route.fulfill(json=found)

    page.route("**/api/verdicts", handle)
    return deadlines


@pytest.mark.parametrize("side", WINS)
def test_how_soon_is_not_told_while_a_column_is_unknown_and_looking_longer_finds_it(
    open_page: Open, side: str
) -> None:
    moves = WINS[side]
    plies = Solver().distance(Position.from_moves(moves))
    sign = "+" if side == "first" else MINUS
    page = open_page(address(moves))
    deadlines = forget_a_column(page)
    page.keyboard.press("a")
    longer = page.get_by_test_id("look-longer")
    expect(longer).to_be_visible()
    bar = page.get_by_test_id("evaluation")
    expect(bar.locator("[aria-hidden]")).to_have_text(sign)
    expect(bar).to_have_attribute("data-side", side)
    expect(bar).to_have_attribute(
        "aria-label", f"The {side} player is to move and wins with perfect play"
    )
    assert max(deadlines) < LONGEST_S
    longer.click()
    expect(bar.locator("[aria-hidden]")).to_have_text(f"{sign}{plies}")
    expect(longer).to_have_count(0)
    assert deadlines[-1] == LONGEST_S
    for column in Position.from_moves(moves).legal_columns:
        chip = page.get_by_test_id(f"verdict-{column + 1}").locator("[aria-hidden]")
        expect(chip).not_to_have_text("?")

"""What stands under the columns is what perfect play and the player say, asked in this process."""

import re
from collections.abc import Callable

import pytest
from hands import SEED, address, expect_moves
from playwright.sync_api import Page, expect

from connectlab.agents import make_agent
from connectlab.game import Position
from connectlab.game.streams import make_streams
from connectlab.lab.seats import ask_analysis
from connectlab.solver import Solver

CHAMPION = "ntuple:champion"
MINUS = "−"


def shown_verdicts(page: Page, columns: range) -> list[str]:
    """Return the figures under the columns as people read them."""
    chips = [
        page.get_by_test_id(f"verdict-{column + 1}").locator("[aria-hidden]") for column in columns
    ]
    for chip in chips:
        expect(chip).not_to_have_text("…")
    return [chip.inner_text() for chip in chips]


def expected_verdict(solver: Solver, position: Position, column: int) -> str:
    """Return the plies to the end after a move, signed for the side that moves; = for a draw."""
    after = position.play(column)
    score = -solver.score(after)
    if score == 0:
        return "="
    return ("+" if score > 0 else MINUS) + str(solver.distance(after) + 1)


@pytest.mark.parametrize("moves", ["44553", "4444453366", "12121"])
def test_verdicts_are_those_of_the_solver(open_page: Callable[..., Page], moves: str) -> None:
    page = open_page(address(moves))
    expect_moves(page, moves)
    page.keyboard.press("a")
    position, solver = Position.from_moves(moves), Solver()
    shown = shown_verdicts(page, range(7))
    assert shown == [expected_verdict(solver, position, column) for column in range(7)]


def test_bars_are_the_values_of_the_player(open_page: Callable[..., Page]) -> None:
    moves = "4453"
    page = open_page(address(moves, second=CHAMPION))
    page.get_by_test_id("analyse").click()
    stream = int(make_streams(SEED, 1, 0)[0])
    analysis = ask_analysis(make_agent(CHAMPION), Position.from_moves(moves), stream)
    heights = [page.get_by_test_id(f"bar-1-{column + 1}") for column in range(7)]
    for height in heights:
        expect(height).to_have_attribute("data-height", re.compile(r"^-?\d"))
    shown = [float(str(height.get_attribute("data-height"))) for height in heights]
    values = [float(value) for value in analysis.values]
    assert sorted(range(7), key=lambda c: shown[c]) == sorted(range(7), key=lambda c: values[c])
    assert [height > 0 for height in shown] == [value > 0 for value in values]

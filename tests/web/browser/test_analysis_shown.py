"""Verdicts, bars and the evaluation bar under and beside the board."""

import re
from collections.abc import Callable

import pytest
from patience import expect_in_address, soon
from playwright.sync_api import Page, Route, expect

from connectlab.game import Position
from connectlab.lab.verdicts import Verdicts, ask_solver
from connectlab.solver import Solver, distance_of

Open = Callable[..., Page]

MINUS = "−"
POSITIONS = ["7717735374675", "11111122222244"]
"""One column alone wins and one is full; two are full."""
BLUNDER = "7717735374675"
"""The champion plays 4, which loses; 5 wins."""


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(Position.from_moves("").geometry)


def verdicts_of(solver: Solver, moves: str) -> Verdicts:
    return ask_solver(solver, Position.from_moves(moves))


def written(verdicts: Verdicts, column: int) -> str:
    """Return a verdict as it should stand under its column."""
    score, position = verdicts.scores[column], verdicts.position
    assert score is not None
    if score == 0:
        return "="
    distance = distance_of(score, position.ply, position.geometry)
    return f"{'+' if score > 0 else MINUS}{distance}"


def address(moves: str, *see: str) -> str:
    players = "".join(f"&see={spec}" for spec in see)
    return f"/?pos={moves}&first=human&second=human&analyse=1{players}"


@pytest.mark.parametrize("moves", POSITIONS)
def test_verdicts_under_the_columns_are_those_of_perfect_play(
    open_page: Open, solver: Solver, moves: str
) -> None:
    page = open_page(address(moves, "ntuple:champion"))
    verdicts = verdicts_of(solver, moves)
    for column in verdicts.position.legal_columns:
        chip = page.get_by_test_id(f"verdict-{column + 1}")
        expect(chip.locator("[aria-hidden]")).to_have_text(written(verdicts, column))
        expect(chip).to_have_attribute("title", re.compile(verdicts.words(column)))
        expect(chip.and_(page.locator("[data-best]"))).to_have_count(int(column in verdicts.best))
    for column in set(range(7)) - set(verdicts.position.legal_columns):
        expect(page.get_by_test_id(f"verdict-{column + 1}")).to_have_count(0)


def test_bars_are_as_high_as_the_values_of_the_player(open_page: Open) -> None:
    from connectlab.agents import make_agent

    page = open_page(address("445353", "ntuple:champion"))
    values = make_agent("ntuple:champion").analyse(Position.from_moves("445353")).values
    assert values is not None
    for column, value in enumerate(values):
        assert value is not None
        bar = page.get_by_test_id(f"bar-1-{column + 1}")
        expect(bar).to_have_attribute("data-height", f"{value:.3f}")


def test_the_column_where_a_player_is_wrong_is_marked_with_a_sentence(open_page: Open) -> None:
    page = open_page(address(BLUNDER, "ntuple:champion"))
    expect(page.get_by_test_id("said-wrong")).to_have_text(
        "Champion plays 4, which loses in 24 plies; 5 wins in 25 plies."
    )
    for column in (1, 2, 3, 4, 5, 6):
        strip = page.get_by_test_id(f"strip-{column}").and_(page.locator("[data-wrong]"))
        expect(strip).to_have_count(int(column == 4))
    expect(page.get_by_test_id("bar-1-4")).to_have_attribute("data-plays", "")
    expect(page.get_by_test_id("evaluation")).to_have_attribute("data-side", "second")


def test_two_players_stand_side_by_side_and_one_can_be_left_out(open_page: Open) -> None:
    page = open_page(address(BLUNDER, "ntuple:champion", "mlp:best"))
    expect(page.get_by_test_id("bar-1-4")).to_have_attribute("data-height", re.compile("."))
    expect(page.get_by_test_id("bar-2-4")).to_have_attribute("data-height", re.compile("."))
    page.get_by_test_id("leave-1").click()
    expect(page.get_by_test_id("bar-2-4")).to_have_count(0)
    expect_in_address(page, "see=mlp:best")
    expect(page).not_to_have_url(re.compile("champion"))


def test_the_switch_goes_by_key_and_into_the_address(open_page: Open) -> None:
    page = open_page("/?pos=44&first=human&second=human")
    expect(page.get_by_test_id("analyse")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("a")
    expect(page.get_by_test_id("verdict-4")).to_be_visible()
    expect_in_address(page, "analyse=1")
    page.reload()
    expect(page.get_by_test_id("analyse")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("verdict-4")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_test_id("verdict-4")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("analyse"))


def test_answers_that_come_late_are_never_shown(open_page: Open, solver: Solver) -> None:
    """The verdicts of the first position are held back until another one is shown."""
    page = open_page("/?pos=445353&first=human&second=human")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/verdicts", hold, times=1)
    page.keyboard.press("a")
    soon(page, lambda: len(held), 1)
    page.keyboard.press("4")
    verdicts = verdicts_of(solver, "4453534")
    expected = written(verdicts, 3)
    chip = page.get_by_test_id("verdict-4").locator("[aria-hidden]")
    expect(chip).to_have_text(expected)
    for route in held:
        route.continue_()
    page.wait_for_timeout(600)
    expect(chip).to_have_text(expected)


def test_on_other_games_than_the_plain_one_it_says_that_nothing_is_known(open_page: Open) -> None:
    page = open_page("/?pos=44&variant=slip:0.1&first=human&second=human&analyse=1&see=minimax")
    expect(page.get_by_test_id("opinions")).to_contain_text("only the plain game")
    expect(page.get_by_test_id("bar-1-4")).to_have_attribute("data-height", re.compile("."))

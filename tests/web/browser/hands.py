"""What a person does at the table and sees there, for the tests of the page."""

import re
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

from connectlab.agents import make_agent
from connectlab.game import Position
from connectlab.game.streams import make_streams
from connectlab.lab.seats import ask_move

DISCS = "#board [data-cell]"
SEED = 7


def address(moves: str = "", first: str = "human", second: str = "human", **more: str) -> str:
    """Return the address of a game."""
    query = {"pos": moves, "first": first, "second": second, "seed": str(SEED), **more}
    return "/?" + urlencode(query)


def column(page: Page, number: int | str) -> Locator:
    """Return the column to drop into, counted from 1."""
    return page.get_by_test_id(f"column-{number}")


def moves_of(page: Page) -> str:
    """Return the moves of the game, all of them, as the address has them."""
    return parse_qs(urlsplit(page.url).query).get("pos", [""])[0]


def expect_moves(page: Page, moves: str) -> None:
    """Wait until the game has these moves and the board these discs."""
    expect(page).to_have_url(re.compile(rf"[?&]pos={moves}(&|$)" if moves else r"^((?!pos=).)*$"))
    expect(page.locator(DISCS)).to_have_count(len(moves))


def cells(page: Page) -> list[str]:
    """Return where discs lie and whose they are, as the board shows it to the eye."""
    drawn = page.locator(DISCS).evaluate_all(
        "discs => discs.map(disc => `${disc.dataset.cell} ${disc.getAttribute('class')}`)"
    )
    return sorted(drawn)


def answer(moves: str, player: str, seed: int = SEED) -> str:
    """Return the column that a player chooses, asked in this process with the lots of the game."""
    stream = int(make_streams(seed, 1, 0)[0])
    chosen = ask_move(make_agent(player), Position.from_moves(moves), stream)
    return str(chosen + 1)


def whole_game(person: str, player: str, person_first: bool) -> str:
    """Return the game that comes of a person's plan (a player) against another player."""
    position, persons_turn = Position(), person_first
    while not position.is_over:
        mover = person if persons_turn else player
        position = position.play(int(answer(position.moves, mover)) - 1)
        persons_turn = not persons_turn
    return position.moves

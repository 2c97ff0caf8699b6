"""The page outlives its server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hands import address, answer, column, expect_moves
from playwright.sync_api import Page, expect
from serving import kill, serving


@pytest.mark.slow
def test_a_game_goes_on_when_the_server_is_back(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    with serving(tmp_path) as lab:
        page = open_page(
            address(second="random"), origin=lab.url, expected="net::ERR_|status of 503"
        )
        column(page, 4).click()
        begun = "4" + answer("4", "random")
        expect_moves(page, begun)
        kill(lab)
        column(page, 4).click()
        expect_moves(page, begun + "4")
        expect(page.get_by_test_id("status")).to_contain_text("server")
        expect(page.get_by_test_id("try-again")).to_be_visible()
        with serving(tmp_path, port=lab.port):
            page.get_by_test_id("try-again").click()
            expect_moves(page, begun + "4" + answer(begun + "4", "random"))
            page.reload()
            expect_moves(page, begun + "4" + answer(begun + "4", "random"))

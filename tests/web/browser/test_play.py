"""A person plays, looks back, sets up and shares, with everything that can go wrong on the way."""

import json
import re
from collections.abc import Iterable
from functools import partial

from patience import expect_in_address, soon
from playwright.sync_api import Locator, Page, Route, expect
from serving import Lab
from sizes import overflowing

from conftest import Open

GAME = "?board=7x6x4&first=human&second=human"
"""Two people at one page: nobody has to be asked for a move."""


def part(page: Page, name: str) -> Locator:
    """Return the part of the page that is marked for tests."""
    return page.locator(f'[data-test="{name}"]')


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_first_second_needs_nothing_but_a_click(page: Page) -> None:
    expect(part(page, "status")).to_have_text("Your turn")
    expect(part(page, "seat-second")).to_contain_text("Champion")
    part(page, "column-4").click()
    expect(part(page, "move")).to_have_count(2)
    expect(part(page, "live")).to_have_text(re.compile(r"You: column 4\. Champion: column \d\."))
    expect_in_address(page, "second=ntuple:champion")


def test_a_column_says_how_full_it_is(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=444")
    expect(part(page, "column-4")).to_have_attribute("aria-label", "column 4, 3 of 6 filled")


def test_undo_takes_back_both_moves_and_redo_plays_them_again(open_page: Open) -> None:
    page = open_page("?second=random&seed=3")
    part(page, "column-4").click()
    expect(part(page, "move")).to_have_count(2)
    answered = page.url
    page.keyboard.press("u")
    expect(part(page, "status")).to_have_text("Your turn")
    expect_in_address(page, "at=0")
    page.keyboard.press("4")
    expect(part(page, "move")).to_have_count(2)
    expect(page).to_have_url(answered)  # the lots of a move belong to its ply


def test_a_reload_brings_back_the_game_and_who_sat_there(open_page: Open) -> None:
    page = open_page("?pos=4453&at=3&start=XO.....&first=minimax:depth=2&second=human")
    addresses = set()
    for _ in range(3):
        expect(part(page, "move")).to_have_count(4)
        expect(page.locator("[data-cell]")).to_have_count(5)  # two at the start, and three moves
        expect(part(page, "seat-first")).to_contain_text("Minimax")
        addresses.add(page.url)
        page.reload()
    assert len(addresses) == 1


OTHERS = [
    "board=9x6x4",
    "board=7x6x5",
    "board=7x6x4&variant=slip:0.1",
    "board=7x6x4&game=3",
    "board=7x6x4",
]


def test_the_address_wins_over_what_the_window_remembers(open_page: Open) -> None:
    people = "first=human&second=human&seed=1234567890123456"
    page = open_page(f"?pos=12&board=7x6x4&{people}")
    for other in OTHERS:
        page.goto(f"/?pos=12&{other}&{people}")
        expect(part(page, "move")).to_have_count(2)
        expect_in_address(page, *other.split("&"), *people.split("&"))
    expect(page).not_to_have_url(re.compile("game="))


def test_a_link_has_the_number_of_the_game_and_so_its_lots(open_page: Open) -> None:
    page = open_page("?second=random&seed=5&game=3")
    with page.expect_request("**/api/move") as asked:
        page.keyboard.press("4")
    position = json.loads(asked.value.post_data or "")["position"]
    assert (position["seed"], position["game"]) == (5, 3)


SHARED = "?pos=7717735374675&analyse=1&see=ntuple:champion"
"""The champion is to move, and would err."""


def test_a_shared_position_is_seen_as_it_was_shared(open_page: Open) -> None:
    page = open_page(SHARED)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for way in ("opened", "reloaded", "looked through"):
        if way == "reloaded":
            page.reload()
        if way == "looked through":
            part(page, "to-back").click()
            part(page, "to-last").click()
        expect(part(page, "status")).to_contain_text("Champion is to move")
        expect(part(page, "verdict-5")).to_contain_text("+25")
        expect(part(page, "play-on")).to_be_visible()
    assert not [url for url in asked if url.endswith("/api/move")]
    part(page, "play-on").click()
    expect(part(page, "move")).to_have_count(14)
    expect(part(page, "status")).to_have_text("Your turn")


def test_a_shared_game_of_two_players_waits_to_be_watched(open_page: Open) -> None:
    page = open_page("?first=random&second=random&seed=5&pos=44")
    expect(part(page, "play-on")).to_be_visible()
    expect(part(page, "pause")).to_have_text("Go on")
    part(page, "step").click()
    expect(part(page, "move")).to_have_count(3)
    expect(part(page, "status")).to_contain_text("Paused")
    part(page, "speed").select_option("fast")
    part(page, "pause").click()
    expect(part(page, "status")).to_contain_text(re.compile("wins|draw"))


def test_another_player_for_a_shared_position_waits_too(open_page: Open) -> None:
    page = open_page("?pos=444&second=random")
    part(page, "swap").click()
    expect(part(page, "status")).to_have_text("Your turn")
    page.goto("/?pos=444&first=random&second=minimax:depth=2")
    part(page, "swap").click()
    expect(part(page, "seat-second")).to_contain_text("Random")
    expect(part(page, "play-on")).to_be_visible()


def test_a_game_in_progress_goes_on_after_a_reload(open_page: Open) -> None:
    page = open_page("?second=random", routes={"**/api/move": lambda route: None})
    page.keyboard.press("4")
    expect(part(page, "status")).to_contain_text("thinks")
    expect_in_address(page, "pos=4")
    page.reload()
    expect(part(page, "status")).to_contain_text("thinks")
    page.unroute("**/api/move")
    page.reload()
    expect(part(page, "move")).to_have_count(2)


NONSENSE = {
    "?pos=zz": "there is no column 'z'",
    "?pos=4444444": "column 4 is full",
    "?board=99x99": "too large",
    "?board=nonsense": "is no board",
    "?start=XXXX": "does not fit",
    "?start=XXX....": "cannot be",
    "?variant=wind": "no variant",
    "?start=XO.....-wind": "use only X, O and .",
    "?pos=_1&variant=drop-row:0.1": "a row falls after a move, and not twice",
    "?pos=1__2&variant=drop-row:0.1": "a row falls after a move, and not twice",
    "?pos=1212121_&variant=drop-row:0.1": "no row falls after the move that wins",
}


def test_nonsense_in_the_address_is_told_over_a_fresh_board(open_page: Open) -> None:
    page = open_page(GAME)
    for address, sentence in NONSENSE.items():
        page.goto(f"/{address}")
        expect(part(page, "notice")).to_contain_text(sentence)
        expect(part(page, "status")).to_have_text("Your turn")


def test_letters_name_columns_of_a_wide_board_and_shift_makes_them_actions(
    open_page: Open,
) -> None:
    page = open_page("?board=12x4x4&first=human&second=human")
    press(page, "ac")
    expect(part(page, "move")).to_have_count(2)
    page.keyboard.press("Shift+U")
    expect_in_address(page, "at=1")


def test_keys_do_nothing_while_somebody_types(open_page: Open) -> None:
    page = open_page(GAME)
    part(page, "paste").click()
    page.keyboard.type("44")
    expect(part(page, "move")).to_have_count(0)


def test_a_win_is_marked_and_told(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=112233")
    page.keyboard.press("4")
    expect(part(page, "status")).to_contain_text("First player wins")
    expect(page.locator(".mark-won")).to_have_count(4)
    expect(page.locator(".mark-line")).to_have_count(1)
    expect(part(page, "live")).to_have_text("First player: column 4. First player wins.")


def test_a_finished_game_is_kept_by_the_server(open_page: Open, lab: Lab) -> None:
    page = open_page(f"{GAME}&pos=112233&seed=77")
    page.keyboard.press("4")
    part(page, "tab-games").click()
    expect(part(page, "game").first).to_contain_text("You – You")
    kept = page.evaluate("async () => (await (await fetch('/api/games')).json()).games[0].record")
    assert (kept["moves"], kept["result"], kept["seed"]) == ("1122334", "first", 77)


def test_a_game_that_the_server_missed_is_sent_again(open_page: Open) -> None:
    refused = {"**/api/games": lambda route: route.fulfill(status=503, json={"detail": "busy"})}
    page = open_page(f"{GAME}&pos=112233&seed=78", expected="status of 503", routes=refused)
    with page.expect_response("**/api/games"):
        page.keyboard.press("4")
    page.wait_for_function("() => JSON.parse(localStorage['connectlab.waiting']).length === 1")
    page.unroute("**/api/games")
    with page.expect_response("**/api/games"):
        page.reload()
    page.wait_for_function("() => JSON.parse(localStorage['connectlab.waiting']).length === 0")


def test_a_game_that_leaves_a_finished_one_is_kept_beside_it(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=121212&seed=79")
    with page.expect_response("**/api/games"):
        page.keyboard.press("1")
    for keys in ("u", "32"):  # taken back, and the other player wins
        press(page, keys)
    expect(part(page, "status")).to_contain_text("Second player wins")
    page.wait_for_function("() => JSON.parse(localStorage['connectlab.waiting']).length === 0")
    part(page, "tab-games").click()
    part(page, "game").first.click()  # opened, and left once more
    page.keyboard.press("u")
    with page.expect_response("**/api/games") as answer:
        page.keyboard.press("2")
    assert answer.value.ok
    listed = page.request.get("/api/games").json()["games"]
    kept = [game["record"]["moves"] for game in listed if game["record"]["seed"] == 79]
    assert sorted(kept) == ["1212121", "12121232", "12121232"]
    expect(part(page, "notice")).to_have_count(0)


def test_a_game_that_the_server_refuses_is_told(open_page: Open) -> None:
    full = "10 games are kept, and no more"
    refused = {"**/api/games": lambda route: route.fulfill(status=409, json={"detail": full})}
    page = open_page(f"{GAME}&pos=112233", expected="status of 409", routes=refused)
    page.keyboard.press("4")
    expect(part(page, "notice")).to_contain_text(f"not kept: {full}")
    page.wait_for_function("() => JSON.parse(localStorage['connectlab.waiting']).length === 0")


def test_a_game_that_finds_the_disk_full_waits_and_says_so(open_page: Open) -> None:
    full = "the disk of the server is full: this could not be saved"
    refused = {"**/api/games": lambda route: route.fulfill(status=507, json={"detail": full})}
    page = open_page(f"{GAME}&pos=112233&seed=80", expected="status of 507", routes=refused)
    page.keyboard.press("4")
    expect(part(page, "notice")).to_contain_text("waits in this browser and is sent again")
    expect(part(page, "notice")).to_contain_text("The disk of the server is full")
    page.unroute("**/api/games")
    with page.expect_response("**/api/games"):
        part(page, "notice").get_by_role("button", name="Try again").click()
    page.wait_for_function("() => JSON.parse(localStorage['connectlab.waiting']).length === 0")


NAMES = {
    "qtable:/tmp/somewhere/runs/pupil-1": "Q-table, pupil-1",
    "ntuple:runs/first,depth=4": "N-tuple, first, depth 4",
    "ntuple:source=/home/me/my.safetensors": "N-tuple, my.safetensors",
    "mcts:value=ntuple:/tmp/runs/x,iterations=60": "MCTS, value ntuple:x, iterations 60",
    "ntuple:/tmp/runs/first/latest.safetensors": "first (now)",
}


def test_no_name_tells_the_folders_of_the_machine(page: Page) -> None:
    told = page.evaluate(
        "async (specs) => { const { nameOf } = await import('/js/names.js');"
        " return specs.map(nameOf); }",
        list(NAMES),
    )
    assert told == list(NAMES.values())


SAYINGS = {
    "ntuple: games=-5 should be greater than or equal to 1": "ntuple: games=-5 should be greater "
    "than or equal to 1.",
    "there is no run x": "There is no run x.",
}


def test_a_name_at_the_start_of_a_sentence_stays_as_it_is_written(page: Page) -> None:
    told = page.evaluate(
        "async (all) => { const { sentenceOf } = await import('/js/say.js');"
        " return all.map((each) => sentenceOf(each)); }",
        list(SAYINGS),
    )
    assert told == list(SAYINGS.values())


def test_players_are_chosen_with_their_settings(open_page: Open) -> None:
    page = open_page(GAME)
    part(page, "seat-second").click()
    part(page, "choose-minimax").check()
    page.get_by_label("Depth").fill("2")
    part(page, "sit-down").click()
    expect(part(page, "seat-second")).to_contain_text("depth 2")
    expect_in_address(page, "second=minimax:depth=2")


def test_a_player_that_cannot_sit_down_is_told_in_the_dialog(open_page: Open) -> None:
    page = open_page(GAME, expected="status of 4")
    part(page, "seat-second").click()
    page.get_by_text("Write the player as text").click()
    part(page, "spec").fill("minimax:depth=zero")
    part(page, "sit-down").click()
    expect(page.locator(".complaint")).to_contain_text("depth")
    expect(part(page, "players-dialog")).to_be_visible()


def test_two_players_are_watched_paused_and_stepped(open_page: Open) -> None:
    page = open_page("?first=random&second=random&seed=5")
    part(page, "pause").click()
    expect(part(page, "status")).to_contain_text("Paused")
    moves = part(page, "move").count()
    part(page, "step").click()
    expect(part(page, "move")).to_have_count(moves + 1)
    expect(part(page, "status")).to_contain_text("Paused")
    part(page, "speed").select_option("fast")
    part(page, "pause").click()
    expect(part(page, "status")).to_contain_text(re.compile("wins|draw"))


def test_a_failed_move_leaves_a_way_on(open_page: Open) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=504, json={"detail": "it thought too long"})

    refused = {"**/api/move": refuse}
    page = open_page("?second=random", expected="status of 504", routes=refused)
    page.keyboard.press("4")
    expect(part(page, "status")).to_contain_text("It thought too long.")
    page.unroute("**/api/move")
    part(page, "try-again").click()
    expect(part(page, "move")).to_have_count(2)


def test_a_busy_server_is_asked_again_before_a_person_has_to(open_page: Open) -> None:
    asked = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        if 3 < len(asked) < 6:
            route.continue_()
            return
        busy = {"detail": "too many wait already"}
        route.fulfill(status=503, json=busy, headers={"Retry-After": "1"})

    refused = {"**/api/move": refuse}
    page = open_page("?second=random", expected="status of 503", routes=refused)
    page.keyboard.press("4")
    expect(part(page, "status")).to_contain_text("Too many wait already.")
    assert len(asked) == 3
    part(page, "try-again").click()
    expect(part(page, "move")).to_have_count(2)
    del asked[2:]  # once more busy, then not
    page.keyboard.press("4")
    expect(part(page, "move")).to_have_count(4)
    assert len(asked) == 4
    expect(part(page, "try-again")).to_have_count(0)


def test_a_long_thought_tells_what_it_does_and_can_be_cancelled(open_page: Open) -> None:
    page = open_page("?second=random", routes={"**/api/move": lambda route: None})
    page.clock.install()
    page.reload()
    page.keyboard.press("4")
    expect(part(page, "status")).to_contain_text("thinks")
    page.clock.run_for(6_000)
    expect(part(page, "status")).to_contain_text("still thinks")
    part(page, "cancel").click()
    expect(part(page, "status")).to_contain_text("You stopped")
    page.keyboard.press("u")
    expect(part(page, "status")).to_have_text("Your turn")


def test_a_new_game_may_begin_while_a_player_thinks(open_page: Open) -> None:
    page = open_page("?second=random", routes={"**/api/move": lambda route: None})
    page.keyboard.press("4")
    expect(part(page, "status")).to_contain_text("thinks")
    page.keyboard.press("n")
    expect(part(page, "status")).to_have_text("Your turn")
    expect(part(page, "move")).to_have_count(0)


def test_a_position_is_set_up_by_hand_as_far_as_the_rules_allow(open_page: Open) -> None:
    page = open_page(GAME)
    part(page, "setup").click()
    part(page, "column-1").focus()
    press(page, ["Enter", "Enter", "Enter"])
    expect(part(page, "setup-text")).to_contain_text("second player is to move")
    page.keyboard.press("Delete")
    expect(part(page, "setup-text")).to_contain_text("first player is to move")
    part(page, "setup-use").click()
    expect(part(page, "status")).to_have_text("First player to move")
    expect_in_address(page, "start=O......-X......")


def test_a_click_on_a_disc_changes_its_side_then_takes_it_away(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=4")
    part(page, "setup").click()
    column = part(page, "column-4")
    box = column.bounding_box()
    assert box is not None
    bottom = {"x": box["width"] / 2, "y": box["height"] * 0.9}
    column.click(position=bottom)
    expect(page.locator(".disc-2 .disc-body")).to_have_count(2)  # the one on its seat, and this
    expect(part(page, "setup-use")).to_be_disabled()
    column.click(position=bottom)
    expect(page.locator("[data-cell]")).to_have_count(0)


def test_a_pasted_game_is_shown_and_nonsense_is_told(open_page: Open) -> None:
    page = open_page(GAME, expected="status of 4")
    part(page, "paste").click()
    part(page, "paste-text").fill("4459")
    part(page, "paste-use").click()
    expect(page.locator(".complaint")).to_contain_text("there is no column")
    part(page, "paste-text").fill("44535")
    part(page, "paste-use").click()
    expect(part(page, "move")).to_have_count(5)


DRAWINGS = ["O......\nX..X...", "O......-X..X...", "...X..."]


def test_a_pasted_drawing_is_read_as_the_address_reads_it(open_page: Open) -> None:
    """Rows that are missing are empty, and the variant of the table stays."""
    page = open_page(f"{GAME}&variant=slip:0.1")
    for drawing in DRAWINGS:
        part(page, "paste").click()
        part(page, "paste-text").fill(drawing)
        part(page, "paste-use").click()
        expect(part(page, "paste-dialog")).to_have_count(0)
        start = drawing.replace("\n", "-")
        expect_in_address(page, f"start={start}&")
        expect_in_address(page, "board=7x6x4&variant=slip:0.1")
        shown = page.locator("[data-cell]").count()
        page.goto(f"/{GAME}&variant=slip:0.1&start={start}")
        expect(page.locator("[data-cell]")).to_have_count(shown)
    part(page, "paste").click()
    part(page, "paste-text").fill("....\nXO..\nXO..\n1234")  # of another size, with its own board
    part(page, "paste-use").click()
    expect(page.locator(".board-column")).to_have_count(4)


def test_a_downloaded_game_can_be_pasted_again(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=4453&seed=9")
    with page.expect_download() as download:
        part(page, "download").click()
    text = download.value.path().read_text()
    assert json.loads(text)["moves"] == "4453"
    page.keyboard.press("n")
    part(page, "paste").click()
    part(page, "paste-text").fill(text)
    part(page, "paste-use").click()
    expect(part(page, "move")).to_have_count(4)
    expect_in_address(page, "seed=9")


def test_a_review_marks_what_was_thrown_away(open_page: Open) -> None:
    page = open_page("?board=4x4x3&first=human&second=human&pos=1234")
    page.keyboard.press("v")
    expect(part(page, "blunder")).to_have_count(2)
    part(page, "blunder").first.click()
    expect_in_address(page, "at=3")
    expect(part(page, "review-note").first).to_have_text(
        "Move 3, column 3, turned a win into a loss (columns 1 and 2 would have kept it)."
    )
    marked = part(page, "move").nth(2)
    expect(marked).to_have_attribute("data-blunder", "win")
    expect(marked).to_have_attribute("aria-label", re.compile("^Move 3, "))
    expect(marked.locator(".move-blunder")).to_have_text("??")
    expect(part(page, "blunder").first).to_have_text("??")
    expect(page.locator(".moves-number")).to_have_text(["1–2", "3–4"])
    expect(part(page, "scrubber")).to_have_attribute("aria-valuetext", re.compile("^move 3 of 4,"))
    page.keyboard.press("2")
    expect(part(page, "blunder")).to_have_count(1)


def test_moves_are_counted_from_the_stones_that_were_set_up(open_page: Open) -> None:
    page = open_page("?board=4x4x3&first=human&second=human&start=X...&pos=24")
    page.keyboard.press("v")
    expect(part(page, "review-note").first).to_have_text(re.compile("^Move [23], "))
    expect(page.locator(".moves-number")).to_have_text(["2", "3"])
    expect(part(page, "move").first).to_have_attribute("aria-label", re.compile("^Move 2, "))


def test_the_scrubber_walks_through_the_game(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=44455")
    part(page, "scrubber").fill("2")
    expect(page.locator("[data-cell]")).to_have_count(2)
    part(page, "to-forward").click()
    expect(page.locator("[data-cell]")).to_have_count(3)
    part(page, "to-last").click()
    expect(page.locator("[data-cell]")).to_have_count(5)


def test_a_hint_lights_the_best_column(open_page: Open) -> None:
    page = open_page(f"{GAME}&pos=112233")
    page.keyboard.press("h")
    expect(part(page, "notice")).to_contain_text("Perfect play: 4, which wins in 1 ply.")
    expect(part(page, "live")).to_have_text("Perfect play: 4, which wins in 1 ply.")
    expect(page.locator(".board-light")).to_have_count(1)


def test_a_smaller_board_gets_a_player_that_knows_it(page: Page) -> None:
    part(page, "board").click()
    part(page, "board-4x4x3").click()
    expect(part(page, "notice")).to_contain_text("does not play on this board")
    expect(page.locator(".board-column")).to_have_count(4)
    expect_in_address(page, "board=4x4x3")
    expect(page).not_to_have_url(re.compile("champion"))


def test_stones_slip_where_the_variant_says_so(open_page: Open) -> None:
    page = open_page("?variant=slip:0.9&first=human&second=human&seed=1")
    press(page, "4")
    expect(part(page, "move")).to_have_count(1)
    page.keyboard.press("4")
    expect(part(page, "move")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"pos=(\d*[35]\d*)"))


def test_the_theme_follows_the_system_until_somebody_chooses(open_page: Open) -> None:
    page = open_page(color_scheme="dark")
    body = page.locator("body")
    dark = body.evaluate("body => getComputedStyle(body).backgroundColor")
    part(page, "theme").click()
    expect(body).not_to_have_css("background-color", dark)
    page.reload()
    expect(body).not_to_have_css("background-color", dark)


def test_the_whole_board_is_in_sight_at_every_size(open_page: Open) -> None:
    page = open_page(GAME)
    for width, height in ((360, 640), (768, 1024), (1440, 900), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        soon(page, partial(_is_in_sight, page, width, height), True)
        soon(page, partial(overflowing, page), [])


def _is_in_sight(page: Page, width: int, height: int) -> bool:
    """Whether all of the board is on a screen of this size, and fills a good part of it."""
    box = page.locator(".board-face").bounding_box()
    assert box is not None
    inside = box["x"] >= 0 and box["x"] + box["width"] <= width
    inside &= box["y"] >= 0 and box["y"] + box["height"] <= height
    return inside and min(box["width"] / width, box["height"] / height) > 0.35

"""The Inside panel: what players see, what they are made of, and the tuple editor."""

import json
import re
from collections.abc import Callable

import pytest
from accessibility import expect_usable_by_everyone
from patience import soon
from playwright.sync_api import Page, expect
from serving import Lab

from connectlab.agents import make_agent
from connectlab.agents.contents import Page as Sheet
from connectlab.game import Position

Open = Callable[..., Page]


@pytest.fixture
def inside(open_page: Open) -> Page:
    page = open_page("/?pos=4453&first=human&second=ntuple:champion")
    page.get_by_test_id("tab-inside").click()
    return page


def test_the_readings_that_decide_are_listed_and_light_their_cells(inside: Page) -> None:
    groups = make_agent("ntuple:champion").analyse(Position.from_moves("4453")).groups
    rows = inside.get_by_test_id("group")
    expect(rows).to_have_count(len(groups))
    expect(rows.first).to_contain_text(groups[0].title)
    rows.first.hover()
    expect(inside.locator(".overlay-cell")).to_have_count(len(groups[0].cells))
    inside.get_by_test_id("tab-moves").click()
    expect(inside.locator(".overlay-cell")).to_have_count(0)


def test_numbers_in_sentences_and_notes_have_a_true_minus(open_page: Open) -> None:
    page = open_page("/?pos=4453&first=human&second=human&analyse=1&see=ntuple:champion")
    page.get_by_test_id("tab-inside").click()
    sentences = make_agent("ntuple:champion").analyse(Position.from_moves("4453")).sentences
    assert re.search(r"[ (]-\d", " ".join(sentences)), "there is nothing to be mended here"
    expect(page.get_by_test_id("sentences")).to_contain_text("(together \u2212")
    expect(page.get_by_test_id("bar-1-1")).to_have_attribute("data-height", re.compile("."))
    main, plain = page.locator("main"), r"(?:^|[\s(])-\.?\d.*"
    soon(page, lambda: re.findall(plain, main.inner_text()), [])


def test_only_the_signs_of_numbers_become_minus_signs(page: Page) -> None:
    said = {
        "-3": "\u22123",
        "at -.5 (together -2.1), 1e-5": "at \u2212.5 (together \u22122.1), 1e\u22125",
        "connect-4 from run-1, 3-4, n-tuple, a - b": "connect-4 from run-1, 3-4, n-tuple, a - b",
    }
    shown = page.evaluate(
        """async (texts) => {
             const { withMinus } = await import("/js/words.js");
             return texts.map(withMinus); }""",
        list(said),
    )
    assert shown == list(said.values())


def test_a_reading_opens_the_table_of_its_tuple_which_is_turned_page_by_page(inside: Page) -> None:
    agent = make_agent("ntuple:champion")
    contents, group = agent.contents(), agent.analyse(Position.from_moves("4453")).groups[0]
    assert contents is not None
    assert group.part is not None
    inside.get_by_test_id("group").first.click()
    expect(inside.get_by_test_id("part").locator("h3")).to_have_text(f"Tuple {group.part}")
    inside.get_by_test_id("order-3").click()
    lowest = contents.entries(group.part, Sheet(24, 0, "lowest"))[0]
    titles = inside.get_by_test_id("part").locator(".group-title")
    expect(titles).to_have_text([entry.title for entry in lowest.groups[:12]])
    inside.get_by_test_id("page-forward").click()
    expect(titles).to_have_text([entry.title for entry in lowest.groups[12:]])
    inside.get_by_test_id("page-last").click()
    expect(inside.get_by_test_id("pager")).to_contain_text(f"of {lowest.total:,}")
    expect(inside.get_by_test_id("page-forward")).to_be_disabled()


def test_parts_are_sorted_by_any_column_in_both_directions(inside: Page) -> None:
    contents = make_agent("ntuple:champion").contents()
    assert contents is not None
    inside.get_by_test_id("inside-contents").click()
    inside.get_by_test_id("sort-mean").click()
    numbers = inside.locator("[data-part]")
    expect(numbers.first).to_have_text(str(contents.sorted_by("mean")[0].number))
    inside.get_by_test_id("sort-mean").click()
    expect(numbers.first).to_have_text(str(contents.sorted_by("mean")[-1].number))


@pytest.mark.parametrize(
    "spec", ["mcts:iterations=200", "qtable:cheng-known", "mlp:best", "dqn:best", "allis", "extend"]
)
def test_every_kind_of_player_explains_itself(open_page: Open, spec: str) -> None:
    page = open_page(f"/?pos=4453&first=human&second={spec}")
    page.get_by_test_id("tab-inside").click()
    expect(page.get_by_test_id("sight-columns").locator("tbody th")).to_have_count(7)
    expect(page.get_by_test_id("sentences")).to_contain_text(re.compile(r"\w"))


def test_a_set_of_tuples_is_drawn_by_keys_undone_and_saved(inside: Page, lab: Lab) -> None:
    inside.get_by_test_id("inside-tuples").click()
    inside.get_by_test_id("cell-4/1").focus()
    inside.keyboard.press("Space")
    inside.keyboard.press("ArrowRight")
    inside.keyboard.press("Space")
    inside.keyboard.press("ArrowUp")
    inside.keyboard.press("Space")
    expect(inside.get_by_test_id("tuple-about")).to_contain_text("3 cells")
    inside.get_by_test_id("tuples-undo").click()
    expect(inside.get_by_test_id("tuple-about")).to_contain_text("2 cells")
    inside.get_by_test_id("tuples-redo").click()
    inside.get_by_test_id("tuple-duplicate").click()
    expect(inside.get_by_test_id("duplicates")).to_have_text("1")
    inside.get_by_test_id("tuple-remove").click()
    inside.get_by_test_id("tuple-name").fill("by-keys")
    inside.get_by_test_id("tuple-save").click()
    expect(inside.get_by_test_id("tuple-told")).to_have_text("Saved as by-keys.")
    saved = json.loads((lab.data / "tuples" / "by-keys.json").read_text())
    assert saved == [[[3, 0], [4, 0], [4, 1]]]


def test_a_set_drawn_by_lot_shows_what_it_covers(inside: Page) -> None:
    inside.get_by_test_id("inside-tuples").click()
    inside.get_by_test_id("draw-open").click()
    inside.get_by_test_id("draw-set").click()
    expect(inside.get_by_test_id("lines-seen")).to_have_text("69 of 69")
    expect(inside.get_by_test_id("tuple-70")).to_be_attached()
    inside.get_by_test_id("tuple-remove").click()
    expect(inside.get_by_test_id("tuple-70")).to_have_count(0)


def test_the_set_of_a_network_can_be_edited(inside: Page) -> None:
    inside.get_by_test_id("inside-contents").click()
    inside.get_by_test_id("edit-set").click()
    expect(inside.get_by_test_id("tuple-about")).to_contain_text("Tuple 1 of 70")


def test_a_set_goes_on_into_the_form_of_a_run(inside: Page, lab: Lab) -> None:
    inside.get_by_test_id("inside-tuples").click()
    inside.get_by_test_id("cell-2/1").click()
    inside.get_by_test_id("cell-3/2").click()
    inside.get_by_test_id("tuple-name").fill("for-a-run")
    inside.get_by_test_id("tuple-train").click()
    expect(inside.get_by_test_id("run-learner")).to_have_value("ntuple")
    expect(inside.locator("[name=creation]")).to_have_value('"file"')
    expect(inside.locator("[name=tuple_file]")).to_have_value("data/tuples/for-a-run.json")
    with inside.expect_response(re.compile("/api/runs/check")) as checked:
        inside.locator("[name=games]").fill("1000")
    assert checked.value.ok, checked.value.text()


def test_every_view_can_be_used_by_everyone_in_the_dark(open_page: Open) -> None:
    address = "/?pos=7717735374675&first=human&second=human&analyse=1"
    page = open_page(f"{address}&see=ntuple:champion&see=mlp:best", color_scheme="dark")
    expect(page.get_by_test_id("said-wrong").first).to_be_visible()
    page.get_by_test_id("tab-inside").click()
    expect(page.get_by_test_id("group").first).to_be_visible()
    expect_usable_by_everyone(page)
    page.get_by_test_id("group").first.click()
    expect(page.get_by_test_id("pager")).to_be_visible()
    expect_usable_by_everyone(page)
    page.get_by_test_id("all-parts").click()
    expect(page.get_by_test_id("parts")).to_be_visible()
    expect_usable_by_everyone(page)
    page.get_by_test_id("inside-tuples").click()
    page.get_by_test_id("cell-4/1").click()
    expect(page.get_by_test_id("lines-seen")).to_be_visible()
    expect_usable_by_everyone(page)

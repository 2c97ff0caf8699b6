"""``tuples``: sets listed, drawn, exported and varied, and the index of a tuple."""

import io
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import connectlab, in_shell
from rich.console import Console
from terminal import Terminal

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.tuples import read_tuples
from connectlab.agents.ntuple.variation import Wish, vary_tuples
from connectlab.cli import tuple_options
from connectlab.cli.tuple_view import print_boards, print_changes, print_index, print_list
from connectlab.game import STANDARD
from connectlab.lab.cell_names import parse_cells
from connectlab.lab.tuple_index import read_index
from connectlab.lab.tuple_picture import tuple_groups
from connectlab.lab.tuple_sets import find_tuples

Cli = Callable[..., Any]
POSTER = "4524523446334223543355"
"""Moves to a position with the stones that the two tuples of Konen 2015 see."""
WIDE = 1000


def screen(width: int) -> Console:
    """A terminal without colours that keeps what is printed."""
    return Console(
        file=io.StringIO(), width=width, force_terminal=True, color_system=None,
        highlight=False, markup=False, emoji=False,
    )  # fmt: skip


def printed(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def print_everything(out: Console) -> None:
    """Print one of each kind."""
    found = find_tuples("walk:tuples=70,length=8,seed=3")
    varied = vary_tuples(found.tuples, STANDARD, Wish(drop=9, move=40, add=2), 1)
    print_list(found, out)
    print_boards(found, tuple_groups(found), out)
    print_changes(found, found.having(varied.tuples), varied, out)
    print_index(read_index(parse_cells("a1 a2 b2 c2", STANDARD), POSTER, STANDARD, 4), out)


def test_without_a_part_the_help_is_printed(cli: Cli) -> None:
    ran = cli("tuples")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == cli("tuples", "--help").out


@pytest.mark.parametrize("width", [40, 80])
def test_no_width_loses_anything(width: int) -> None:
    wide, narrow = screen(WIDE), screen(width)
    for out in (wide, narrow):
        print_everything(out)
    assert max(map(len, printed(narrow).splitlines())) <= width

    def letters(out: Console) -> Counter[str]:
        return Counter("".join(c for c in printed(out) if c.isalnum()))

    assert not letters(wide) - letters(narrow)


def test_a_real_terminal_of_40_columns_gets_every_tuple() -> None:
    with Terminal("tuples", "draw", "walk:tuples=5,length=4", columns=40) as terminal:
        assert terminal.leave() == 0
    assert all(f"tuple {number}" in terminal.output for number in range(1, 6))


def test_every_tuple_is_listed_with_its_figures(cli: Cli) -> None:
    found = find_tuples("walk:tuples=6,length=5,seed=2")
    document = cli("tuples", "list", found.source, "--json").document
    assert [row["number"] for row in document["tuples"]] == [1, 2, 3, 4, 5, 6]
    for row, cells in zip(document["tuples"], found.tuples, strict=True):
        assert row["cells"] == [[str(column + 1), line + 1] for column, line in cells]
        assert (row["length"], row["all_states"]) == (5, 4**5)
    coverage = found.coverage
    assert [row["realisable"] for row in document["tuples"]] == list(coverage.states)
    assert document["lines_seen"] + len(document["lines_missed"]) == document["lines"] == 69
    assert document["weights"] == 2 * 6 * 4**5
    assert document["realisable_weights"] == coverage.weights
    assert document["cell_counts"] == [list(column) for column in coverage.cells]
    text = cli("tuples", "list", found.source).out
    assert "weights: 12,288 = 2 · 6 · 4^5" in text
    assert f"cells seen: {document['cells_seen']} of 42" in text


@pytest.mark.parametrize(
    ("preset", "weights"), [("thill-p3", "918,540"), ("thill-p4", "9,175,040")]
)
def test_weights_are_counted_as_in_the_first_table_of_thill_2012(
    cli: Cli, preset: str, weights: str
) -> None:
    base = preset[-1]
    assert f"weights: {weights} = 2 · 70 · {base}^8" in cli("tuples", "list", preset).out


def test_lengths_that_differ_are_all_counted(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    file.write_text("[[[0, 0], [1, 0]], [[0, 0]], [[1, 0], [0, 0]]]")
    ran = cli("tuples", "list", str(file), "--states", "3", "--tables", "1", "--no-mirror")
    assert "weights: 21 = 1 · (1 · 3^1 + 2 · 3^2)" in ran.out
    assert "doubles: 3 sees what 1 sees" in ran.out
    assert "cells seen: 2 of 42" in ran.out


def test_the_mirrored_board_counts_unless_it_is_not_read(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    file.write_text("[[[0, 0], [1, 0], [2, 0], [3, 0]]]")
    assert cli("tuples", "list", str(file), "--json").document["lines_seen"] == 2
    alone = cli("tuples", "list", str(file), "--no-mirror", "--json").document
    assert (alone["lines_seen"], alone["mirror"]) == (1, False)


def test_what_no_network_can_be_made_of_is_said(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    cells = [[column, row] for row in (0, 2) for column in range(7)]
    file.write_text(json.dumps([cells] * 15))
    ran = cli("tuples", "list", str(file))
    assert ran.code == 0
    assert "no network can be made of it: these tuples need" in ran.out


def test_what_is_exported_can_be_trained_with(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    ran = cli("tuples", "export", "ntuple:champion", "-o", str(file))
    assert (ran.code, ran.out) == (0, "")
    champion = find_tuples("ntuple:champion").tuples
    assert read_tuples(file, STANDARD) == champion
    config = NTupleConfig(creation="file", tuple_file=str(file))
    assert Layout.of(config).tuples == champion
    assert cli("tuples", "export", "walk", "-o", str(file), "--json").document["size"] == 70


def test_a_set_is_varied_as_asked_and_told(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    wish = ["--drop", "2", "--replace", "3", "--move", "4", "--add", "1", "--seed", "3"]
    document = cli("tuples", "vary", "walk", *wish, "-o", str(file), "--json").document
    old = find_tuples("walk")
    expected = vary_tuples(old.tuples, STANDARD, Wish(drop=2, replace=3, move=4, add=1), 3)
    assert read_tuples(file, STANDARD) == expected.tuples
    kinds = Counter(change["kind"] for change in document["changes"])
    assert kinds == {"dropped": 2, "replaced": 3, "moved": 4, "added": 1}
    new = cli("tuples", "list", str(file), "--json").document
    assert document["lines_seen"] == new["lines_seen"]
    assert document["lines_seen_before"] == 69 - len(old.coverage.unseen)
    assert (document["size"], document["seed"]) == (69, 3)
    text = cli("tuples", "vary", "walk", *wish, "-o", str(file)).out
    assert f"dropped: 2 ({', '.join(told_of(document, 'dropped'))})" in text


def told_of(document: Any, kind: str) -> list[str]:
    return [str(c["before"]) for c in document["changes"] if c["kind"] == kind]


def test_boards_are_drawn_or_saved(cli: Cli, tmp_path: Path) -> None:
    picture = tmp_path / "set.png"
    ran = cli("tuples", "draw", "walk:tuples=4", "-o", str(picture))
    assert (ran.code, ran.out, ran.err) == (0, "", f"wrote {picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")
    text = cli("tuples", "draw", "walk:tuples=4,length=3", "--skip", "1", "--top", "2").out
    assert [word for word in ("tuple 1", "tuple 2", "tuple 3", "tuple 4") if word in text] == [
        "tuple 2",
        "tuple 3",
    ]
    marks = Counter(c for line in text.splitlines()[4:] for c in line if c in "123")
    assert marks == {"1": 2, "2": 2, "3": 2}
    document = cli("tuples", "draw", "walk:tuples=4", "--json").document
    assert (len(document["groups"]), document["path"]) == (4, None)


def test_the_published_indices_are_shown_term_by_term(cli: Cli) -> None:
    thill = cli("tuples", "index", "3-2-1-1", "--json").document
    assert (thill["index"], thill["all_states"]) == (91, 256)
    assert [term["term"] for term in thill["terms"]] == [3, 8, 16, 64]
    first = cli("tuples", "index", "a1,a2,b2,c2", POSTER, "--json").document
    assert first["index"] == 99
    assert [term["cell"] for term in first["terms"]] == ["1/1", "1/2", "2/2", "3/2"]
    assert cli("tuples", "index", "d6,d5,e5,e4", POSTER, "--json").document["index"] == 102
    text = cli("tuples", "index", "4/6 4/5 5/5 5/4", POSTER).out
    assert "k = 2·4^0 + 1·4^1 + 2·4^2 + 1·4^3 = 102, one of 4^4 = 256" in text


@pytest.mark.parametrize("source", ["ntuple:champion", "thill-p3", "mine.json"])
def test_a_set_without_a_number_is_told_how_to_choose_a_tuple(cli: Cli, source: str) -> None:
    ran = cli("tuples", "index", source, "")
    assert (ran.code, ran.out) == (2, "")
    assert "is no cell: write column/row, such as 4/1; of a set, choose a tuple by --tu" in ran.err
    assert "--tuple" not in cli("tuples", "index", "1/9").err


def test_a_tuple_of_a_set_is_looked_at_with_its_states(cli: Cli) -> None:
    found = find_tuples("thill-p3")
    document = cli("tuples", "index", "thill-p3", "4453", "--tuple", "12", "--json").document
    told = read_index(found.tuples[11], "4453", STANDARD, 3)
    assert document == told.to_json()
    assert document["states"] == 3
    assert told.seen is not None
    contents = Layout(STANDARD, found.tuples, 3, True).cell_states(11, told.seen.stored - 1)
    assert contents == told.index.states


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["list", "wlak"], "did you mean 'walk'"),
        (["list", "no-such.json"], "no-such.json is no file"),
        (["list", "minimax"], "minimax is no n-tuple network"),
        (["list", "walk:length=9", "--columns", "2", "--rows", "3"], "does not fit"),
        (["list", "walk", "--states", "5"], "'--states': 5 is not from 3 to 4"),
        (["list", "walk", "--rows", "12", "--columns", "4"], "up to 10 rows"),
        (["listt", "walk"], "Did you mean 'list'"),
        (["draw", "walk", "--skip", "70"], "the set has 70 tuples: skip fewer"),
        (["draw", "walk", "-o", "/dev/null/x.png"], "cannot be written"),
        (["export", "walk"], "--output"),
        (["vary", "walk", "-o", "x.json"], "nothing is to be varied"),
        (["vary", "walk", "-o", "x.json", "--drop", "71"], "there are 70"),
        (["vary", "walk", "-o", "x.json", "--drop", "70"], "at least one tuple"),
        (["vary", "walk", "-o", "x.json", "--drop", "1", "--length", "5"], "--add N"),
        (["vary", "walk", "-o", "x.json", "--add", "1", "--creation", "wlk"], "'walk'"),
        (["vary", "walk", "-o", "x.json", "--add", "2000"], "up to 2,000 tuples"),
        (["index", "a1,a1"], "a cell twice"),
        (["index", "a1,j1"], "no column j"),
        (["index", "a1", "48"], "no column '8'"),
        (["index", "3-2-1-1", "--states", "3"], "with P = 3 there are 0 to 2"),
        (["index", "3-2-1-1", "44"], "leave 44 out"),
        (["index", "walk", "44"], "'walk' is no cell"),
        (["index", "walk", "44", "--tuple", "71"], "walk has 1 to 70"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_no_file(
    cli: Cli, arguments: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("tuples", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("connectlab: ")
    assert ran.err.count("\n") == 1
    assert part in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_left_ends_it_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        ran = connectlab("tuples", "list", "walk", stdout=write)
    finally:
        os.close(write)
    assert (ran.returncode, ran.stderr) == (1, "")
    first = in_shell("CONNECTLAB tuples list walk | head -n 1")
    assert first.stdout.startswith("walk on 7x6")
    assert first.stderr == ""


def test_the_limits_are_those_of_the_learner() -> None:
    from connectlab.agents.ntuple import config

    assert tuple_options.MOST_TUPLES == config.MOST_TUPLES
    assert tuple_options.LONGEST_TUPLE == config.LONGEST_TUPLE

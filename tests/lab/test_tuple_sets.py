"""Tuple sets by name: files, networks, presets and recipes."""

import json
from pathlib import Path
from typing import get_args

import pytest

from connectlab.agents.ntuple.agent import load_network
from connectlab.agents.ntuple.config import Creation, NTupleConfig
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.tuples import create_tuples
from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry
from connectlab.lab.plans import Request
from connectlab.lab.tuple_sets import CREATIONS, Reading, find_tuples

SMALL = Geometry(5, 4, 3)


def test_a_recipe_draws_what_the_learner_would_draw() -> None:
    for kind in CREATIONS:
        config = NTupleConfig.model_validate(
            {"creation": kind, "tuples": 9, "length": 5, "tuple_seed": 3}
        )
        found = find_tuples(f"{kind}:tuples=9,length=5,seed=3")
        assert found.tuples == Layout.of(config).tuples
        assert (found.states, found.tables, found.mirror) == (4, 2, True)
    assert set(CREATIONS) == set(get_args(Creation)) - {"file"}


def test_another_seed_or_board_is_another_set() -> None:
    one, two = find_tuples("walk:seed=1"), find_tuples("walk:seed=2")
    assert one.tuples != two.tuples
    assert find_tuples("walk:tuples=4,length=5", SMALL).tuples == create_tuples(
        "walk", 4, 5, SMALL, 1
    )


def test_the_weights_are_those_of_the_first_table_of_thill_2012() -> None:
    assert find_tuples("thill-p3").weights == 918_540
    assert find_tuples("thill-p4").weights == 9_175_040
    assert find_tuples("thill-one-table-walk-p4").weights == 9_175_040 // 2


def test_a_preset_is_read_as_it_learns_unless_something_else_is_asked() -> None:
    config = Request("ntuple", preset="thill-p3").config()
    assert isinstance(config, NTupleConfig)
    found = find_tuples("thill-p3")
    assert (found.tuples, found.states) == (Layout.of(config).tuples, 3)
    other = find_tuples("thill-p3", reading=Reading(states=4, tables=1, mirror=False))
    assert (other.tuples, other.states, other.tables, other.mirror) == (found.tuples, 4, 1, False)
    assert find_tuples("thill-p3:seed=2").tuples != found.tuples


def test_realisable_weights_are_those_that_a_network_stores() -> None:
    found = find_tuples("snake:tuples=8,length=6,seed=2", reading=Reading(3, 1, False))
    config = NTupleConfig.model_validate(
        {"creation": "snake", "tuples": 8, "length": 6, "tuple_seed": 2}
        | {"states": 3, "tables": 1, "mirror": False}
    )
    network = Network.create(config)
    assert found.coverage.weights == network.counts.realisable
    assert found.weights == network.counts.all


def test_a_player_a_checkpoint_and_a_run_folder_have_the_tuples_of_their_network(
    tmp_path: Path,
) -> None:
    config = NTupleConfig(columns=5, rows=4, connect=3, tuples=5, length=4, states=3, mirror=False)
    network = Network.create(config)
    file = tmp_path / "best.safetensors"
    network.checkpoint({}).save(file)
    for source in (str(file), str(tmp_path), f"ntuple:{tmp_path}", f"ntuple:{file},depth=3"):
        found = find_tuples(source)
        assert found.tuples == network.layout.tuples
        assert found.geometry == SMALL
        assert (found.states, found.tables, found.mirror) == (3, 2, False)
    assert find_tuples(str(file), STANDARD).geometry == STANDARD
    champion = find_tuples("ntuple:champion")
    assert champion.tuples == load_network("champion").layout.tuples


def test_a_file_says_nothing_of_a_board(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([[[0, 0], [7, 1]]]))
    assert find_tuples(str(file), Geometry(8, 4)).tuples == (((0, 0), (7, 1)),)
    with pytest.raises(UserError, match="outside the 7x6"):
        find_tuples(str(file))


def test_lines_are_counted_that_lie_whole_within_a_tuple(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    row = [[column, 0] for column in range(5)]
    file.write_text(json.dumps([row, row[:3]]))
    assert find_tuples(str(file)).lines_held == (2, 0)


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("wlak", "did you mean 'walk'"),
        ("quik", "did you mean 'quick'"),
        ("zzz", "choose from cover, cover-any, path, sample, snake, walk"),
        ("no-such.json", "no-such.json is no file"),
        ("runs/none", "runs/none is no file"),
        ("", "names nothing"),
        ("~nobody-at-all/x", "is no file"),
        ("walk:tuples=0", "tuples=0"),
        ("walk:length=15", "length=15"),
        ("walk:tuple=3", "did you mean 'tuples'"),
        ("walk:seed=x", "seed=x"),
        ("walk:mine.json", "takes no path"),
        ("minimax:depth=3", "minimax is no n-tuple network"),
        ("ntuple", "needs a path or a name"),
        ("ntuple:nobody", "there is no ntuple player nobody"),
        ("file", "is no file"),
    ],
)
def test_what_names_no_set_is_refused_in_one_line(source: str, part: str) -> None:
    with pytest.raises(UserError, match=part) as refused:
        find_tuples(source)
    assert "\n" not in str(refused.value)


def test_files_that_hold_no_tuples_are_refused(tmp_path: Path) -> None:
    for name, text in (("a.json", "{"), ("b.json", "[]"), ("c.safetensors", "no"), ("d", "[[1]]")):
        file = tmp_path / name
        file.write_text(text)
        with pytest.raises(UserError):
            find_tuples(str(file))
    with pytest.raises(UserError, match="holds no trained player"):
        find_tuples(str(tmp_path))


def test_a_tuple_is_found_by_its_number() -> None:
    found = find_tuples("walk:tuples=3")
    assert found.one(3) == found.tuples[2]
    for number in (0, 4):
        with pytest.raises(UserError, match=f"no tuple {number}: walk:tuples=3 has 1 to 3"):
            found.one(number)

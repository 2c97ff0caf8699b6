"""Hardening a network on a small board, where everything can be walked through."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from connectlab.agents import make_agent
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.arena.hole_lines import HoleLine
from connectlab.arena.proof import Prover
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.lab.hardening import Hardening, Plan, Round, read_plan
from connectlab.lab.hardening_plot import MOST_LINES, chosen_rounds, draw_holes, save_holes
from connectlab.lab.hardening_ways import ByGames, starts_of
from connectlab.storage.checkpoint import Checkpoint, read_header
from connectlab.storage.locks import LockedError

BOARD = Geometry(4, 4, 3)
FEW = {"way": "games", "games": 200, "alpha": 0.1, "average_games": 0}
WAYS = pytest.mark.parametrize("way", ["lessons", "games"])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run that has learned too little."""
    config = NTupleConfig.model_validate(
        {
            "columns": 4,
            "rows": 4,
            "connect": 3,
            "tuples": 12,
            "length": 6,
            "rule": "tcl-exp",
            "alpha": "0.1",
            "games": 60,
            "average_games": 20,
        }
    )
    learner = NTupleLearner(config)
    learner.learn(60)
    folder = tmp_path / "run"
    folder.mkdir()
    learner.state().save(folder / "state.safetensors")
    learner.checkpoint().save(folder / "latest.safetensors")
    return folder


def plan(run: Path, **changes: object) -> Plan:
    return Plan.model_validate({"source": str(run), **FEW, **changes})


@WAYS
def test_rounds_end_in_a_proof_that_stands_without_the_folder(
    tmp_path: Path, run: Path, way: str
) -> None:
    hardening = Hardening(tmp_path / "hard", plan(run, way=way), threads=1)
    rounds = list(hardening.run(60))
    assert rounds[0].holes > 0
    assert rounds[0].games == 60
    assert rounds[0].lessons == 0
    assert rounds[-1].holes == 0
    assert hardening.fewest == 0
    again = Prover(make_agent(hardening.player, BOARD), threads=1).prove()
    assert again.is_proven
    assert again.positions == rounds[-1].positions


def test_every_hole_becomes_a_lesson_and_no_game_is_played(tmp_path: Path, run: Path) -> None:
    rounds = list(Hardening(tmp_path / "hard", plan(run, way="lessons"), threads=1).run(60))
    assert {each.games for each in rounds} == {60}
    told = [each.lessons for each in rounds]
    assert told[:2] == [0, rounds[0].holes]
    assert told == sorted(told)


def test_the_best_is_the_one_with_the_fewest_holes(tmp_path: Path, run: Path) -> None:
    hardening = Hardening(tmp_path / "hard", plan(run, games=5), threads=1)
    rounds = list(hardening.run(6))
    found = Prover(make_agent(hardening.player, BOARD), threads=1).prove()
    assert found.holes == min(each.holes for each in rounds)


@WAYS
def test_what_is_stopped_goes_on_to_the_same_rounds(tmp_path: Path, run: Path, way: str) -> None:
    slow = plan(run, games=5, way=way, margin=0.001, near=10.0)
    whole = list(Hardening(tmp_path / "whole", slow, threads=1).run(4))
    folder = tmp_path / "parts"
    for _ in range(3):
        rounds = Hardening(folder, slow, threads=1).run(4)
        next(rounds)
        next(rounds)
        rounds.close()  # killed after a proof, before the games that follow it
    hardening = Hardening(folder, slow, threads=1)
    assert [each._replace(seconds=0) for each in hardening.rounds] == [
        each._replace(seconds=0) for each in whole
    ]


@WAYS
def test_a_network_that_is_hardened_says_how(tmp_path: Path, run: Path, way: str) -> None:
    folder = tmp_path / "hard"
    rounds = list(Hardening(folder, plan(run, way=way), threads=1).run(60))
    header = read_header(folder / "best.safetensors")
    told = {"lessons": rounds[-1].lessons} if way == "lessons" else {}
    assert header["hardened"] == {"way": way, "rounds": len(rounds) - 1, **told}
    assert header["games_done"] == rounds[-1].games


def test_lessons_are_for_players_without_search(run: Path) -> None:
    with pytest.raises(ValidationError, match="lessons harden a player without search"):
        plan(run, way="lessons", depth=3)


def test_a_folder_that_another_process_works_in_is_refused(tmp_path: Path, run: Path) -> None:
    first = Hardening(tmp_path / "hard", plan(run), threads=1).run(2)
    next(first)
    with pytest.raises(LockedError, match="is in use by another process"):
        next(Hardening(tmp_path / "hard", plan(run), threads=1).run(1))
    first.close()


def test_lessons_go_on_from_a_state_that_says_nothing_of_the_output(
    tmp_path: Path, run: Path
) -> None:
    """States from before there was another output do not."""
    folder = tmp_path / "hard"
    list(Hardening(folder, plan(run, way="lessons"), threads=1).run(2))
    (state,) = (Checkpoint.load(path) for path in folder.glob("state*"))
    assert "output" not in state.header["network"]
    Hardening(folder, plan(run, way="lessons"), threads=1)


def test_a_state_of_another_way_is_refused(tmp_path: Path, run: Path) -> None:
    folder = tmp_path / "hard"
    list(Hardening(folder, plan(run, way="lessons"), threads=1).run(2))
    shutil.copy(run / "state.safetensors", folder / "state.safetensors")
    with pytest.raises(UserError, match="ntuple-state"):
        Hardening(folder, plan(run, way="lessons"), threads=1)


def test_another_plan_for_the_same_folder_is_refused(tmp_path: Path, run: Path) -> None:
    Hardening(tmp_path / "hard", plan(run), threads=1)
    with pytest.raises(UserError, match="holds another hardening"):
        Hardening(tmp_path / "hard", plan(run, games=6), threads=1)


@pytest.mark.parametrize("name", ["plan.json", "rounds.json"])
def test_a_damaged_folder_is_told_in_a_line(tmp_path: Path, run: Path, name: str) -> None:
    folder = tmp_path / "hard"
    list(Hardening(folder, plan(run), threads=1).run(1))
    (folder / name).write_text("{")
    with pytest.raises(UserError, match=f"{name} is damaged"):
        Hardening(folder, plan(run), threads=1)


def test_games_begin_at_the_hole_and_at_positions_of_the_same_side_before_it() -> None:
    lines = [HoleLine("1234", "1", 0.5), HoleLine("12", "3", 0.1)]
    moves = [position.moves for position in starts_of(lines, 3, BOARD)]
    assert moves == ["1234", "12", "", "12", ""]


def test_a_plan_is_read_as_it_was_written(tmp_path: Path, run: Path) -> None:
    folder = tmp_path / "hard"
    Hardening(folder, plan(run), threads=1)
    assert read_plan(folder) == plan(run)
    assert read_plan(tmp_path) is None
    assert json.loads((folder / "plan.json").read_text())["games"] == FEW["games"]


def rounds_with(holes: list[int]) -> list[Round]:
    return [Round(i, 100 * i, 0, 10, n, {"4": n} if n else {}, 0.1) for i, n in enumerate(holes)]


def test_a_picture_shows_the_first_round_and_the_best_and_few_between() -> None:
    few = rounds_with([9, 3, 5])
    assert [each.number for each in chosen_rounds(few)] == [0, 1]
    many = chosen_rounds(rounds_with([*range(40, 0, -1), 3]))
    assert len(many) == MOST_LINES
    assert (many[0].number, many[-1].number) == (0, 39)


def test_the_picture_has_every_round_and_the_holes_by_ply(tmp_path: Path) -> None:
    over_rounds, by_ply = draw_holes(rounds_with([9, 3, 0])).axes
    (line,) = over_rounds.get_lines()
    assert np.asarray(line.get_xdata()).tolist() == [0, 1, 2]
    assert np.asarray(line.get_ydata()).tolist() == [9, 3, 0]
    assert [np.asarray(line.get_ydata()).tolist() for line in by_ply.get_lines()] == [[9], [3], []]
    save_holes(rounds_with([9, 3, 0]), tmp_path / "holes.png")
    assert (tmp_path / "holes.png").stat().st_size > 1000


def test_where_the_first_player_loses_lessons_are_about_gifts(tmp_path: Path) -> None:
    board = {"columns": 6, "rows": 4, "connect": 4, "tuples": 20, "length": 6}
    config = NTupleConfig.model_validate({**board, "rule": "tcl-exp", "alpha": "0.1", "games": 900})
    learner = NTupleLearner(config)
    learner.learn(900)
    source = tmp_path / "network.safetensors"
    learner.checkpoint().save(source)
    rounds = list(Hardening(tmp_path / "hard", plan(source, way="lessons"), threads=1).run(3))
    assert rounds[0].holes > 100
    assert rounds[2].holes < 0.5 * rounds[0].holes


def test_games_explore_as_the_run_did_at_its_end(run: Path) -> None:
    state = Checkpoint.load(run / "state.safetensors")
    config = {**state.header["config"], "epsilon": "0.9->0.2", "epsilon_second": "0.8->0.3"}  # type: ignore[dict-item]
    Checkpoint(state.kind, {**state.header, "config": config}, state.arrays).save(
        run / "state.safetensors"
    )
    way = ByGames(plan(run))
    assert way._learner._rates(60, 1)[0, 1:].tolist() == [0.2, 0.3]


def test_what_nothing_can_be_learned_from_ends_it(tmp_path: Path, run: Path) -> None:
    """One cell in a corner tells few moves apart, and none of the first ones."""
    tuples = tmp_path / "tuples.json"
    tuples.write_text("[[[0, 3]]]")
    config = {"columns": 4, "rows": 4, "connect": 3, "games": 10, "tuples": 1}
    learner = NTupleLearner(
        NTupleConfig.model_validate({**config, "creation": "file", "tuple_file": str(tuples)})
    )
    source = tmp_path / "network.safetensors"
    learner.checkpoint().save(source)
    hardening = Hardening(tmp_path / "hard", plan(source, way="lessons"), threads=1)
    assert len(list(hardening.run(50))) < 50
    assert hardening.is_stuck
    assert hardening.fewest != 0


def test_a_source_that_was_hardened_before_is_told(tmp_path: Path, run: Path) -> None:
    first = Hardening(tmp_path / "first", plan(run, way="lessons"), threads=1)
    list(first.run(60))
    again = plan(tmp_path / "first", way="lessons")
    list(Hardening(tmp_path / "again", again, threads=1).run(1))
    header = read_header(tmp_path / "again" / "best.safetensors")
    before = read_header(tmp_path / "first" / "best.safetensors")["hardened"]
    assert header["hardened"] == {"way": "lessons", "rounds": 0, "lessons": 0, "before": before}


@pytest.mark.parametrize("name", ["hardened", "a,b", "a=b"])
def test_the_player_is_that_of_the_folder_whatever_its_name(
    tmp_path: Path, run: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    hardening = Hardening(Path(name), plan(run, way="lessons"), threads=1)
    list(hardening.run(2))
    assert make_agent(hardening.player, BOARD).policy_of(Position(BOARD))


@pytest.mark.parametrize(
    ("key", "value"), [("holes", "x"), ("holes", -5), ("seconds", "NaN"), ("by_ply", {"zz": 1})]
)
def test_rounds_that_cannot_be_are_damage(
    tmp_path: Path, run: Path, key: str, value: object
) -> None:
    folder = tmp_path / "hard"
    list(Hardening(folder, plan(run), threads=1).run(1))
    (found,) = json.loads((folder / "rounds.json").read_text())
    (folder / "rounds.json").write_text(json.dumps([{**found, key: value}]))
    with pytest.raises(UserError, match=r"rounds\.json is damaged"):
        Hardening(folder, plan(run), threads=1)


@pytest.mark.parametrize("change", [{"alpha": float("inf")}, {"games": 10**9}, {"margin": 0}])
def test_settings_beyond_reason_are_refused(run: Path, change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        plan(run, **change)

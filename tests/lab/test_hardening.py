"""Hardening a network on a small board, where everything can be walked through."""

import json
from pathlib import Path

import numpy as np
import pytest

from connectlab.agents import make_agent
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.arena.hole_lines import HoleLine
from connectlab.arena.proof import Prover
from connectlab.errors import UserError
from connectlab.game import Geometry
from connectlab.lab.hardening import Hardening, Plan, Round, _starts, read_plan
from connectlab.lab.hardening_plot import MOST_LINES, chosen_rounds, draw_holes, save_holes

BOARD = Geometry(4, 4, 3)
FEW = {"games": 200, "alpha": 0.1, "average_games": 0}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state of a run that has learned too little."""
    config = NTupleConfig.model_validate(
        {
            "columns": 4,
            "rows": 4,
            "connect": 3,
            "tuples": 8,
            "length": 4,
            "rule": "tcl-exp",
            "alpha": "0.1",
            "games": 60,
            "average_games": 20,
        }
    )
    learner = NTupleLearner(config)
    learner.learn(60)
    path = tmp_path / "state.safetensors"
    learner.state().save(path)
    return path


def plan(state: Path, **changes: object) -> Plan:
    return Plan.model_validate({"source": str(state), **FEW, **changes})


def test_rounds_end_in_a_proof_that_stands_without_the_folder(tmp_path: Path, state: Path) -> None:
    hardening = Hardening(tmp_path / "hard", plan(state), threads=1)
    rounds = list(hardening.run(60))
    assert rounds[0].holes > 0
    assert rounds[0].games == 60
    assert rounds[-1].holes == 0
    assert hardening.fewest == 0
    again = Prover(make_agent(hardening.player, BOARD), threads=1).prove()
    assert again.is_proven
    assert again.positions == rounds[-1].positions


def test_the_best_is_the_one_with_the_fewest_holes(tmp_path: Path, state: Path) -> None:
    hardening = Hardening(tmp_path / "hard", plan(state, games=5), threads=1)
    rounds = list(hardening.run(6))
    found = Prover(make_agent(hardening.player, BOARD), threads=1).prove()
    assert found.holes == min(each.holes for each in rounds)


def test_what_is_stopped_goes_on_to_the_same_rounds(tmp_path: Path, state: Path) -> None:
    whole = list(Hardening(tmp_path / "whole", plan(state, games=5), threads=1).run(4))
    folder = tmp_path / "parts"
    for _ in range(3):
        rounds = Hardening(folder, plan(state, games=5), threads=1).run(4)
        next(rounds)
        next(rounds)
        rounds.close()  # killed after a proof, before the games that follow it
    hardening = Hardening(folder, plan(state, games=5), threads=1)
    assert [each._replace(seconds=0) for each in hardening.rounds] == [
        each._replace(seconds=0) for each in whole
    ]


def test_a_network_that_is_hardened_says_so(tmp_path: Path, state: Path) -> None:
    from connectlab.storage.checkpoint import read_header

    folder = tmp_path / "hard"
    list(Hardening(folder, plan(state), threads=1).run(1))
    assert read_header(folder / "best.safetensors")["hardened"] is True


def test_another_plan_for_the_same_folder_is_refused(tmp_path: Path, state: Path) -> None:
    Hardening(tmp_path / "hard", plan(state), threads=1)
    with pytest.raises(UserError, match="holds another hardening"):
        Hardening(tmp_path / "hard", plan(state, games=6), threads=1)


@pytest.mark.parametrize("name", ["plan.json", "rounds.json"])
def test_a_damaged_folder_is_told_in_a_line(tmp_path: Path, state: Path, name: str) -> None:
    folder = tmp_path / "hard"
    list(Hardening(folder, plan(state), threads=1).run(1))
    (folder / name).write_text("{")
    with pytest.raises(UserError, match=f"{name} is damaged"):
        Hardening(folder, plan(state), threads=1)


def test_games_begin_at_the_hole_and_at_positions_of_the_same_side_before_it() -> None:
    lines = [HoleLine("1234", "1", 0.5), HoleLine("12", "3", 0.1)]
    moves = [position.moves for position in _starts(lines, 3, BOARD)]
    assert moves == ["1234", "12", "", "12", ""]


def test_a_plan_is_read_as_it_was_written(tmp_path: Path, state: Path) -> None:
    folder = tmp_path / "hard"
    Hardening(folder, plan(state), threads=1)
    assert read_plan(folder) == plan(state)
    assert read_plan(tmp_path) is None
    assert json.loads((folder / "plan.json").read_text())["games"] == FEW["games"]


def rounds_with(holes: list[int]) -> list[Round]:
    return [Round(i, 100 * i, 10, n, {"4": n} if n else {}, 0.1) for i, n in enumerate(holes)]


def test_a_picture_shows_the_first_round_and_the_best_and_few_between() -> None:
    few = rounds_with([9, 3, 5])
    assert [each.number for each in chosen_rounds(few)] == [0, 1]
    many = chosen_rounds(rounds_with([*range(40, 0, -1), 3]))
    assert len(many) == MOST_LINES
    assert (many[0].number, many[-1].number) == (0, 39)


def test_the_picture_has_every_round_and_the_holes_by_ply(tmp_path: Path) -> None:
    over_games, by_ply = draw_holes(rounds_with([9, 3, 0])).axes
    (line,) = over_games.get_lines()
    assert np.asarray(line.get_ydata()).tolist() == [9, 3, 0]
    assert [np.asarray(line.get_ydata()).tolist() for line in by_ply.get_lines()] == [[9], [3], []]
    save_holes(rounds_with([9, 3, 0]), tmp_path / "holes.png")
    assert (tmp_path / "holes.png").stat().st_size > 1000

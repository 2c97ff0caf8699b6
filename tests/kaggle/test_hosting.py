"""An agent plays here as it does in the real ConnectX: it sees the same and loses by the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from real import environment

from connectlab.agents import make_agent
from connectlab.agents.kaggle.agent import KaggleAgent
from connectlab.game import STANDARD, Geometry, Position
from connectlab.integrations.kaggle import read_replay

BOARDS = [STANDARD, Geometry(5, 4, 3), Geometry(9, 5, 4)]
WITNESS = """
import json
from helper import nearest

calls = []

def agent(obs, config):
    assert type(obs).__name__ == "Struct" and obs.mark == obs["mark"]
    calls.append(obs.step)
    with open({log!r}, "a") as file:
        file.write(json.dumps([obs, config, calls, type(obs.step).__name__]) + "\\n")
    return nearest(obs.board, config.columns)
"""
HELPER = """
def nearest(board, columns):
    free = [c for c in range(columns) if board[c] == 0]
    return min(free, key=lambda c: abs(2 * c - columns + 1))
"""


def hosted(path: Path, geometry: Geometry) -> KaggleAgent:
    agent = make_agent(f'kaggle:"{path}"', geometry)
    assert isinstance(agent, KaggleAgent)
    return agent


def seen(log: Path) -> list[Any]:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    log.unlink()
    return lines


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
@pytest.mark.parametrize("side", [0, 1])
def test_it_sees_the_same_and_plays_the_same(geometry: Geometry, side: int, tmp_path: Path) -> None:
    file, log = tmp_path / "main.py", tmp_path / "seen"
    file.write_text(WITNESS.format(log=str(log)))
    (tmp_path / "helper.py").write_text(HELPER)
    real = environment(geometry)
    real.run([str(file), "random"] if side == 0 else ["random", str(file)])
    replay = read_replay(real.toJSON())
    there = seen(log)
    agent, position, played = hosted(file, geometry), Position(geometry), []
    for column in replay.columns:
        if position.first_to_move == (side == 0):
            played.append(agent.choose_one(position, stream=7) == column)
        position = position.play(column)
    assert all(played)
    assert len(played) == len(there) > 1
    assert seen(log) == there


ANSWERS = {
    "None": None,
    "0": None,
    "'2'": "INVALID",
    "True": "INVALID",
    "[2]": "INVALID",
    "7": "INVALID",
    "-1": "INVALID",
    "__import__('numpy').int64(2)": "INVALID",
    "2.5": "INVALID",
    "1 // 0": "ERROR",
    "undefined": "ERROR",
    "obs.board.index(9)": "ERROR",
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_is_no_move_there_is_none_here(answer: str, tmp_path: Path) -> None:
    file = tmp_path / "main.py"
    file.write_text(f"def agent(obs, config):\n    return {answer} if obs.step > 1 else 3")
    real = environment(STANDARD)
    real.run([str(file), "random"])
    replay = read_replay(real.toJSON())
    third = Position.from_moves(replay.columns[:2])
    agent = hosted(file, STANDARD)
    if ANSWERS[answer] is None:
        assert replay.forfeit is None or len(replay.columns) > 2
        assert agent.choose_one(third) == replay.columns[2] == 0
    else:
        assert replay.forfeit is not None
        assert replay.forfeit.status == ANSWERS[answer]
        assert len(replay.columns) == 2
        assert agent.policy_of(third) == (0.0,) * 7
        assert agent.forfeit_reason(third, 0)


@pytest.mark.parametrize("source", ["x = 1", "import no_such_module", "def f():\n    return 1/0"])
def test_a_file_that_fails_there_fails_here(source: str, tmp_path: Path) -> None:
    file = tmp_path / "main.py"
    file.write_text(source)
    real = environment(STANDARD)
    real.run([str(file), "random"])
    assert read_replay(real.toJSON()).forfeit is not None
    assert hosted(file, STANDARD).policy_of(Position()) == (0.0,) * 7


def test_time_beyond_that_of_a_move_is_counted_alike(tmp_path: Path) -> None:
    """A sleep is never shorter than asked for, so what is left is known from one side."""
    file, log = tmp_path / "main.py", tmp_path / "seen"
    file.write_text(
        "import time\ndef agent(obs):\n"
        f"    with open({str(log)!r}, 'a') as file:\n"
        "        file.write(f'{obs.remainingOverageTime}\\n')\n"
        "    time.sleep(0.3 if obs.step == 2 else 0)\n    return obs.step // 2\n"
    )
    real = environment(STANDARD, actTimeout=0.1)
    real.run([str(file), lambda obs: 6])
    there = [float(line) for line in seen(log)]
    agent = make_agent(f'kaggle:"{file}",seconds=0.1')
    for moves in ("", "17", "1727", "172737"):
        agent.choose_one(Position.from_moves(moves))
    here = [float(line) for line in seen(log)]
    for left in (there, here):
        assert left[:2] == [60, 60]
        assert left[2] <= 59.8
        assert left[3] == left[2]

"""Episodes of the real ConnectX are read and counted as what they were."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from real import environment

from connectlab.arena.match import Tally
from connectlab.game import STANDARD, Geometry, Outcome
from connectlab.integrations.kaggle import count_replays, read_replay

BOARDS = [STANDARD, Geometry(4, 4, 3), Geometry(3, 3, 4), Geometry(10, 5, 5)]


def play(geometry: Geometry, *agents: object, **configuration: object) -> dict[str, Any]:
    played = environment(geometry, **configuration)
    played.run(list(agents))
    document: dict[str, Any] = json.loads(json.dumps(played.toJSON()))
    return document


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_a_game_is_what_its_rewards_say(geometry: Geometry) -> None:
    random.seed(3)
    outcomes = set()
    for _ in range(12):
        document = play(geometry, "random", "random")
        replay = read_replay(document)
        assert replay.geometry == geometry
        assert replay.forfeit is None
        assert len(replay.columns) == len(document["steps"]) - 1
        assert replay.outcome.first_player_value == document["rewards"][0]
        assert replay.position.to_kaggle() == document["steps"][-1][0]["observation"]["board"]
        outcomes.add(replay.outcome)
    assert outcomes == {Outcome.DRAW} if geometry == Geometry(3, 3, 4) else len(outcomes) > 1


def crash(obs: object) -> int:
    raise RuntimeError(obs)


def overflow(obs: object) -> int:
    return 99


def word(obs: object) -> str:
    return "left"


@pytest.mark.parametrize(
    ("agent", "status"), [(crash, "ERROR"), (overflow, "INVALID"), (word, "INVALID")]
)
@pytest.mark.parametrize("side", [0, 1])
def test_the_offender_loses_though_kaggle_gives_the_other_nothing(
    agent: object, status: str, side: int
) -> None:
    document = play(STANDARD, *([agent, "random"] if side == 0 else ["random", agent]))
    assert document["rewards"] == ([None, 0] if side == 0 else [0, None])
    replay = read_replay(document)
    assert replay.forfeit is not None
    assert (replay.forfeit.first, replay.forfeit.status) == (side == 0, status)
    assert replay.outcome is (Outcome.SECOND_WINS if side == 0 else Outcome.FIRST_WINS)
    assert len(replay.columns) == side
    counted = [count_replays([replay], first=first) for first in (True, False)]
    lost, won = Tally(losses=1), Tally(wins=1)
    assert counted == ([lost, won] if side == 0 else [won, lost])


def test_a_side_that_ran_out_of_time_loses() -> None:
    """No time for a move and none for the game: the first move is late, however quick it is."""
    real = environment(STANDARD, overage=0, actTimeout=0)
    real.run(["random", "random"])
    replay = read_replay(real.toJSON())
    assert replay.forfeit is not None
    assert (replay.forfeit.status, replay.forfeit.reason) == ("TIMEOUT", "ran out of time")
    assert replay.outcome is Outcome.SECOND_WINS


def test_an_episode_that_meets_its_limit_is_a_draw() -> None:
    replay = read_replay(play(STANDARD, lambda obs: 0, lambda obs: 1, episodeSteps=4))
    assert replay.outcome is Outcome.DRAW
    assert replay.moves == "121"


def test_the_files_on_record_are_still_what_kaggle_writes() -> None:
    folder = Path(__file__).parents[1] / "golden" / "kaggle"
    for path in sorted(folder.glob("*.json")):
        kept = json.loads(path.read_text())
        board = Geometry(*(kept["configuration"][key] for key in ("columns", "rows", "inarow")))
        replay = read_replay(kept)
        lost = replay.forfeit
        lines = [[*replay.columns[side::2], *([99] if lost and lost.first == (side == 0) else [])]
                 for side in (0, 1)]  # fmt: skip
        again = play(board, *(iterate(line) for line in lines))
        different = {"id", "module_version"}
        assert {k: v for k, v in again.items() if k not in different} == {
            k: v for k, v in kept.items() if k not in different
        }
    assert len(list(folder.glob("*.json"))) == 3


def iterate(columns: list[int]) -> object:
    left = iter(columns)
    return lambda obs: next(left)

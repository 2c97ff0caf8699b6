"""Exported players play whole games in the real ConnectX, with the moves of the player itself."""

import tarfile
from pathlib import Path

import pytest
from real import environment

from connectlab.agents import Agent, make_agent
from connectlab.game import STANDARD, Geometry, Position
from connectlab.integrations.kaggle import Replay, export, read_replay

PLAYERS = [
    "random",
    "extend",
    "negamax:depth=3",
    "minimax:depth=3",
    "mlp:best",
    "qtable:cheng-known",
    "ntuple:champion",
    "ntuple:champion,depth=3",
    "mcts:iterations=60",
    "perfect",
]
ON_OTHER_BOARDS = [
    ("minimax:depth=2", Geometry(5, 4, 4)),
    ("negamax:depth=2", Geometry(9, 5, 4)),
    ("mcts:iterations=40", Geometry(4, 4, 3)),
    ("perfect", Geometry(4, 4, 4)),
]
IN_TIME = ["ntuple:champion,depth=2", "mcts:iterations=10"]
"""Players that think on as long as there is time."""
NEEDS_TIME = {"perfect": ("perfect:objective=outcome", 2.0)}
"""Players that are themselves only with time, who judges them, and the seconds of a move: in a slow
moment the perfect one may not find the shortest win, but it keeps the result."""
BY_LOT = {"mcts"}
"""Players whose policy comes from chance, so that only their legality can be compared."""


def exported(spec: str, geometry: Geometry, folder: Path) -> Path:
    """The main.py of a player, with its weights beside it."""
    archive = export(spec, folder / "submission.tar.gz", geometry=geometry)
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder / "main.py"


def played(file: Path, side: int, geometry: Geometry, seconds: float = 0.0) -> Replay:
    """Play a game against a random player; without seconds nobody searches more than he must."""
    real = environment(geometry, actTimeout=seconds)
    real.run([str(file), "random"] if side == 0 else ["random", str(file)])
    assert [state.status for state in real.state] == ["DONE", "DONE"], real.logs[-1]
    return read_replay(real.toJSON())


def strange_moves(replay: Replay, side: int, agent: Agent) -> list[str]:
    """Moves of the exported player that the player itself would not make."""
    position, found = Position(replay.geometry), []
    for column in replay.columns:
        ours = position.first_to_move == (side == 0)
        if ours and not agent.policy_of(position)[column] > 0:
            found.append(f"{position.moves} then {column + 1}")
        position = position.play(column)
    return found


def check(spec: str, geometry: Geometry, folder: Path) -> None:
    file = exported(spec, geometry, folder)
    judge, seconds = NEEDS_TIME.get(spec, (spec, 0.0))
    agent = make_agent(judge, geometry)
    for side in (0, 1):
        replay = played(file, side, geometry, seconds)
        assert len(replay.columns) >= 2 * geometry.connect - 1
        if agent.settings.name not in BY_LOT:
            assert strange_moves(replay, side, agent) == []


@pytest.mark.parametrize("spec", PLAYERS)
def test_it_plays_whole_games_and_makes_the_moves_of_the_player(spec: str, tmp_path: Path) -> None:
    check(spec, STANDARD, tmp_path)


@pytest.mark.parametrize(("spec", "geometry"), ON_OTHER_BOARDS, ids=str)
def test_it_does_so_on_other_boards(spec: str, geometry: Geometry, tmp_path: Path) -> None:
    check(spec, geometry, tmp_path)


@pytest.mark.parametrize("spec", IN_TIME)
def test_it_keeps_to_the_time_of_a_move(spec: str, tmp_path: Path) -> None:
    file = exported(spec, STANDARD, tmp_path)
    for side in (0, 1):
        assert played(file, side, STANDARD, seconds=0.3).forfeit is None


def test_a_move_of_another_player_would_be_noticed(tmp_path: Path) -> None:
    replay = played(exported("extend", STANDARD, tmp_path), 0, STANDARD)
    assert strange_moves(replay, 0, make_agent("perfect")) != []


def test_an_archive_as_it_is_can_play_here(tmp_path: Path) -> None:
    archive = export("ntuple:champion", tmp_path / "submission.tar.gz")
    hosted, itself = make_agent(f"kaggle:{archive}"), make_agent("ntuple:champion")
    position = Position()
    while not position.is_over:
        column = hosted.choose_one(position, stream=3)
        assert itself.policy_of(position)[column] > 0
        position = position.play(column)

"""Games on record: a change in what a player plays must be meant.

Run this file with names of players to write their games anew.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from examples import NAMES, SPECS, example

from connectlab.agents import Agent
from connectlab.game import STANDARD, Geometry, PositionBatch
from connectlab.game.notation import format_moves

FOLDER = Path(__file__).parents[1] / "golden" / "games"
BOARDS = [STANDARD, Geometry(5, 4, 4)]
GAMES = 3
SEED = 2024


def play_games(agent: Agent) -> list[str]:
    """Let a player play against itself; return the moves of each game."""
    games = []
    for number in range(GAMES):
        batch = PositionBatch.start(1, agent.geometry, seed=SEED, first=number)
        columns: list[int] = []
        while batch.outcomes[0] == 0:
            chosen = agent.choose(batch)
            columns.append(int(chosen[0]))
            batch = batch.play(chosen)
        games.append(format_moves(columns, agent.geometry))
    return games


def record(name: str) -> dict[str, Any]:
    games = {str(board): play_games(example(name, board)) for board in BOARDS}
    return {"spec": SPECS.get(name, name), "seed": SEED, "games": games}


@pytest.mark.parametrize("name", NAMES)
def test_plays_the_games_on_record(name: str) -> None:
    path = FOLDER / f"{name}.json"
    assert path.is_file(), f"{name} has no golden game: python {Path(__file__).name} {name}"
    assert record(name) == json.loads(path.read_text(encoding="utf-8"))


def test_no_record_is_left_of_a_player_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(NAMES)


if __name__ == "__main__":
    for chosen in sys.argv[1:]:
        text = json.dumps(record(chosen), indent=2) + "\n"
        (FOLDER / f"{chosen}.json").write_text(text, encoding="utf-8")

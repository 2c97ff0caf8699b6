"""Games of variants on record: a change in their rules or in what players do there must be meant.

Run this file to write them anew.
"""

import json
from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.game import Geometry, Position
from connectlab.game.streams import make_streams
from connectlab.game.variants import Variant

FILE = Path(__file__).parents[1] / "golden" / "variant_games.json"
GAMES = 3
SEED = 2024
VARIANTS = ["slip:0.2", "drop-row:0.15", "slip:0.1+drop-row:0.1", "counts", "slip:0.2+counts"]
PLAYERS = ["random", "extend", "minimax:depth=3", "negamax", "mcts:iterations=60", "perfect"]


def play_game(spec: str, board: Geometry, number: int) -> str:
    """Let a player play against itself; return where stones landed and rows fell."""
    stream = int(make_streams(SEED, 1, number)[0])
    agent, position = make_agent(spec, board), Position(board)
    while not position.is_over:
        column = agent.choose_one(position, stream=stream)
        position = position.attempt(column, stream=stream)
    return position.moves


def record() -> dict[str, dict[str, list[str]]]:
    games: dict[str, dict[str, list[str]]] = {}
    for text in VARIANTS:
        board = Geometry(4, 4, 3, Variant.parse(text))
        players = [spec for spec in PLAYERS if not board.variant.counts or _sees_counts(spec)]
        games[str(board)] = {
            spec: [play_game(spec, board, number) for number in range(GAMES)] for spec in players
        }
    return games


def _sees_counts(spec: str) -> bool:
    return spec == "random" or spec.startswith("mcts")


@pytest.mark.parametrize("text", VARIANTS)
def test_plays_the_games_on_record(text: str) -> None:
    board = Geometry(4, 4, 3, Variant.parse(text))
    kept = json.loads(FILE.read_text(encoding="utf-8"))[str(board)]
    for spec, games in kept.items():
        assert [play_game(spec, board, number) for number in range(GAMES)] == games, spec
    assert len(kept) == (2 if board.variant.counts else len(PLAYERS))


if __name__ == "__main__":
    FILE.write_text(json.dumps(record(), indent=2) + "\n", encoding="utf-8")

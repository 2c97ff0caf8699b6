"""How many games and positions there are: counts that a wrong rule would miss."""

import json
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import naive
from connectlab.game import STANDARD, Geometry, Outcome, PositionBatch

STORED = json.loads((Path(__file__).parents[1] / "golden" / "perft.json").read_text())

GAMES_BY_LENGTH = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
"""Ways to play that many moves on the standard board."""

POSITIONS_BY_PLY = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683]
"""Positions of the standard board by number of stones: OEIS A212693."""


def moves(batch: PositionBatch) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return every legal move as (position, column); a finished game has none."""
    legal = batch.legal & (batch.outcomes == Outcome.ONGOING)[:, None]
    parents, columns = np.nonzero(legal)
    return parents, columns


def perft(board: Geometry, depth: int) -> list[int]:
    """Count the games of 1 to ``depth`` moves one by one."""
    batch = PositionBatch.start(1, board)
    counts = []
    for _ in range(depth):
        parents, columns = moves(batch)
        batch = batch[parents].play(columns)
        counts.append(len(batch))
    return counts


def layers(board: Geometry, depth: int) -> tuple[list[int], list[int]]:
    """Return the positions with 0 to ``depth`` stones and the games that lead to them."""
    batch = PositionBatch.start(1, board)
    ways = np.ones(1)
    positions, games = [1], [1]
    for _ in range(depth):
        parents, columns = moves(batch)
        batch = batch[parents].play(columns)
        # This sum tells positions apart: own stones of each column under a bit that marks its top.
        keys = batch.mover + batch.occupied + board.shape.bottom
        _, first, same = np.unique(keys, return_index=True, return_inverse=True)
        batch, ways = batch[first], np.bincount(same, weights=ways[parents])
        positions.append(len(batch))
        games.append(int(ways.sum()))
    return positions, games


def test_games_of_the_standard_board_are_as_many_as_published() -> None:
    assert perft(STANDARD, len(GAMES_BY_LENGTH)) == GAMES_BY_LENGTH


def test_positions_of_the_standard_board_are_as_many_as_published() -> None:
    positions, games = layers(STANDARD, 9)
    assert positions == POSITIONS_BY_PLY[:10]
    assert games[1:9] == GAMES_BY_LENGTH


@pytest.mark.slow
def test_positions_up_to_eleven_plies_are_as_many_as_published() -> None:
    assert layers(STANDARD, 11)[0] == POSITIONS_BY_PLY


def board_name(entry: dict[str, Any]) -> str:
    return f"{entry['columns']}x{entry['rows']}-{entry['connect']}"


@pytest.mark.parametrize("entry", STORED, ids=board_name)
def test_games_of_other_boards_are_as_many_as_the_oracle_counted(entry: dict[str, Any]) -> None:
    board = Geometry(entry["columns"], entry["rows"], entry["connect"])
    _, games = layers(board, len(entry["counts"]))
    assert games[1:] == entry["counts"]


@pytest.mark.parametrize("entry", STORED, ids=board_name)
def test_stored_counts_come_from_the_oracle(entry: dict[str, Any]) -> None:
    quick = list(takewhile(lambda count: count < 1500, entry["counts"]))[:12]
    size = entry["columns"], entry["rows"], entry["connect"]
    assert naive.perft(*size, len(quick)) == quick


def test_the_oracle_counts_the_published_games() -> None:
    assert naive.perft(7, 6, 4, 5) == GAMES_BY_LENGTH[:5]


def test_a_wrong_rule_would_be_noticed() -> None:
    """Four in a line and five in a line part ways within the published depth."""
    positions, games = layers(Geometry(7, 6, 5), 8)
    assert games[1:8] == GAMES_BY_LENGTH[:7]
    assert games[8] != GAMES_BY_LENGTH[7]
    assert positions[8] != POSITIONS_BY_PLY[8]

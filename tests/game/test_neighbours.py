"""What follows positions and what they come from, against games that are played one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NOTABLE_BOARDS, any_board

from connectlab.game import Geometry, Outcome, PositionBatch
from connectlab.game.neighbours import batch_of, origins, replies, smaller_keys
from connectlab.game.random_lines import random_lines

BOARDS = st.one_of(st.sampled_from(NOTABLE_BOARDS), any_board())
SEEDS = st.integers(0, 2**32)


def some_positions(board: Geometry, seed: int) -> PositionBatch:
    """Positions of different games that go on."""
    return random_lines(30, 1, max(1, board.cells - 1), geometry=board, seed=seed).batch


@settings(max_examples=60)
@given(BOARDS, SEEDS)
def test_a_key_tells_all_stones(board: Geometry, seed: int) -> None:
    batch = some_positions(board, seed)
    again = batch_of(batch.keys, board)
    assert again.positions() == batch.positions()
    assert batch_of(PositionBatch.start(2, board).keys, board).plies.tolist() == [0, 0]


@settings(max_examples=60)
@given(BOARDS, SEEDS)
def test_a_position_and_its_mirror_image_have_one_key(board: Geometry, seed: int) -> None:
    batch = some_positions(board, seed)
    keys = smaller_keys(batch)
    assert keys.tolist() == smaller_keys(batch.mirror()).tolist()
    assert keys.tolist() == np.minimum(batch.keys, batch.mirror().keys).tolist()


@settings(max_examples=60)
@given(BOARDS, SEEDS, st.booleans())
def test_all_replies_share_the_weight_of_a_position(
    board: Geometry, seed: int, mirrored: bool
) -> None:
    batch = some_positions(board, seed)
    weights = np.arange(1.0, 1.0 + len(batch))
    keys, shares = replies(batch, weights, mirrored=mirrored)
    expected = []
    for position, weight in zip(batch.positions(), weights.tolist(), strict=True):
        columns = position.legal_columns
        for after in map(position.play, columns):
            if after.outcome is Outcome.ONGOING:
                found = PositionBatch.of([after])
                key = smaller_keys(found) if mirrored else found.keys
                expected.append((int(key[0]), weight / len(columns)))
    assert list(zip(keys.tolist(), shares.tolist(), strict=True)) == expected


@settings(max_examples=60)
@given(BOARDS, SEEDS)
def test_two_moves_lead_from_an_origin_to_the_position(board: Geometry, seed: int) -> None:
    batch = some_positions(board, seed)
    found = origins(batch)
    moved = found.batch.play(found.columns)
    assert (moved.outcomes == Outcome.ONGOING).all()
    assert moved.play(found.replies).keys.tolist() == batch.keys[found.rows].tolist()


@settings(max_examples=60)
@given(BOARDS, SEEDS)
def test_the_way_that_was_gone_is_among_the_origins(board: Geometry, seed: int) -> None:
    lines = random_lines(30, 1, max(1, board.cells - 1), geometry=board, seed=seed)
    found = origins(lines.batch)
    steps = set(
        zip(
            found.rows.tolist(),
            found.batch.keys.tolist(),
            found.columns.tolist(),
            found.replies.tolist(),
            strict=True,
        )
    )
    assert len(steps) == len(found.rows), "one way is told twice"
    for number, moves in enumerate(lines.moves):
        if len(moves) < 2:
            continue
        before = PositionBatch.start(1, board)
        for column in moves[:-2]:
            before = before.play(np.array([column]))
        assert (number, int(before.keys[0]), moves[-2], moves[-1]) in steps


def test_an_empty_board_and_one_stone_have_no_origin() -> None:
    start = PositionBatch.start(1)
    assert len(origins(start).rows) == 0
    assert len(origins(start.play(np.array([3]))).rows) == 0

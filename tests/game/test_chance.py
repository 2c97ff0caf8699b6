"""Moves that slip and rows that fall, against a naive game and against what chance may do."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_board, games

from connectlab.errors import GameError
from connectlab.game import Geometry, Outcome, Position, PositionBatch
from connectlab.game.bitboard import DRAW, ILLEGAL_MOVE, ONGOING, has_line, step
from connectlab.game.lockstep import Lockstep
from connectlab.game.streams import GAMMA, at_ply, uniform
from connectlab.game.variants import (
    LONGEST_GAME,
    WON,
    Variant,
    chance_move,
    chance_state,
    chance_step,
    drop_bottom,
)
from naive import NaiveGame

BOTH = Variant(slip=0.3, drop_row=0.2)
STANDS = {"ongoing": ONGOING, "draw": DRAW, "first wins": WON, "second wins": WON}
seeds = st.integers(0, 2**64 - 1)


def naive_move(game: NaiveGame, column: int, state: int, variant: Variant) -> tuple[int, bool]:
    """Play by the rules as they are written; return where the stone landed and if a row fell."""
    mask = 2**64 - 1
    landed, fell = column, False
    if variant.slip:
        state = (state + int(GAMMA)) & mask
        lot = uniform(state)
        if lot < variant.slip:
            landed = game.slip(column, -1 if lot < variant.slip / 2 else 1)
    game.play(landed)
    if variant.drop_row and not game.winner():
        state = (state + int(GAMMA)) & mask
        fell = uniform(state) < variant.drop_row
    if fell:
        game.fall()
    return landed, fell


def with_variant(board: Geometry, variant: Variant) -> Geometry:
    return Geometry(board.columns, board.rows, board.connect, variant)


@settings(max_examples=150)
@given(any_board(), seeds, st.sampled_from([0.0, 0.3, 0.9]), st.sampled_from([0.0, 0.2, 0.7]))
def test_plays_by_the_rules_of_a_naive_game(
    plain: Geometry, seed: int, slip: float, drop_row: float
) -> None:
    variant = Variant(slip, drop_row)
    board = with_variant(plain, variant)
    naive = NaiveGame(board.columns, board.rows, board.connect)
    random = Random(seed)
    position = Position(board)
    for _ in range(min(60, 2 * board.cells)):
        column = random.choice(naive.legal_columns())
        state = random.getrandbits(64)
        mover, occupied, after, stands, landed, fell = chance_move(
            position.mover, position.occupied, column, state, board.shape, variant.odds
        )
        assert (landed, fell) == naive_move(naive, column, state, variant)
        assert stands == STANDS[naive.outcome()]
        assert chance_step(
            position.mover, position.occupied, column, state, board.shape, variant.odds
        ) == (mover, occupied, after, stands)
        position = position.play(landed).fall() if fell else position.play(landed)
        assert (position.mover, position.occupied) == (mover, occupied)
        assert position.drawing() == naive.drawing()
        assert position.outcome.name.replace("_", " ").lower() == naive.outcome()
        assert position.first_to_move == (naive.player == 1)
        if stands != ONGOING:
            break
    assert Position.from_moves(position.moves, board) == position


@given(games(), seeds)
def test_without_odds_it_is_the_plain_step_and_draws_nothing(
    game: tuple[Geometry, NaiveGame], state: int
) -> None:
    board, naive = game
    position = Position.from_moves(naive.history, board)
    if position.is_over:
        return
    for column in range(-1, board.columns + 1):
        mover, occupied, stands = step(position.mover, position.occupied, column, board.shape)
        told = stands if stands in (ONGOING, DRAW, ILLEGAL_MOVE) else WON
        assert chance_step(
            position.mover, position.occupied, column, state, board.shape, Variant().odds
        ) == (mover, occupied, state, told)


@given(games())
def test_no_line_arises_when_the_bottom_row_falls(game: tuple[Geometry, NaiveGame]) -> None:
    board, naive = game
    position = Position.from_moves(naive.history, board)
    for stones in (position.mover, position.opponent):
        left = drop_bottom(stones, board.shape)
        assert not has_line(left, board.shape) or has_line(stones, board.shape)


def test_chances_come_as_often_as_they_should() -> None:
    board = Geometry(4, 4, 4, BOTH)
    position = Position.from_moves("1111", board)  # the left neighbour of column 2 is full
    seen: Counter[tuple[int, bool]] = Counter()
    n = 40_000
    for number in range(n):
        *_, landed, fell = chance_move(
            position.mover,
            position.occupied,
            1,
            chance_state(number, position.ply),
            board.shape,
            BOTH.odds,
        )
        seen[int(landed), bool(fell)] += 1
    expected = {(1, False): 0.85 * 0.8, (1, True): 0.85 * 0.2, (2, False): 0.12, (2, True): 0.03}
    assert seen.keys() == expected.keys()
    for event, chance in expected.items():
        assert abs(seen[event] - n * chance) < 5 * (n * chance * (1 - chance)) ** 0.5


def test_a_game_does_not_draw_the_numbers_of_its_players() -> None:
    next_draw = [(int(chance_state(s, 3)) + int(GAMMA)) % 2**64 for s in range(2000)]
    game = [uniform(state) for state in next_draw]
    player = [uniform(at_ply(s, 3)) for s in range(2000)]
    assert abs(np.corrcoef(game, player)[0, 1]) < 0.1


def middle_out(batch: PositionBatch) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Choose the playable column next to the middle: a player without any chance in it."""
    order = sorted(range(batch.geometry.columns), key=lambda c: abs(c - batch.geometry.columns / 2))
    legal = batch.legal[:, order]
    return np.array(order, dtype=np.int64)[legal.argmax(axis=1)]


@pytest.mark.parametrize("text", ["slip:0.2", "drop-row:0.3", "slip:0.2+drop-row:0.1"])
def test_a_game_in_lock_step_is_the_same_game_alone(text: str) -> None:
    board = Geometry(5, 4, 3, Variant.parse(text))
    streams = PositionBatch.start(40, board, seed=7).streams.tolist()
    games = [Position(board)] * 40
    running = Lockstep.start(range(40), board, seed=7)
    places = list(range(40))
    while len(running):
        columns = middle_out(running.batch)
        for place, column in zip(places, columns.tolist(), strict=True):
            games[place] = games[place].attempt(column, stream=streams[place])
        running = running.play(columns)
        places = [place for place in places if not games[place].is_over]
        now = [games[place].stream_now(streams[place]) for place in places]
        assert running.batch.streams.tolist() == now
        assert [p.first_stones for p in running.batch.positions()] == [
            games[place].first_stones for place in places
        ]
        assert running.batch.outcomes.tolist() == [Outcome.ONGOING] * len(places)
    assert running.records.outcomes.tolist() == [game.outcome for game in games]
    assert running.records.plies.tolist() == [game.n_moves for game in games]
    assert running.records.distinct_games == len({game.moves for game in games})


def test_games_end_though_rows_fall_and_nobody_draws() -> None:
    board = Geometry(7, 6, 4, Variant(drop_row=0.4))
    running = Lockstep.start(range(200), board, seed=3)
    while len(running):
        running = running.play(middle_out(running.batch))
    records = running.records
    assert records.plies.max() < LONGEST_GAME
    assert records.plies.max() > board.cells  # some lasted longer than the board has cells
    assert records.distinct_games > 150


def test_a_game_without_end_is_a_draw() -> None:
    board = Geometry(3, 2, 4, Variant(drop_row=0.999))
    running = Lockstep.start(range(3), board, seed=1)
    while len(running):
        running = running.play(middle_out(running.batch))
    assert running.records.plies.tolist() == [LONGEST_GAME] * 3
    assert running.records.outcomes.tolist() == [Outcome.DRAW] * 3


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [("1_21212", Outcome.SECOND_WINS), ("1_121232", Outcome.FIRST_WINS)],
)
def test_a_win_counts_for_who_moved_however_many_stones_have_fallen(
    moves: str, outcome: Outcome
) -> None:
    won = Position.from_moves(moves, Geometry(4, 4, 3, Variant(drop_row=0.5)))
    assert won.fallen == 1
    assert won.outcome is outcome
    assert PositionBatch.of([won]).outcomes.tolist() == [outcome]
    assert won.holds(1, 2) == ("second" if outcome is Outcome.SECOND_WINS else "first")


def test_undo_takes_back_the_fall_with_the_move() -> None:
    board = Geometry(7, 6, 4, Variant(drop_row=0.5))
    position = Position.from_moves("44_5_", board)
    assert position.row_fell
    assert position.last_column == 4
    assert position.undo() == Position.from_moves("44_", board)
    assert position.undo().undo().moves == "4"
    assert position.mirror().moves == "44_3_"
    assert Position.from_moves(position.moves, board) == position


def test_positions_with_other_stones_fallen_are_told_apart() -> None:
    board = Geometry(4, 4, 3, Variant(drop_row=0.5))
    odd, even = Position.from_moves("1_", board), Position(board)
    assert odd.occupied == even.occupied == 0
    assert odd != even
    assert not odd.first_to_move
    batch = PositionBatch.of([odd, even])
    assert [p.fallen for p in batch.positions()] == [1, 0]
    assert PositionBatch.joined([batch[:1], batch[1:]]).positions() == [odd, even]
    assert repr(batch.position(0)) == f"Position({board!r}, mover=0x0, occupied=0x0, fallen=1)"


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ("_1", "move 1: a row falls after a move"),
        ("1__", "move 3: a row falls after a move, and not twice"),
        ("12121_", "move 6: no row falls after the move that wins"),
    ],
)
def test_refuses_a_fall_that_cannot_be(moves: str, complaint: str) -> None:
    with pytest.raises(GameError, match=complaint):
        Position.from_moves(moves, Geometry(4, 4, 3, Variant(drop_row=0.5)))


def test_refuses_a_fall_in_a_game_without() -> None:
    with pytest.raises(GameError, match="there is no column '_'"):
        Position.from_moves("44_")
    with pytest.raises(GameError, match="no row can fall on 7x6 connect-4"):
        Position.from_moves("44").fall()
    with pytest.raises(GameError, match="2 stones cannot have fallen from 7x6 connect-4"):
        Position(fallen=2)
    with pytest.raises(GameError, match="cannot be after 3 moves"):
        Position(Geometry(variant=Variant(drop_row=0.5)), mover=3, occupied=3, fallen=1)

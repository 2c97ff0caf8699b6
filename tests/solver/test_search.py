"""The parts of the solver: open pairs, table, forced replies, bounds, search."""

import random
import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from oracle import Oracle

from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Position, bitboard
from connectlab.solver.bisection import (
    LOWER,
    PROGRESS_WORDS,
    THRESHOLD,
    UPPER,
    enter,
    expect,
    halve,
    settle,
)
from connectlab.solver.book import NO_BOOK
from connectlab.solver.bounds import NO_BOUND, upper_bound
from connectlab.solver.pairs import open_pairs
from connectlab.solver.path import NODES, begin, make_board, make_path
from connectlab.solver.replies import follow, safe_cells
from connectlab.solver.search import PAUSED, search
from connectlab.solver.table import (
    MAX_SCORE,
    MAX_TAG_BITS,
    NEVER,
    Store,
    Table,
    find,
    lower_of,
    remember,
    scatter,
    upper_of,
)

BOARDS = [
    STANDARD,
    Geometry(9, 6, 4),
    Geometry(8, 7, 4),
    Geometry(16, 3, 4),
    Geometry(3, 20, 4),
    Geometry(2, 31, 4),
    Geometry(1, 63, 4),
    Geometry(7, 6, 3),
    Geometry(7, 6, 5),
    Geometry(5, 5, 6),
]
SMALL_BOARDS = [Geometry(4, 4, 3), Geometry(4, 4, 4), Geometry(5, 3, 3), Geometry(3, 5, 3)]
LARGEST = Geometry(8, 7, 4)


@cache
def solved(geometry: Geometry) -> list[tuple[int, int, int]]:
    """Return (mover, occupied, score) of every position of a small board."""
    oracle = Oracle(geometry)
    return [
        (oracle.bits(mover), oracle.bits(mover | other), oracle.score(mover, other))
        for mover, other in oracle.reachable()
    ]


def undecided(geometry: Geometry) -> list[tuple[int, int, int, int]]:
    """Return (mover, occupied, score, threats) where the search would start."""
    board = make_board(geometry, Table(geometry, 1).store.tag_bits, has_book=False)
    found = []
    for mover, occupied, score in solved(geometry):
        known, _, threats = settle(np.uint64(mover), np.uint64(occupied), NO_BOOK, board)
        if not known:
            found.append((mover, occupied, score, threats))
    return found


def largest(table: Table) -> Store:
    return table.stores[-1]


def test_open_pairs_are_fours_with_two_stones_and_none_of_the_other_side() -> None:
    position = Position.from_moves("4253")  # level: 4 and 5, blocked from the left by 3
    assert open_pairs(position.mover, position.occupied, STANDARD.shape) == 1
    assert open_pairs(0, 0, STANDARD.shape) == 0


def test_scattered_keys_stay_apart() -> None:
    assert len({int(scatter(key, 12)) for key in range(2**12)}) == 2**12
    assert max(int(scatter(key, 12)) for key in range(2**12)) < 2**12


def test_table_takes_the_memory_asked_for_down_to_a_power_of_two() -> None:
    assert largest(Table(STANDARD, 64)).words.nbytes == 64 * 2**20
    assert largest(Table(STANDARD, 100)).words.nbytes == 64 * 2**20


def test_table_of_a_small_board_is_no_larger_than_its_keys() -> None:
    assert len(largest(Table(Geometry(3, 3, 3), 64)).words) == 2 * 2**12


def test_table_of_the_largest_board_can_tell_all_its_keys_apart() -> None:
    assert all(store.tag_bits <= MAX_TAG_BITS for store in Table(LARGEST, 1).stores)


@pytest.mark.parametrize("megabytes", [0, -1, 2**16 + 1, 10**30, float("nan"), float("inf")])
def test_table_refuses_an_impossible_size(megabytes: int) -> None:
    with pytest.raises(UserError, match=f"1 to 65,536 MB, not {re.escape(str(megabytes))}"):
        Table(STANDARD, megabytes)


def test_table_that_finds_no_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_arguments: object, **_options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("connectlab.solver.table.np.zeros", no_memory)
    with pytest.raises(UserError, match="no memory for a table of 4,096 MB"):
        Table(STANDARD, 4096)


def test_grown_table_knows_what_the_small_one_knew() -> None:
    table = Table(STANDARD, 8)
    small = table.store
    rng = random.Random(5)
    for key in (rng.getrandbits(49) for _ in range(20_000)):
        remember(small.words, np.uint64(key), np.uint64(small.tag_bits), key % 9 - 9, key % 7)
    kept = sorted(entries(small))
    table.grow()
    assert table.store is largest(table) is not small
    assert sorted(entries(table.store)) == kept
    assert len(kept) > 15_000


def entries(store: Store) -> list[tuple[int, int, int]]:
    """Return (scattered key, lower, upper) of everything a store knows."""
    return [
        ((at >> 1) << store.tag_bits | int(word) >> 14, int(lower_of(word)), int(upper_of(word)))
        for at, word in enumerate(store.words)
        if word
    ]


def test_table_with_nothing_larger_never_grows() -> None:
    table = Table(STANDARD, 1)
    assert table.nodes_before_growth == NEVER
    assert Table(STANDARD, 2).nodes_before_growth < NEVER


def test_cleared_table_starts_small_again_and_knows_nothing() -> None:
    table = Table(STANDARD, 4)
    before = table.nodes_before_growth
    for _ in range(2):
        store = table.store
        remember(store.words, np.uint64(5), np.uint64(store.tag_bits), 1, 1)
        table.grow()
    table.clear()
    assert table.nodes_before_growth == before
    assert len(table.store.words) < len(largest(table).words)
    assert not any(store.words.any() for store in table.stores)


@pytest.mark.parametrize("geometry", [STANDARD, LARGEST, Geometry(3, 3, 3)], ids=str)
def test_table_finds_what_it_was_told_and_nothing_else(geometry: Geometry) -> None:
    table = Table(geometry, 1)
    tag_bits = np.uint64(table.store.tag_bits)
    key_bits = geometry.columns * (geometry.rows + 1)
    rng = random.Random(3)
    keys = {0, 1, 2**key_bits - 1, *(rng.getrandbits(key_bits) for _ in range(200))}
    for key in keys:
        found = find(table.store.words, np.uint64(key), tag_bits)
        assert (lower_of(found), upper_of(found)) == (-MAX_SCORE, MAX_SCORE)
        remember(table.store.words, np.uint64(key), tag_bits, -32, 32)
        found = find(table.store.words, np.uint64(key), tag_bits)
        assert (lower_of(found), upper_of(found)) == (-32, 32)


def test_bounds_of_a_position_are_combined() -> None:
    table = Table(STANDARD, 1)
    tag_bits, key = np.uint64(table.store.tag_bits), np.uint64(12345)
    for lower, upper in ((-MAX_SCORE, 5), (-3, MAX_SCORE), (-MAX_SCORE, 7), (-4, MAX_SCORE)):
        remember(table.store.words, key, tag_bits, lower, upper)
    found = find(table.store.words, key, tag_bits)
    assert (lower_of(found), upper_of(found)) == (-3, 5)


def test_a_bucket_keeps_the_two_newest_positions() -> None:
    table = Table(STANDARD, 1)
    tag_bits = np.uint64(table.store.tag_bits)
    bucket = 77 << table.store.tag_bits
    for tag in (1, 2, 3):
        remember(table.store.words, np.uint64(bucket | tag), tag_bits, tag, MAX_SCORE)
    kept = [
        lower_of(find(table.store.words, np.uint64(bucket | tag), tag_bits)) for tag in (1, 2, 3)
    ]
    assert kept == [-MAX_SCORE, 2, 3]


def test_forced_replies_are_played_until_there_is_a_choice() -> None:
    position = Position.from_moves("4142")  # 4 makes three in column 4: the reply is forced
    cell = bitboard.landing_cell(position.occupied, 3, STANDARD.shape)
    quiet = follow(position.mover, position.occupied, cell, position.ply, -1, STANDARD.shape)
    after = position.play(3).play(3)
    assert (quiet.mover, quiet.occupied) == (after.mover, after.occupied)
    assert (quiet.n_stones, quiet.turned, quiet.known) == (6, 0, False)
    stopped = follow(position.mover, position.occupied, cell, position.ply, 5, STANDARD.shape)
    assert (stopped.n_stones, stopped.turned) == (5, 1)


@pytest.mark.parametrize("geometry", SMALL_BOARDS, ids=str)
def test_replies_lead_to_the_score_of_the_move(geometry: Geometry) -> None:
    scores = {(mover, occupied): score for mover, occupied, score in solved(geometry)}
    positions = undecided(geometry)
    for mover, occupied, _, threats in positions[:: 1 + len(positions) // 5000]:
        safe = int(safe_cells(occupied, threats, geometry.shape))
        for cell in (1 << i for i in range(safe.bit_length()) if safe >> i & 1):
            quiet = follow(mover, occupied, cell, occupied.bit_count(), -1, geometry.shape)
            score = scores[quiet.mover, quiet.occupied]
            expected = scores[mover ^ occupied, occupied | cell]
            assert expected == (score if quiet.turned else -score)
            if quiet.known:
                assert quiet.score == score


@pytest.mark.parametrize("geometry", SMALL_BOARDS, ids=str)
def test_bound_is_never_below_the_score_and_often_says_something(geometry: Geometry) -> None:
    helpful = 0
    positions = undecided(geometry)
    for mover, occupied, score, threats in positions:
        bound = upper_bound(mover, occupied, threats, geometry.shape)
        assert bound >= score
        helpful += bound != NO_BOUND
    assert helpful > len(positions) / 20


def test_bound_sees_who_wins_the_endgame() -> None:
    # O threatens the second cell of column 4, so X must not play the first. O answers every stone
    # elsewhere until nothing else is left to X; the five cells above it then stay empty.
    position = Position.from_moves("22726325151621733336521517")
    threats = bitboard.winning_cells(position.opponent, position.occupied, STANDARD.shape)
    assert upper_bound(position.mover, position.occupied, threats, STANDARD.shape) == -3
    assert upper_bound(position.mover, position.occupied, 0, STANDARD.shape) == NO_BOUND


@pytest.mark.parametrize("geometry", SMALL_BOARDS, ids=str)
def test_search_answers_with_a_bound_on_the_right_side_of_every_threshold(
    geometry: Geometry,
) -> None:
    table = Table(geometry, 1)
    board = make_board(geometry, table.store.tag_bits, has_book=False)
    path = make_path(geometry)
    positions = random.Random(4).sample(undecided(geometry), 300)
    for mover, occupied, score, threats in positions:
        for threshold in range(score - 2, score + 3):
            table.clear()
            begin(mover, occupied, threats, board, *path)
            bound = search(table.store.words, *NO_BOOK, board, *path, threshold, 2**40)
            if score > threshold:
                assert threshold < bound <= score
            else:
                assert score <= bound <= threshold


@pytest.mark.parametrize("geometry", SMALL_BOARDS, ids=str)
def test_entering_a_position_plays_what_is_forced_and_brackets_the_score(
    geometry: Geometry,
) -> None:
    scores = {(mover, occupied): score for mover, occupied, score in solved(geometry)}
    board = make_board(geometry, Table(geometry, 1).store.tag_bits, has_book=False)
    progress = np.zeros(PROGRESS_WORDS, dtype=np.int64)
    n_known = n_played = 0
    for (mover, occupied), score in scores.items():
        root = enter(np.uint64(mover), np.uint64(occupied), NO_BOOK, board)
        seen = -score if root.turned else score
        n_played += root.occupied != occupied
        if root.known:
            n_known += 1
            assert root.score == seen
            continue
        assert scores[root.mover, root.occupied] == seen
        bits = ("mover", "occupied", "threats", "created")
        root = root._replace(**{name: np.uint64(getattr(root, name)) for name in bits})
        for most in (MAX_SCORE, 1):
            expect(root, board, -most, most, -MAX_SCORE, progress)
            wanted = min(max(seen, -most), most)
            assert progress[LOWER] <= wanted <= progress[UPPER]
            if progress[LOWER] < progress[UPPER]:
                assert progress[LOWER] <= progress[THRESHOLD] < progress[UPPER]
    assert 0 < n_played < n_known < len(scores)


def test_paused_search_goes_on_where_it_was() -> None:
    position = Position.from_moves("444425453")
    threats = bitboard.winning_cells(position.opponent, position.occupied, STANDARD.shape)
    results = []
    for step in (2**40, 7):
        table = Table(STANDARD, 1)
        board = make_board(STANDARD, table.store.tag_bits, has_book=False)
        path = make_path(STANDARD)
        begin(position.mover, position.occupied, threats, board, *path)
        limit, bound, pauses = step, PAUSED, 0
        while (bound := search(table.store.words, *NO_BOOK, board, *path, 6, limit)) == PAUSED:
            assert path.state[NODES] == limit
            limit += step
            pauses += 1
        results.append((bound, int(path.state[NODES])))
    assert results[0] == results[1]
    assert pauses > 10


@pytest.mark.parametrize(
    ("lower", "upper"), [(-21, 21), (0, 18), (-18, 0), (-1, 1), (3, 4), (-9, 2)]
)
def test_halving_thresholds_ends_at_every_score(lower: int, upper: int) -> None:
    for score in range(lower, upper + 1):
        bounds = [(lower, upper)]
        while bounds[-1][0] < bounds[-1][1]:
            low, high = bounds[-1]
            threshold = halve(low, high)
            assert low <= threshold < high
            bounds.append((threshold + 1, high) if score > threshold else (low, threshold))
        assert bounds[-1] == (score, score)
        assert all(b[1] - b[0] < a[1] - a[0] for a, b in pairwise(bounds))

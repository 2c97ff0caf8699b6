import random
from collections.abc import Iterator
from pathlib import Path

import bitbully
import numpy as np
import pytest
from numpy.typing import NDArray

from connectlab.errors import UserError
from connectlab.game.bitboard import mirror
from connectlab.game.geometry import STANDARD, Geometry
from connectlab.solver import book as book_module
from connectlab.solver.book import (
    BOOK_PLY,
    INDEX_SHIFT,
    MISSING,
    NO_BOOK,
    RECORD,
    TOP_BIT,
    Book,
    _find,
    key_pair,
    probe,
)

COLUMNS, ROWS = STANDARD.columns, STANDARD.rows
Bits = tuple[int, int]
Drops = list[int]


@pytest.fixture(scope="module")
def book() -> Book:
    loaded = Book.load(STANDARD)
    assert loaded is not None
    return loaded


@pytest.fixture
def forget_loaded_book() -> Iterator[None]:
    book_module._load_standard.cache_clear()
    yield
    book_module._load_standard.cache_clear()


def has_four(stones: int) -> bool:
    return any(
        stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in (1, 6, 7, 8)
    )


def drop(position: Bits, column: int) -> Bits | None:
    """Return the position after the move for the other side, None if the column is full."""
    mover, occupied = position
    cell = (occupied + STANDARD.cell(column, 0)) & STANDARD.cell(column, ROWS) - 1
    cell &= ~(STANDARD.cell(column, 0) - 1)
    return (mover ^ occupied, occupied | cell) if cell else None


def wins_with(position: Bits, column: int) -> bool:
    after = drop(position, column)
    return after is not None and has_four(after[0] ^ after[1])


def can_win(position: Bits) -> bool:
    return any(wins_with(position, column) for column in range(COLUMNS))


def after(drops: Drops) -> Bits:
    position = (0, 0)
    for column in drops:
        moved = drop(position, column)
        assert moved is not None
        position = moved
    return position


def random_drops(rng: random.Random, n_plies: int) -> Drops:
    """Return a random game of this many plies that nobody has won."""
    while True:
        position: Bits = (0, 0)
        drops: Drops = []
        while len(drops) < n_plies:
            column = rng.randrange(COLUMNS)
            moved = drop(position, column)
            if moved is None:
                continue
            if has_four(moved[0] ^ moved[1]):
                break
            position = moved
            drops.append(column)
        else:
            return drops


def mirrored(drops: Drops) -> Drops:
    return [COLUMNS - 1 - column for column in drops]


def mirror_bits(position: Bits) -> Bits:
    mover, occupied = np.array(position, dtype=np.uint64)
    return int(mirror(mover, STANDARD.shape)), int(mirror(occupied, STANDARD.shape))


def sample(n: int, seed: int) -> list[Drops]:
    rng = random.Random(seed)
    return [random_drops(rng, BOOK_PLY) for _ in range(n)]


def as_arrays(games: list[Drops]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    pairs = np.array([after(drops) for drops in games], dtype=np.uint64)
    return pairs[:, 0], pairs[:, 1]


def stored_scores(book: Book) -> NDArray[np.int8]:
    """Return the score of every record."""
    return book.arrays.scores[book.arrays.records.view(RECORD)["value"].view(np.uint8)]


def spelled_key(drops: Drops) -> int:
    """Return the key as the file holds it, spelled out from stacks of stones."""
    stacks: list[list[str]] = [[] for _ in range(COLUMNS)]
    for ply, column in enumerate(drops):
        stacks[column].append("10" if ply % 2 == len(drops) % 2 else "11")
    return int("".join("".join(stack) + "0" for stack in stacks) + "0", 2)


def test_every_record_is_read_and_ascends(book: Book) -> None:
    records = book.arrays.records.view(RECORD)
    keys = records["key"].astype(np.uint32) ^ TOP_BIT
    assert len(book) == len(records) == 4_200_899
    assert (keys[1:] > keys[:-1]).all()
    scores = stored_scores(book)
    assert (scores.min(), scores.max()) == (-15, 14)


def test_first_and_last_record_of_every_part_of_the_index_are_found(book: Book) -> None:
    records, _, spans = book.arrays
    keys = records.view(RECORD)["key"].astype(np.uint32) ^ TOP_BIT
    first = np.flatnonzero(np.diff(keys >> INDEX_SHIFT, prepend=keys[:1] >> INDEX_SHIFT))
    edges = [0, *first[::500], *(first[::500] - 1), len(keys) - 1]
    fresh = np.zeros_like(spans)
    for _ in ("filling the index", "reading it"):
        assert [_find(keys[at], records, fresh) for at in edges] == edges
    assert 0 < np.count_nonzero(fresh) <= len(edges)
    unknown = [int(key) + 1 for key in keys[edges[:-1]] if int(key) + 1 not in keys[edges]]
    missing = [key for key in unknown if key != keys[np.searchsorted(keys, np.uint32(key))]]
    assert missing
    assert {int(_find(np.uint32(key), records, fresh)) for key in missing} == {-1}


def test_outcomes_are_counted_as_in_the_win_draw_loss_book(book: Book) -> None:
    """The sister file without distances holds exactly the draws and losses: 1,735,945 records."""
    assert np.count_nonzero(stored_scores(book) <= 0) == 1_735_945


def test_key_is_that_of_the_stacked_stones_and_of_their_mirror_image() -> None:
    for drops in sample(300, seed=1):
        mover, occupied = after(drops)
        key, mirror_key = key_pair(np.uint64(mover), np.uint64(occupied))
        assert int(key) ^ 1 << 31 == spelled_key(drops)
        assert int(mirror_key) ^ 1 << 31 == spelled_key(mirrored(drops))


def test_every_random_position_is_known_and_equals_its_mirror_image(book: Book) -> None:
    games = sample(5_000, seed=2)
    scores = book.scores(*as_arrays(games))
    assert scores.dtype == np.int8
    assert (scores != MISSING).all()
    assert (scores == book.scores(*as_arrays([mirrored(drops) for drops in games]))).all()


def test_score_is_15_exactly_when_the_side_to_move_wins_at_once(book: Book) -> None:
    games = sample(5_000, seed=3)
    wins = np.array([can_win(after(drops)) for drops in games])
    assert 500 < wins.sum() < 4_500
    assert ((book.scores(*as_arrays(games)) == 15) == wins).all()


def test_loss_at_once_scores_minus_15(book: Book) -> None:
    lost = [2, 0, 2, 1, 4, 1, 4, 1, 6, 0, 6, 0]
    position = after(lost)
    assert not can_win(position)
    assert sum(wins_with((position[0] ^ position[1], position[1]), c) for c in range(COLUMNS)) == 2
    assert book.score(*position) == -15


def test_scores_agree_with_bitbully_reading_the_same_book(book: Book) -> None:
    oracle = bitbully.BitBully("12-ply-dist")
    games = sample(400, seed=4)
    expected = [oracle.mtdf(bitbully.Board(drops)) for drops in games]
    assert book.scores(*as_arrays(games)).tolist() == expected


def test_scores_agree_with_bitbully_searching_without_a_book(book: Book) -> None:
    oracle = bitbully.BitBully(None)
    assert not oracle.is_book_loaded()
    games = [drops for drops in sample(100, seed=5) if not can_win(after(drops))]
    assert len(games) >= 40
    expected = [oracle.mtdf(bitbully.Board(drops)) for drops in games]
    assert book.scores(*as_arrays(games)).tolist() == expected


def test_searching_down_to_the_book_gives_the_published_opening(book: Book) -> None:
    bounds: dict[Bits, tuple[int, int]] = {}

    def search(position: Bits, ply: int, alpha: int, beta: int) -> int:
        if ply == BOOK_PLY:
            return int(probe(np.uint64(position[0]), np.uint64(position[1]), *book.arrays))
        if ply <= 6:
            position = min(position, mirror_bits(position))
        low, high = bounds.get(position, (-21, 21))
        if low >= beta or high <= alpha or low == high:
            return low if low >= beta else high
        best, floor = -21, alpha
        for column in (3, 2, 4, 1, 5, 0, 6):
            child = drop(position, column)
            if child is None:
                continue
            if has_four(child[0] ^ child[1]):
                best = (43 - ply) // 2
            else:
                best = max(best, -search(child, ply + 1, -beta, -floor))
            floor = max(floor, best)
            if floor >= beta:
                break
        bounds[position] = (best if best > alpha else low, best if best < beta else high)
        return best

    scores = [-search(after([column]), 1, -21, 21) for column in range(COLUMNS)]
    assert scores == [-2, -1, 0, 1, 0, -1, -2]


def test_position_without_twelve_stones_is_missing(book: Book) -> None:
    rng = random.Random(6)
    for n_plies in (0, 1, 8, 11, 13, 16):
        assert book.score(*after(random_drops(rng, n_plies))) is None


def test_position_no_game_leads_to_is_missing(book: Book) -> None:
    """All lowest stones belong to the second player, so nobody can have begun."""
    column = STANDARD.cell(0, 4) - 1
    occupied = column | column << 14 | column << 28
    mover = sum(STANDARD.cell(column, row) for column in (0, 2, 4) for row in (1, 3))
    assert not can_win((mover, occupied))
    assert book.score(mover, occupied) is None


def test_arrays_without_a_book_know_nothing() -> None:
    mover, occupied = after(sample(1, seed=7)[0])
    assert probe(np.uint64(mover), np.uint64(occupied), *NO_BOOK) == MISSING


def test_no_positions_have_no_scores(book: Book) -> None:
    none = np.empty(0, dtype=np.uint64)
    assert book.scores(none, none).shape == (0,)


def test_arrays_of_different_lengths_are_refused(book: Book) -> None:
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        book.scores(np.zeros(2, dtype=np.uint64), np.zeros(3, dtype=np.uint64))


@pytest.mark.parametrize(
    "geometry",
    [Geometry(6, 7, 4), Geometry(7, 6, 5), Geometry(8, 7, 4), Geometry(4, 4, 3)],
    ids=str,
)
def test_other_boards_have_no_book(geometry: Geometry) -> None:
    assert Book.load(geometry) is None


def test_book_is_read_once(book: Book) -> None:
    assert Book.load(Geometry(7, 6, 4)) is book


@pytest.mark.usefixtures("forget_loaded_book")
def test_missing_data_package_means_no_book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_module, "PACKAGE", "no_such_package_of_books")
    assert Book.load(STANDARD) is None


@pytest.mark.usefixtures("forget_loaded_book")
def test_missing_file_means_no_book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_module, "FILE", "assets/no_such_file.dat")
    assert Book.load(STANDARD) is None


def test_file_of_another_size_is_refused(tmp_path: Path) -> None:
    short = tmp_path / "book.dat"
    short.write_bytes(bytes(10))
    with pytest.raises(UserError, match=r"10 bytes instead of 21,004,495.*reinstall"):
        book_module._read(short)

"""The hash map behaves as a dictionary, grows, and comes back from its file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectlab.agents.qtable.table import (
    ABSENT,
    LOAD,
    SMALLEST,
    StateTable,
    find_entry,
    find_or_add,
)
from connectlab.game.streams import mix
from connectlab.storage.checkpoint import CheckpointError

KEYS = st.one_of(
    st.integers(1, 40),  # neighbours, and many of them twice
    st.integers(1, 2**64 - 1),
    st.integers(1, 2**20 - 1).map(lambda i: i << 44),  # alike in their low bits
)


def add(table: StateTable, key: int) -> tuple[int, bool]:
    table.reserve(1)
    return find_or_add(np.uint64(key), table.arrays)


def find(table: StateTable, key: int) -> int:
    return find_entry(np.uint64(key), table.arrays.places, table.arrays.keys)


@given(st.lists(KEYS, max_size=60), st.lists(KEYS, max_size=30), st.integers(1, 4))
def test_it_is_a_dictionary(added: list[int], asked: list[int], columns: int) -> None:
    table, expected = StateTable(columns, with_epsilon=True), dict[int, int]()
    for key in added:
        entry, is_new = add(table, key)
        assert is_new == (key not in expected)
        assert entry == expected.setdefault(key, len(expected))
        table.arrays.values[entry, -1] = key % 997
    for key in asked + added:
        assert find(table, key) == expected.get(key, ABSENT)
    assert len(table) == len(expected)
    assert table.arrays.keys[: len(table)].tolist() == list(expected), "in the order of adding"
    assert [row[-1] for row in table.arrays.values[: len(table)]] == [k % 997 for k in expected]


def test_a_tag_is_not_the_key() -> None:
    """A key whose place and tag are those of another: its word is written by hand."""
    table = StateTable(2, with_epsilon=False)
    add(table, 11)
    word = int(table.arrays.places.max())
    mask = len(table.arrays.places) - 1
    place, tag = int(mix(np.uint64(12))) & mask, int(mix(np.uint64(12))) >> 40
    table.arrays.places[place] = np.uint64(tag << 40 | word & (2**40 - 1))
    assert find(table, 12) == ABSENT


def test_growing_loses_nothing() -> None:
    table = StateTable(3, with_epsilon=True)
    keys = np.random.default_rng(1).permutation(np.arange(1, 20_001)).astype(np.uint64)
    for key in keys.tolist():
        entry, is_new = add(table, key)
        assert is_new
        table.arrays.values[entry] = (key, -key, 0.5)
        table.arrays.visits[entry] = key
        table.arrays.epsilon[entry] = 1 / key
    n = len(table)
    assert [find(table, key) for key in keys.tolist()] == list(range(n))
    assert find(table, 20_001) == ABSENT
    assert np.array_equal(table.arrays.keys[:n], keys)
    assert np.array_equal(table.arrays.values[:n, 1], -keys.astype(np.float32))
    assert np.array_equal(table.arrays.visits[:n], keys)
    assert np.array_equal(table.arrays.epsilon[:n], (1 / keys).astype(np.float32))


def test_the_index_is_never_fuller_than_its_load() -> None:
    table = StateTable(7, with_epsilon=False)
    for key in range(1, 5_000):
        add(table, key)
        assert len(table) <= table.room == int(len(table.arrays.places) * LOAD)
        assert np.count_nonzero(table.arrays.places) == len(table)
    assert len(table.arrays.places) == 8 * SMALLEST


def test_a_state_takes_as_many_bytes_as_documented() -> None:
    for with_epsilon, expected in ((False, 40), (True, 44)):
        table = StateTable(7, with_epsilon=with_epsilon)
        table.reserve(1_000_000)
        entries = table.nbytes - table.arrays.places.nbytes - table.arrays.used.nbytes
        assert entries / table.room == expected
        assert table.arrays.places.nbytes / table.room == pytest.approx(8 / LOAD, rel=1e-3)


def test_a_new_entry_is_blank_even_where_another_stood_before() -> None:
    table = StateTable(2, with_epsilon=True)
    table.arrays.values[:] = 9
    table.arrays.epsilon[:] = 0.1
    table.arrays.visits[:] = 5
    entry, _ = add(table, 77)
    assert table.arrays.values[entry].tolist() == [0, 0]
    assert table.arrays.epsilon[entry] == 1
    assert table.arrays.visits[entry] == 0


def filled(n: int = 2_000, *, with_epsilon: bool = True) -> StateTable:
    table = StateTable(4, with_epsilon=with_epsilon)
    for key in range(1, n + 1):
        entry, _ = add(table, key * 2**33 + 7)
        table.arrays.values[entry] = key
        table.arrays.visits[entry] = key
    return table


@pytest.mark.parametrize("with_epsilon", [True, False])
def test_entries_give_the_same_table_again(with_epsilon: bool) -> None:
    table = filled(with_epsilon=with_epsilon)
    again = StateTable.from_entries(table.entries(), 4, with_epsilon=with_epsilon)
    assert again.entries().keys() == table.entries().keys()
    for name, array in table.entries().items():
        assert np.array_equal(again.entries()[name], array), name
    assert all(find(again, int(key)) == i for i, key in enumerate(table.entries()["keys"]))
    assert add(again, 5)[0] == add(table, 5)[0] == 2_000


def test_states_without_an_epsilon_begin_at_one() -> None:
    saved = filled(10, with_epsilon=False).entries()
    assert StateTable.from_entries(saved, 4, with_epsilon=True).arrays.epsilon[:10].tolist() == (
        [1.0] * 10
    )


def test_an_empty_table_can_be_saved() -> None:
    empty = StateTable(4, with_epsilon=False)
    assert len(StateTable.from_entries(empty.entries(), 4, with_epsilon=False)) == 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"keys": np.zeros(10, dtype=np.uint64)}, "a key of its own"),
        ({"keys": np.full(10, 3, dtype=np.uint64)}, "a key of its own"),
        ({"keys": np.arange(1, 10, dtype=np.uint64)}, "needs 4 values"),
        ({"keys": np.arange(1, 11, dtype=np.int64)}, "one key each"),
        ({"values": np.zeros((10, 3), dtype=np.float32)}, "needs 4 values"),
        ({"values": np.zeros((10, 4), dtype=np.int64)}, "needs 4 values"),
        ({"values": np.full((10, 4), np.nan, dtype=np.float32)}, "no numbers"),
        ({"visits": np.zeros(9, dtype=np.uint32)}, "count of visits"),
        ({"visits": np.zeros(10)}, "count of visits"),
        ({"epsilon": np.zeros((10, 2), dtype=np.float32)}, "one epsilon"),
        ({"epsilon": np.full(10, np.inf, dtype=np.float32)}, "no numbers"),
    ],
)
def test_damaged_entries_are_refused(changes: dict[str, np.ndarray], says: str) -> None:
    with pytest.raises(CheckpointError, match=says):
        StateTable.from_entries({**filled(10).entries(), **changes}, 4, with_epsilon=True)

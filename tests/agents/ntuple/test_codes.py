"""Weights in a byte each: what is kept, what is rounded, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from small_networks import TRAINED, random_network, random_positions, save

from connectlab.agents import make_agent
from connectlab.agents.ntuple.codes import BOOK_SIZE, decode, encode
from connectlab.agents.ntuple.network import Network
from connectlab.game import STANDARD, Geometry, PositionBatch
from connectlab.storage.checkpoint import Checkpoint, CheckpointError

Floats = NDArray[np.float32]


def many_weights(seed: int, n: int = 3_000, untouched: float = 0.3) -> Floats:
    """Weights as those of a network are: most small, a few large, some never touched."""
    rng = np.random.default_rng(seed)
    weights = rng.laplace(0, 0.02, n).astype(np.float32)
    weights[rng.random(n) < untouched] = 0
    return weights


def coded(weights: Floats) -> Floats:
    return decode(*encode(weights))


# The book


@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 0.99]))
def test_a_weight_that_is_zero_stays_zero(seed: int, untouched: float) -> None:
    weights = many_weights(seed, untouched=untouched)
    codes, book = encode(weights)
    assert book[0] == 0
    assert not codes[weights == 0].any()
    assert not coded(weights)[weights == 0].any()


def test_weights_that_are_all_zero_stay_so() -> None:
    codes, book = encode(np.zeros(50, dtype=np.float32))
    assert not codes.any()
    assert not book.any()


@given(st.integers(0, 2**32), st.sampled_from([100, 1_000, 5_000]))
def test_every_weight_takes_the_nearest_value_of_the_book(seed: int, n: int) -> None:
    weights = many_weights(seed, n)
    codes, book = encode(weights)
    assert (codes.dtype, codes.shape) == (np.uint8, weights.shape)
    assert (book.dtype, book.shape) == (np.float32, (BOOK_SIZE,))
    away = np.abs(weights[:, None].astype(np.float64) - book.astype(np.float64))
    taken = away[np.arange(n), codes]
    np.testing.assert_allclose(taken, away.min(axis=1), rtol=1e-6, atol=1e-9)


@given(st.integers(0, 2**32), st.integers(1, BOOK_SIZE - 1))
def test_values_that_fit_into_the_book_are_kept_exactly(seed: int, n: int) -> None:
    """Those of a checkpoint to play with, which are float16."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 0.1, n).astype(np.float16).astype(np.float32)
    weights = rng.choice(values, 2_000)
    assert np.array_equal(coded(weights), weights)


def test_zero_has_a_place_of_its_own_in_the_book() -> None:
    """255 other values and 0 fit; one more does not."""
    values = np.arange(-127, 129, dtype=np.float32)
    assert len(values) == 256
    assert np.array_equal(coded(values), values)
    more = np.append(values, np.float32(129))
    assert not np.array_equal(coded(more), more)
    assert coded(more)[127] == 0


def test_values_are_the_means_of_the_weights_that_take_them() -> None:
    """Lloyd's condition, for all values that no weight lies near 0 to spoil."""
    weights = np.random.default_rng(3).uniform(0.5, 1.0, 4_000).astype(np.float16)
    codes, book = encode(weights.astype(np.float32))
    used = np.unique(codes)
    assert len(used) > 200
    means = [weights[codes == code].astype(np.float64).mean() for code in used]
    np.testing.assert_allclose(book[used], means, atol=2e-4)


@pytest.mark.parametrize("seed", range(5))
def test_the_book_is_better_than_evenly_spaced_values(seed: int) -> None:
    weights = many_weights(seed, 20_000, untouched=0.0)
    even = np.linspace(weights.min(), weights.max(), BOOK_SIZE)
    step = even[1] - even[0]
    rounded = even[np.rint((weights - even[0]) / step).astype(int)]
    error, even_error = (np.mean((found - weights) ** 2) for found in (coded(weights), rounded))
    assert error < even_error / 4


@given(st.integers(0, 2**32))
def test_what_was_coded_is_kept_when_it_is_coded_again(seed: int) -> None:
    once = coded(many_weights(seed))
    np.testing.assert_allclose(coded(once), once, rtol=1e-3, atol=1e-7)


# Checkpoints


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(5, 4, 3)], ids=str)
def test_a_coded_network_comes_back_from_its_file(tmp_path: Path, geometry: Geometry) -> None:
    network = random_network(geometry)
    network.weights[::3] = 0
    checkpoint = network.coded_checkpoint({"games_done": 3})
    checkpoint.save(tmp_path / "coded")
    assert Checkpoint.load(tmp_path / "coded").header == checkpoint.header
    assert checkpoint.header["games_done"] == 3
    back = Network.load(tmp_path / "coded")
    assert back.header == network.header
    assert back.weights.dtype == np.float32
    assert np.array_equal(back.weights, coded(network.weights))
    assert not back.weights[::3].any()
    np.testing.assert_allclose(back.weights, network.weights, atol=0.3 / 100)


def test_a_coded_network_takes_half_the_room_of_float16(tmp_path: Path) -> None:
    network = random_network(tuples=20, length=6)
    network.coded_checkpoint({}).save(tmp_path / "coded")
    network.checkpoint({}, half=True).save(tmp_path / "half")
    saved = (tmp_path / "half").stat().st_size - (tmp_path / "coded").stat().st_size
    assert abs(saved - len(network.weights)) < 4 * BOOK_SIZE + 500


SIZE = len(random_network().weights)
CODES = np.zeros(SIZE, dtype=np.uint8)
BOOK = np.zeros(BOOK_SIZE, dtype=np.float32)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"codes": CODES}, "damaged: codes of one byte need a book"),
        ({"book": BOOK}, "damaged: its tuples need"),
        ({"codes": CODES.astype(np.int8), "book": BOOK}, "codes of one byte need a book"),
        ({"codes": CODES.astype(np.uint16), "book": BOOK}, "codes of one byte need a book"),
        ({"codes": CODES.astype(np.float32), "book": BOOK}, "codes of one byte need a book"),
        ({"codes": CODES, "book": BOOK[:-1]}, "its book needs 256 float32"),
        ({"codes": CODES, "book": BOOK[:, None]}, "its book needs 256 float32"),
        ({"codes": CODES, "book": np.append(BOOK, BOOK)}, "its book needs 256 float32"),
        ({"codes": CODES, "book": BOOK.astype(np.float16)}, "its book needs 256 float32"),
        ({"codes": CODES, "book": BOOK.astype(np.float64)}, "its book needs 256 float32"),
        ({"codes": CODES[:-1], "book": BOOK}, f"its tuples need {SIZE:,} of them"),
        ({"codes": CODES[:, None], "book": BOOK}, f"its tuples need {SIZE:,} of them"),
        ({"codes": CODES[:0], "book": BOOK}, f"its tuples need {SIZE:,} of them"),
        ({"codes": CODES, "book": BOOK + np.float32(np.nan)}, "some of its weights are no numbers"),
        ({"codes": CODES, "book": BOOK + np.float32(np.inf)}, "some of its weights are no numbers"),
    ],
)
def test_damaged_codes_are_refused_in_one_line(arrays: dict[str, NDArray[Any]], says: str) -> None:
    good = random_network().coded_checkpoint({})
    with pytest.raises(CheckpointError, match=says) as refused:
        Network.from_checkpoint(Checkpoint(good.kind, good.header, arrays))
    assert "\n" not in str(refused.value)


# Play


@pytest.mark.parametrize("depth", [1, 3])
def test_a_coded_player_plays_as_one_with_the_decoded_weights(tmp_path: Path, depth: int) -> None:
    network = Network.load(Path(TRAINED.removeprefix("ntuple:")))
    network.coded_checkpoint({}).save(tmp_path / "coded.safetensors")
    decoded = Network(network.layout, network.tables, coded(network.weights))
    positions = random_positions(STANDARD, 200, seed=depth)
    batch = PositionBatch.of(positions)
    (tmp_path / "decoded").mkdir()
    specs = f"ntuple:{tmp_path / 'coded.safetensors'}", save(decoded, tmp_path / "decoded")
    own, same = (make_agent(f"{spec},depth={depth}").policy(batch) for spec in specs)
    assert np.array_equal(own, same)
    np.testing.assert_allclose(own.sum(axis=1), 1)
    for position, chances in zip(positions, own, strict=True):
        assert set(np.flatnonzero(chances)) <= set(position.legal_columns)


def test_a_coded_player_chooses_mostly_as_it_did(tmp_path: Path) -> None:
    network = Network.load(Path(TRAINED.removeprefix("ntuple:")))
    network.coded_checkpoint({}).save(tmp_path / "coded.safetensors")
    batch = PositionBatch.of(random_positions(STANDARD, 400, seed=9))
    specs = TRAINED, f"ntuple:{tmp_path / 'coded.safetensors'}"
    before, after = (make_agent(spec).policy(batch).argmax(axis=1) for spec in specs)
    assert np.mean(before == after) > 0.9

"""Many games in lock step: one call plays a move in each, and drops those that have ended.

Game number ``i`` has stream number ``i`` of the seed, so its moves do not depend on which games are
played beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.game.batch import PositionBatch
from connectlab.game.bitboard import (
    DRAW,
    FIRST_WINS,
    ILLEGAL_MOVE,
    ONGOING,
    SECOND_WINS,
    SHAPE,
    WORDS,
    popcount,
    step,
)
from connectlab.game.chance import ODDS, WON, chance_move, chance_state, next_stream
from connectlab.game.geometry import Geometry, Shape
from connectlab.game.streams import GAMMA, make_streams, mix
from connectlab.game.variants import LONGEST_GAME, Odds

_new_words = types.uint64[::1]
_ints = types.int64[::1]


@dataclass(frozen=True, eq=False)
class GameRecords:
    """What is kept of each game, in the order of game numbers."""

    outcomes: NDArray[np.int8]
    """int8[games] of ``Outcome`` values."""
    plies: NDArray[np.int16]
    """int16[games], the number of moves."""
    hashes: NDArray[np.uint64]
    """uint64[games], a hash of the sequence of moves."""

    @classmethod
    def empty(cls, games: int) -> "GameRecords":
        """Return records of games that have not begun."""
        return cls(
            np.zeros(games, dtype=np.int8),
            np.zeros(games, dtype=np.int16),
            np.zeros(games, dtype=np.uint64),
        )

    @classmethod
    def joined(cls, parts: Sequence["GameRecords"]) -> "GameRecords":
        """Return the records of several parts as one."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.outcomes for part in parts]),
            np.concatenate([part.plies for part in parts]),
            np.concatenate([part.hashes for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def distinct_games(self) -> int:
        """Number of different move sequences.

        Counted by 64-bit hash: among n different games the chance that two share a hash, and the
        count comes out one too low, is about n * n / 2**65: 3 in 100 million for a million games.
        """
        ordered = np.sort(self.hashes)  # several times as fast as np.unique, which hashes
        return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + min(1, len(ordered))


class _Games(NamedTuple):
    """One entry a game that goes on."""

    mover: NDArray[np.uint64]
    occupied: NDArray[np.uint64]
    streams: NDArray[np.uint64]
    hashes: NDArray[np.uint64]
    places: NDArray[np.int64]
    """Where the game stands in the records."""


_OLD = record_type((WORDS, WORDS, WORDS, WORDS, _ints), _Games)
_NEW = record_type((_new_words, _new_words, _new_words, _new_words, _ints), _Games)


@dataclass(frozen=True, eq=False)
class Lockstep:
    """The games of a contest that still go on; all have seen as many moves."""

    batch: PositionBatch
    records: GameRecords
    """Of all games, ended or not; filled as they end."""
    _hashes: NDArray[np.uint64]
    _places: NDArray[np.int64]

    @classmethod
    def start(cls, numbers: range, geometry: Geometry, *, seed: int) -> "Lockstep":
        """Begin the games with these numbers of a seed on empty boards."""
        n = len(numbers)
        span = numbers[-1] - numbers[0] + 1
        streams = make_streams(seed, span, numbers[0])[:: numbers.step].copy()
        nothing = np.zeros(n, dtype=np.uint64)
        nothing.flags.writeable = False
        batch = PositionBatch(geometry, nothing, nothing, streams)
        return cls(batch, GameRecords.empty(n), nothing, np.arange(n, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.batch)

    def play(self, columns: NDArray[np.int64]) -> "Lockstep":
        """Play a column in each game; return the games that go on.

        Where stones slip or rows fall, the columns are what the players chose, and the chances of
        each game decide what comes of it.
        """
        batch, records = self.batch, self.records
        old = _Games(batch.mover, batch.occupied, batch.streams, self._hashes, self._places)
        # New arrays for each ply, so that an agent may keep the batch it was shown.
        words = np.empty((4, len(self)), dtype=np.uint64)
        places = np.empty(len(self), dtype=np.int64)
        new = _Games(words[0], words[1], words[2], words[3], places)
        outcomes, plies, hashes = records.outcomes, records.plies, records.hashes
        shape, variant = batch.geometry.shape, batch.geometry.variant
        if variant.by_chance:
            left = _attempt(old, columns, shape, variant.odds, new, outcomes, plies, hashes)
        else:
            left = _play(old, columns, shape, new, outcomes, plies, hashes)
        if left < 0:
            batch.play(columns)  # says what is wrong with which move
        words.flags.writeable = False
        mover, occupied, streams, sequences = words[:, :left]
        fallen = _fallen(plies, places[:left], occupied) if variant.drop_row else None
        after = PositionBatch(batch.geometry, mover, occupied, streams, fallen)
        return Lockstep(after, records, sequences, places[:left])

    def give_up(self, who: NDArray[np.bool_]) -> "Lockstep":
        """End the games in which the side to move forfeits, lost for it; return the others."""
        records, places = self.records, self._places[who]
        second_to_move = records.plies[places] % 2 == 1
        records.outcomes[places] = np.where(second_to_move, FIRST_WINS, SECOND_WINS)
        records.hashes[places] = self._hashes[who]
        hashes = self._hashes[~who]
        hashes.flags.writeable = False
        return Lockstep(self.batch[~who], records, hashes, self._places[~who])


def _fallen(
    plies: NDArray[np.int16], places: NDArray[np.int64], occupied: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return the stones that have left each board: those moved, less those still there."""
    return plies[places].astype(np.uint64) - np.bitwise_count(occupied)


@kernel(types.uint64(types.uint64, types.int64))
def _extend_hash(sequence: Word, column: int) -> Word:
    """Return the hash of a move sequence with one more move; that of no moves is 0."""
    return mix(sequence + GAMMA * np.uint64(column + 1))


@kernel(types.int64(_OLD, _ints, SHAPE, _NEW, types.int8[::1], types.int16[::1], types.uint64[::1]))
def _play(
    old: _Games,
    columns: NDArray[np.int64],
    shape: Shape,
    new: _Games,
    outcomes: NDArray[np.int8],
    plies: NDArray[np.int16],
    hashes: NDArray[np.uint64],
) -> int:
    """Play one move in every game: record those that end, gather the others in ``new``.

    Returns how many go on, or -1 - i when the move in game i is illegal. Every move is counted in
    ``plies``.
    """
    # Out of their tuples before the loop: inside, Numba would count a reference for each access.
    old_mover, old_occupied, old_streams = old.mover, old.occupied, old.streams
    old_hashes, old_places = old.hashes, old.places
    mover, occupied, streams = new.mover, new.occupied, new.streams
    sequences, places = new.hashes, new.places
    left = 0
    for i in range(columns.shape[0]):
        after, stones, stands = step(old_mover[i], old_occupied[i], columns[i], shape)
        if stands == ILLEGAL_MOVE:
            return -1 - i
        place = old_places[i]
        sequence = _extend_hash(old_hashes[i], columns[i])
        plies[place] += 1
        if stands != ONGOING:
            outcomes[place] = stands
            hashes[place] = sequence
            continue
        mover[left] = after
        occupied[left] = stones
        streams[left] = old_streams[i]
        sequences[left] = sequence
        places[left] = place
        left += 1
    return left


@kernel(
    types.int64(
        _OLD, _ints, SHAPE, ODDS, _NEW, types.int8[::1], types.int16[::1], types.uint64[::1]
    )
)
def _attempt(
    old: _Games,
    columns: NDArray[np.int64],
    shape: Shape,
    odds: Odds,
    new: _Games,
    outcomes: NDArray[np.int8],
    plies: NDArray[np.int16],
    hashes: NDArray[np.uint64],
) -> int:
    """Do as ``_play`` does in a game with chance: hashes tell what happened, not what was meant."""
    old_mover, old_occupied, old_streams = old.mover, old.occupied, old.streams
    old_hashes, old_places = old.hashes, old.places
    mover, occupied, streams = new.mover, new.occupied, new.streams
    sequences, places = new.hashes, new.places
    left = 0
    for i in range(columns.shape[0]):
        state = chance_state(old_streams[i], popcount(old_occupied[i]))
        after, stones, _, stands, landed, fell = chance_move(
            old_mover[i], old_occupied[i], columns[i], state, shape, odds
        )
        if stands == ILLEGAL_MOVE:
            return -1 - i
        place = old_places[i]
        sequence = _extend_hash(old_hashes[i], landed)
        if fell:
            sequence = _extend_hash(sequence, shape.columns)
        plies[place] += 1
        if stands == ONGOING and plies[place] >= LONGEST_GAME:
            stands = DRAW
        if stands != ONGOING:
            if stands == WON:
                stands = FIRST_WINS if plies[place] % 2 == 1 else SECOND_WINS
            outcomes[place] = stands
            hashes[place] = sequence
            continue
        mover[left] = after
        occupied[left] = stones
        streams[left] = next_stream(old_streams[i]) if fell else old_streams[i]
        sequences[left] = sequence
        places[left] = place
        left += 1
    return left

"""Games in lock step: one call of ``choose`` moves in many games, one kernel call plays the moves.

Game number ``i`` draws from stream number ``i`` of the seed, so its moves do not depend on the
number of workers, on the chunk it sits in, or on how many games are played with it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents import Agent, AgentError
from connectlab.arena.workers import ArenaError, Meter, Progress, run_jobs, worker_count
from connectlab.errors import GameError
from connectlab.game import Outcome, Position, PositionBatch, Shape
from connectlab.game.batch import outcome_of
from connectlab.game.bitboard import SHAPE, ZERO, landing_cell
from connectlab.game.streams import GAMMA, make_streams, mix

MAX_CHUNK = 4096
MIN_CHUNK = 16
FIRST_SLICE = 64
"""Positions an agent is asked at once before its speed is known."""
MAX_CALL_S = 0.2
"""A call that takes longer makes the next one smaller: a Ctrl-C can wait so long."""

_ONGOING = int(Outcome.ONGOING)
_words = types.uint64[::1]
_ints = types.int64[::1]


@dataclass(frozen=True, eq=False)
class GameRecords:
    """What is kept of each game, in the order of game numbers."""

    outcomes: NDArray[np.int8]
    """int8[games] of ``Outcome`` values."""
    plies: NDArray[np.int16]
    """int16[games], the number of stones at the end."""
    hashes: NDArray[np.uint64]
    """uint64[games], a hash of the sequence of moves."""

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def distinct_games(self) -> int:
        """Number of different move sequences.

        Counted by 64-bit hash: among n different games the chance that two share a hash, and the
        count comes out one too low, is about n * n / 2**65: 3 in 100 million for a million games.
        """
        return len(np.unique(self.hashes))


class Pairing(NamedTuple):
    """Who moves first, who moves second, and the numbers of their games."""

    first: Agent
    second: Agent
    numbers: range


def play_games(
    first: Agent,
    second: Agent,
    games: int,
    *,
    seed: int = 0,
    start: int = 0,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> GameRecords:
    """Play games number ``start`` to ``start + games - 1`` of a seed, ``first`` moving first.

    ``workers`` threads (one for each core by default) take ``chunk`` games at a time; neither
    changes the result. ``progress(done, games)`` is called from the main thread now and then.
    """
    pairing = Pairing(first, second, range(start, start + games))
    return play_pairings([pairing], seed=seed, workers=workers, chunk=chunk, progress=progress)


def play_pairings(
    pairings: Sequence[Pairing],
    *,
    seed: int = 0,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> GameRecords:
    """Play all games of some pairings, whose numbers together run on without a gap or overlap."""
    games = sum(len(pairing.numbers) for pairing in pairings)
    _check(pairings[0], games, chunk)
    size = chunk or chunk_size(games, worker_count(workers))
    parts = [part for pairing in pairings for part in _cut(pairing, size)]
    paces = {id(agent): Pace() for agent in pairings[0][:2]}
    jobs: list[Callable[[Meter], GameRecords]] = [
        partial(_play_part, part, seed, (paces[id(part.first)], paces[id(part.second)]))
        for part in parts
    ]
    played = run_jobs(jobs, total=games, workers=workers, progress=progress)
    return _put_in_order(parts, played, games)


def _cut(pairing: Pairing, size: int) -> list[Pairing]:
    numbers = pairing.numbers
    return [
        pairing._replace(numbers=numbers[begin : begin + size])
        for begin in range(0, len(numbers), size)
    ]


def _put_in_order(parts: list[Pairing], played: list[GameRecords], games: int) -> GameRecords:
    lowest = min(part.numbers[0] for part in parts)
    records = _empty_records(games)
    for part, some in zip(parts, played, strict=True):
        where = np.array(part.numbers) - lowest
        records.outcomes[where] = some.outcomes
        records.plies[where] = some.plies
        records.hashes[where] = some.hashes
    return records


def _check(pairing: Pairing, games: int, chunk: int | None) -> None:
    first, second, _ = pairing
    if games < 1:
        raise ArenaError(f"a contest needs at least 1 game, not {games}")
    if chunk is not None and chunk < 1:
        raise ArenaError(f"a chunk holds at least 1 game, not {chunk}")
    if first.geometry != second.geometry:
        raise ArenaError(
            f"both agents must play on the same board: {first.spec} plays {first.geometry}, "
            f"{second.spec} plays {second.geometry}"
        )


def chunk_size(games: int, workers: int) -> int:
    """Give every worker something to do, in chunks worth a call and small enough for the cache."""
    return max(MIN_CHUNK, min(MAX_CHUNK, -(-games // (2 * workers))))


def _empty_records(games: int) -> GameRecords:
    return GameRecords(
        np.zeros(games, dtype=np.int8),
        np.zeros(games, dtype=np.int16),
        np.zeros(games, dtype=np.uint64),
    )


class Running(NamedTuple):
    """The games of a chunk that are still going on, one entry a game."""

    mover: NDArray[np.uint64]
    occupied: NDArray[np.uint64]
    streams: NDArray[np.uint64]
    hashes: NDArray[np.uint64]
    games: NDArray[np.int64]
    """Where the game stands in the records of its chunk."""


_RUNNING: Any = types.NamedTuple(  # type: ignore[no-untyped-call]
    (_words, _words, _words, _words, _ints), Running
)


class Pace:
    """How many positions an agent is asked at once, so that a slow one can be interrupted.

    The threads of a contest share it; it only ever changes how the work is cut, never a result.
    """

    def __init__(self) -> None:
        self.size = FIRST_SLICE

    def learn(self, positions: int, seconds: float) -> None:
        """Take note of how long a call took."""
        if seconds > MAX_CALL_S:
            self.size = max(1, positions // 2)
        elif positions >= self.size and seconds < MAX_CALL_S / 4:
            self.size = 2 * positions


def _play_part(pairing: Pairing, seed: int, paces: tuple[Pace, Pace], meter: Meter) -> GameRecords:
    """Play some games of a pairing, in lock step, to the end."""
    records = _empty_records(len(pairing.numbers))
    running = _start(pairing.numbers, seed)
    turns = cycle(zip((pairing.first, pairing.second), paces, strict=True))
    while len(running.games):
        agent, pace = next(turns)
        after = _advance(agent, running, records, pace, meter)
        meter.advance(len(running.games) - len(after.games))
        running = after
    return records


def _start(numbers: range, seed: int) -> Running:
    n = len(numbers)
    span = numbers[-1] - numbers[0] + 1
    streams = make_streams(seed, span, numbers[0])[:: numbers.step].copy()
    mover, occupied, hashes = np.zeros((3, n), dtype=np.uint64)
    return Running(mover, occupied, streams, hashes, np.arange(n, dtype=np.int64))


def _advance(
    agent: Agent, running: Running, records: GameRecords, pace: Pace, meter: Meter
) -> Running:
    """Let one agent move in every running game; return the games that go on."""
    batch = PositionBatch(agent.geometry, running.mover, running.occupied, running.streams)
    columns = _choose(agent, batch, pace, meter)
    # New arrays for each ply, so that an agent may keep the batch it was shown.
    after = Running._make(np.empty_like(array) for array in running)
    left = _step(
        running,
        columns,
        agent.geometry.shape,
        after,
        records.outcomes,
        records.plies,
        records.hashes,
    )
    if left < 0:
        _refuse(agent, batch.position(-1 - left), int(columns[-1 - left]))
    return Running._make(array[:left] for array in after)


def _choose(agent: Agent, batch: PositionBatch, pace: Pace, meter: Meter) -> NDArray[np.int64]:
    """Ask an agent for its columns, in slices that keep it from going away for long."""
    columns = np.empty(len(batch), dtype=np.int64)
    begin = 0
    while begin < len(batch):
        meter.advance(0)
        some = batch[begin : begin + pace.size]
        began = time.perf_counter()
        columns[begin : begin + len(some)] = _chosen(agent, some)
        pace.learn(len(some), time.perf_counter() - began)
        begin += len(some)
    return columns


def _chosen(agent: Agent, batch: PositionBatch) -> NDArray[np.int64]:
    """Ask an agent for its columns; whether they are legal is not looked at."""
    columns = np.asarray(agent.choose(batch))
    if columns.shape != (len(batch),) or columns.dtype.kind not in "iu":
        raise AgentError(
            f"{agent.spec} must choose a whole number for each of {len(batch)} positions, "
            f"but returned {columns.dtype} of shape {columns.shape}"
        )
    return columns.astype(np.int64, copy=False)


def move_everywhere(agent: Agent, batch: PositionBatch, pace: Pace, meter: Meter) -> PositionBatch:
    """Return the batch after the agent's move in every position, none of which may be over."""
    columns = _choose(agent, batch, pace, meter)
    try:
        return batch.play(columns)
    except GameError:
        for i, column in enumerate(columns):
            _refuse(agent, batch.position(i), int(column))
        raise


def _refuse(agent: Agent, position: Position, column: int) -> None:
    """Name the agent and the position of an illegal move, in the words of ``Position``."""
    try:
        position.play(column)
    except GameError as error:
        raise AgentError(f"{agent.spec} chose an illegal move in {position!r}: {error}") from None


@kernel(types.uint64(types.uint64, types.int64))
def _extend_hash(sequence: Word, column: int) -> Word:
    """Return the hash of a move sequence with one more move; that of no moves is 0."""
    return mix(sequence + GAMMA * np.uint64(column + 1))


@kernel(
    types.int64(
        _RUNNING, _ints, SHAPE, _RUNNING, types.int8[::1], types.int16[::1], types.uint64[::1]
    )
)
def _step(
    running: Running,
    columns: NDArray[np.int64],
    shape: Shape,
    after: Running,
    outcomes: NDArray[np.int8],
    plies: NDArray[np.int16],
    hashes: NDArray[np.uint64],
) -> int:
    """Play one move in every game: record those that end, gather the others in ``after``.

    Returns how many go on, or -1 - i when the move in game i is illegal. Every move is counted in
    ``plies``.
    """
    left = 0
    for i in range(columns.shape[0]):
        if columns[i] < 0 or columns[i] >= shape.columns:
            return -1 - i
        cell = landing_cell(running.occupied[i], columns[i], shape)
        if cell == ZERO:
            return -1 - i
        game = running.games[i]
        mover = running.mover[i] ^ running.occupied[i]
        occupied = running.occupied[i] | cell
        sequence = _extend_hash(running.hashes[i], columns[i])
        plies[game] += 1
        outcome = outcome_of(mover, occupied, shape)
        if outcome != _ONGOING:
            outcomes[game] = outcome
            hashes[game] = sequence
            continue
        after.mover[left] = mover
        after.occupied[left] = occupied
        after.streams[left] = running.streams[i]
        after.hashes[left] = sequence
        after.games[left] = game
        left += 1
    return left

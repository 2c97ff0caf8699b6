"""Contests in chunks of games that are played in lock step, spread over threads.

Game number ``i`` draws from stream number ``i`` of the seed, so its moves do not depend on the
number of threads, on the chunk it sits in, or on how many games are played with it.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.agents.forfeits import FORFEIT
from connectlab.arena.threads import ArenaError, Meter, run_tasks, thread_count
from connectlab.game import PositionBatch
from connectlab.game.lockstep import GameRecords, Lockstep
from connectlab.solver import Progress

MOST_GAMES = 100_000_000
"""Records of more would not fit into the memory of most machines (11 bytes a game)."""
MAX_CHUNK = 8192
MIN_CHUNK = 16
FIRST_SLICE = 64
"""Positions an agent is asked at once before its speed is known."""
MAX_CALL_S = 0.2
"""A call that takes longer makes the next one smaller: a Ctrl-C can wait so long."""


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
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> GameRecords:
    """Play games number ``start`` to ``start + games - 1`` of a seed, ``first`` moving first.

    As many ``threads`` (one for each core by default) take ``chunk`` games at a time; neither
    changes the result. ``progress(done, games)`` is called from the main thread now and then.
    """
    pairing = Pairing(first, second, range(start, start + games))
    return play_pairings([pairing], seed=seed, threads=threads, chunk=chunk, progress=progress)


def play_pairings(
    pairings: Sequence[Pairing],
    *,
    seed: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> GameRecords:
    """Play all games of some pairings, whose numbers together run on without a gap or overlap."""
    games = sum(len(pairing.numbers) for pairing in pairings)
    _check(pairings[0], games, chunk)
    size = chunk or chunk_size(games, thread_count(threads))
    parts = [part for pairing in pairings for part in _cut(pairing, size)]
    paces = {id(agent): Pace() for agent in pairings[0][:2]}
    tasks: list[Callable[[Meter], GameRecords]] = [
        partial(_play_part, part, seed, (paces[id(part.first)], paces[id(part.second)]))
        for part in parts
    ]
    played = run_tasks(tasks, total=games, threads=threads, progress=progress)
    return _put_in_order(parts, played, games)


def _cut(pairing: Pairing, size: int) -> list[Pairing]:
    numbers = pairing.numbers
    return [
        pairing._replace(numbers=numbers[begin : begin + size])
        for begin in range(0, len(numbers), size)
    ]


def _put_in_order(parts: list[Pairing], played: list[GameRecords], games: int) -> GameRecords:
    lowest = min(part.numbers[0] for part in parts)
    records = GameRecords.empty(games)
    for part, some in zip(parts, played, strict=True):
        first, last, step = part.numbers[0], part.numbers[-1], part.numbers.step
        where = slice(first - lowest, last - lowest + 1, step)
        records.outcomes[where] = some.outcomes
        records.plies[where] = some.plies
        records.hashes[where] = some.hashes
    return records


def _check(pairing: Pairing, games: int, chunk: int | None) -> None:
    first, second, _ = pairing
    if not 1 <= games <= MOST_GAMES:
        raise ArenaError(f"a contest has from 1 to {MOST_GAMES:,} games, not {games:,}")
    if chunk is not None and chunk < 1:
        raise ArenaError(f"a chunk holds at least 1 game, not {chunk}")
    if first.geometry != second.geometry:
        raise ArenaError(
            f"both agents must play on the same board: {first.spec} plays {first.geometry}, "
            f"{second.spec} plays {second.geometry}"
        )


def chunk_size(games: int, threads: int) -> int:
    """Give every thread something to do, in chunks worth a call and small enough for the cache."""
    return max(MIN_CHUNK, min(MAX_CHUNK, -(-games // (2 * threads))))


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
    running = Lockstep.start(pairing.numbers, pairing.first.geometry, seed=seed)
    turns = cycle(zip((pairing.first, pairing.second), paces, strict=True))
    while len(running):
        agent, pace = next(turns)
        columns = choose_all(agent, running.batch, pace, meter)
        after = _move(running, columns)
        meter.advance(len(running) - len(after))
        running = after
    return running.records


def _move(running: Lockstep, columns: NDArray[np.int64]) -> Lockstep:
    """Play the columns; games that the side to move forfeits are over."""
    forfeits = columns == FORFEIT
    if forfeits.any():
        running, columns = running.give_up(forfeits), columns[~forfeits]
    return running.play(columns)


def choose_all(agent: Agent, batch: PositionBatch, pace: Pace, meter: Meter) -> NDArray[np.int64]:
    """Ask an agent for columns or ``FORFEIT``, in slices that keep it from going away for long."""
    slices: list[NDArray[np.int64]] = []
    begin = 0
    while begin < len(batch):
        meter.advance(0)
        whole = begin == 0 and pace.size >= len(batch)
        some = batch if whole else batch[begin : begin + pace.size]
        began = time.perf_counter()
        slices.append(agent.choose_or_forfeit(some))
        pace.learn(len(some), time.perf_counter() - began)
        begin += len(some)
    return slices[0] if len(slices) == 1 else np.concatenate(slices)

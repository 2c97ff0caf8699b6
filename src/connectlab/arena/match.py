"""Matches: two agents, many games, and who won how many of them."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.arena.games import Pairing, play_games, play_pairings
from connectlab.arena.results import MatchResult, Sides, Tally
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry, Outcome
from connectlab.game.lockstep import GameRecords
from connectlab.solver import Progress

__all__ = [
    "GameRecords",
    "MatchResult",
    "PlayedGames",
    "Sides",
    "Tally",
    "count_outcomes",
    "match_of",
    "play_games",
    "play_match",
    "play_part",
]


@dataclass(frozen=True, eq=False)
class PlayedGames:
    """Some games of a match, whose numbers run on without a gap."""

    agent: str
    opponent: str
    geometry: Geometry
    records: GameRecords
    agent_forfeits: Counter[str]
    opponent_forfeits: Counter[str]
    seconds: float


def play_match(
    agent: Agent,
    opponent: Agent,
    games: int,
    *,
    sides: Sides = "alternate",
    seed: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match; with alternating sides ``agent`` moves first in games 0, 2, 4, …"""
    played = play_part(
        agent,
        opponent,
        range(games),
        sides=sides,
        seed=seed,
        threads=threads,
        chunk=chunk,
        progress=progress,
    )
    return match_of([played], sides=sides, seed=seed)


def play_part(
    agent: Agent,
    opponent: Agent,
    numbers: range,
    *,
    sides: Sides = "alternate",
    seed: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> PlayedGames:
    """Play the games of a match with these numbers; they do not depend on any other."""
    if sides not in get_args(Sides):
        raise ArenaError(f"sides must be {' or '.join(get_args(Sides))}, not {sides!r}")
    began = time.perf_counter()
    pairings = [Pairing(agent, opponent, numbers)]
    if sides == "alternate":
        even = range(numbers.start + numbers.start % 2, numbers.stop, 2)
        odd = range(numbers.start + 1 - numbers.start % 2, numbers.stop, 2)
        pairings = [Pairing(agent, opponent, even), Pairing(opponent, agent, odd)]
    before = agent.forfeits.so_far(), opponent.forfeits.so_far()
    records = play_pairings(pairings, seed=seed, threads=threads, chunk=chunk, progress=progress)
    return PlayedGames(
        agent=agent.spec,
        opponent=opponent.spec,
        geometry=agent.geometry,
        records=records,
        agent_forfeits=agent.forfeits.so_far() - before[0],
        opponent_forfeits=opponent.forfeits.so_far() - before[1],
        seconds=time.perf_counter() - began,
    )


def match_of(parts: Sequence[PlayedGames], *, sides: Sides, seed: int) -> MatchResult:
    """Return the match whose games were played in these parts, in their order from game 0 on."""
    records = GameRecords.joined([part.records for part in parts])
    moved_first = np.arange(len(records)) % (2 if sides == "alternate" else 1) == 0
    return MatchResult(
        agent=parts[0].agent,
        opponent=parts[0].opponent,
        geometry=parts[0].geometry,
        sides=sides,
        seed=seed,
        first=count_outcomes(records.outcomes[moved_first], Outcome.FIRST_WINS),
        second=count_outcomes(records.outcomes[~moved_first], Outcome.SECOND_WINS),
        mean_plies=float(records.plies.mean()),
        distinct_games=records.distinct_games,
        seconds=sum(part.seconds for part in parts),
        agent_forfeits=sum((part.agent_forfeits for part in parts), Counter()),
        opponent_forfeits=sum((part.opponent_forfeits for part in parts), Counter()),
    )


def count_outcomes(outcomes: NDArray[np.int8], win: Outcome) -> Tally:
    """Count wins, draws and losses of the side whose win is the outcome ``win``."""
    counts = np.bincount(outcomes, minlength=len(Outcome))
    loss = Outcome.SECOND_WINS if win is Outcome.FIRST_WINS else Outcome.FIRST_WINS
    return Tally(int(counts[win]), int(counts[Outcome.DRAW]), int(counts[loss]))

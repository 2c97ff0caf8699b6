"""Matches: two agents, many games, and who won how many of them."""

import time
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.arena.games import Pairing, play_games, play_pairings
from connectlab.arena.results import MatchResult, Sides, Tally
from connectlab.arena.threads import ArenaError
from connectlab.game import Outcome
from connectlab.game.lockstep import GameRecords
from connectlab.solver import Progress

__all__ = [
    "GameRecords",
    "MatchResult",
    "Sides",
    "Tally",
    "count_outcomes",
    "play_games",
    "play_match",
]


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
    if sides not in get_args(Sides):
        raise ArenaError(f"sides must be {' or '.join(get_args(Sides))}, not {sides!r}")
    began = time.perf_counter()
    step = 2 if sides == "alternate" else 1
    pairings = [Pairing(agent, opponent, range(0, games, step))]
    if sides == "alternate":
        pairings.append(Pairing(opponent, agent, range(1, games, step)))
    before = agent.forfeits.so_far(), opponent.forfeits.so_far()
    records = play_pairings(pairings, seed=seed, threads=threads, chunk=chunk, progress=progress)
    moved_first = np.arange(games) % step == 0
    return MatchResult(
        agent=agent.spec,
        opponent=opponent.spec,
        geometry=agent.geometry,
        sides=sides,
        seed=seed,
        first=count_outcomes(records.outcomes[moved_first], Outcome.FIRST_WINS),
        second=count_outcomes(records.outcomes[~moved_first], Outcome.SECOND_WINS),
        mean_plies=float(records.plies.mean()),
        distinct_games=records.distinct_games,
        seconds=time.perf_counter() - began,
        agent_forfeits=agent.forfeits.so_far() - before[0],
        opponent_forfeits=opponent.forfeits.so_far() - before[1],
    )


def count_outcomes(outcomes: NDArray[np.int8], win: Outcome) -> Tally:
    """Count wins, draws and losses of the side whose win is the outcome ``win``."""
    counts = np.bincount(outcomes, minlength=len(Outcome))
    loss = Outcome.SECOND_WINS if win is Outcome.FIRST_WINS else Outcome.FIRST_WINS
    return Tally(int(counts[win]), int(counts[Outcome.DRAW]), int(counts[loss]))

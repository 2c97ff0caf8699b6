"""Moves per second and core of every player, in games against random moves.

    python benchmarks/agents.py [SPEC …] [--seconds 2] [--games 256] [--columns 7 …]

Only the player's own moves are timed. Without specs the usual players are measured, and the exit
code is 1 if minimax at depth 4 answers fewer than 1,000 moves a second.
"""

import argparse
import sys
import time
from collections.abc import Sequence

from connectlab.agents import Agent, make_agent
from connectlab.errors import UserError
from connectlab.game import Geometry, Outcome, PositionBatch

USUAL = [
    "random",
    "extend",
    "minimax:depth=2",
    "minimax:depth=4",
    "minimax:depth=4,alpha_beta=false",
    "minimax:depth=6",
    "negamax",
    "perfect",
    "perfect:objective=outcome",
]
REQUIRED = {"minimax:depth=4": 1_000}


def play_games(agent: Agent, games: int, seed: int, seconds: float) -> tuple[int, float]:
    """Play a batch against random, for some seconds at most; return the moves and their time."""
    random = make_agent("random", agent.geometry)
    batch = PositionBatch.start(games, agent.geometry, seed=seed)
    moves, spent = 0, 0.0
    while len(batch) and spent < seconds:
        if (batch.plies[0] + seed) % 2 == 0:
            started = time.perf_counter()
            columns = agent.choose(batch)
            spent += time.perf_counter() - started
            moves += len(batch)
        else:
            columns = random.choose(batch)
        batch = batch.play(columns)
        batch = batch[batch.outcomes == Outcome.ONGOING]
    return moves, spent


def moves_per_second(agent: Agent, games: int, seconds: float) -> float:
    """Measure one player; sides alternate from batch to batch."""
    play_games(agent, 1, seed=0, seconds=seconds)  # the first call loads machine code
    moves, spent, seed = 0, 0.0, 1
    while spent < seconds:
        more, longer = play_games(agent, games, seed, seconds - spent)
        moves, spent, seed = moves + more, spent + longer, seed + 1
    return moves / spent


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="players to measure")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each player")
    parser.add_argument("--games", type=int, default=256, help="games side by side")
    for name, default in (("columns", 7), ("rows", 6), ("connect", 4)):
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    geometry = Geometry(options.columns, options.rows, options.connect)
    print(f"{geometry}, {options.games} games side by side, one core\n")
    print(f"{'player':<34}{'moves/s':>14}")
    slow = []
    for spec in options.specs or USUAL:
        rate = moves_per_second(make_agent(spec, geometry), options.games, options.seconds)
        print(f"{spec:<34}{rate:>14,.0f}", flush=True)
        if not options.specs and rate < REQUIRED.get(spec, 0):
            slow.append(f"{spec} should reach {REQUIRED[spec]:,} moves/s")
    print("\n".join(slow))
    return 1 if slow else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"error: {error}")

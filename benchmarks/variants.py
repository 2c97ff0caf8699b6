"""How near players come to the exact values of a game with chance, and what it costs.

    python benchmarks/variants.py [--variant V] [--players SPEC …] [--positions 400] [--exact]

On 4x4 connect-3: what a move of each player loses against the best one, on average over some
positions of up to four stones (the same for all), and with ``--exact`` what the player is worth
against its best opponent, for which it is asked about every position. Then, in CPU time on one
core, turn by turn: a move in lock step and a simulation of tree search, with chance and without.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from connectlab.agents import make_agent
from connectlab.arena.expected import exact_value
from connectlab.errors import UserError
from connectlab.game import Geometry, PositionBatch
from connectlab.game.lockstep import Lockstep
from connectlab.game.variants import PLAIN, Variant
from connectlab.solver.expectation import Expectation, expectation_of

PLAYERS = ("random", "minimax:depth=4", "mcts:iterations=200", "mcts:iterations=1000")
MOST_STONES = 4
GAMES = 4096
SIMULATIONS = 10_000


def some_positions(found: Expectation, n: int) -> PositionBatch:
    """Draw different positions with few stones."""
    early = np.flatnonzero(np.bitwise_count(found.batch.occupied) <= MOST_STONES)
    chosen = np.random.default_rng(0).choice(early, min(n, len(early)), replace=False)
    return found.batch[np.sort(chosen)]


def mean_loss(spec: str, found: Expectation, batch: PositionBatch) -> tuple[float, float]:
    """Return what a move of a player loses on average, and at most."""
    policy = make_agent(spec, found.geometry).policy(batch)
    worth = found.column_values(batch)
    lost = worth.max(axis=1) - (policy * np.where(np.isfinite(worth), worth, 0.0)).sum(axis=1)
    return float(lost.mean()), float(lost.max())


def judge(variant: Variant, players: Sequence[str], positions: int, *, exact: bool) -> None:
    """Print how near each player comes to the optimum."""
    found = expectation_of(Geometry(4, 4, 3, variant))
    batch = some_positions(found, positions)
    print(f"{found.geometry}: {len(found):,} positions, value {found.start_value:+.4f}")
    for spec in players:
        mean, most = mean_loss(spec, found, batch)
        print(f"  {spec:<32} loses {mean:.4f} a move, at most {most:.3f}", flush=True)
        if exact:
            value = exact_value(make_agent(spec, found.geometry)).value
            print(f"  {'':<32} is worth {value.first:+.4f} / {value.second:+.4f}", flush=True)


def lock_step_seconds(variant: Variant, seed: int) -> float:
    """Return the CPU time of a move in lock step, between random players."""
    board = Geometry(variant=variant)
    agent = make_agent("random", board)
    running = Lockstep.start(range(GAMES), board, seed=seed)
    spent = 0.0
    while len(running):
        columns = agent.choose(running.batch)
        began = time.thread_time()
        running = running.play(columns)
        spent += time.thread_time() - began
    return spent / int(running.records.plies.sum())


def simulation_seconds(variant: Variant, seed: int) -> float:
    """Return the CPU time of a simulation from the empty board."""
    settings = f"iterations={SIMULATIONS},solver=false,stop_at_win=false"
    agent = make_agent(f"mcts:{settings}", Geometry(variant=variant))
    began = time.thread_time()
    agent.policy(PositionBatch.start(1, agent.geometry, seed=seed))
    return (time.thread_time() - began) / SIMULATIONS


def compare(name: str, measure: Callable[[Variant, int], float], variants: list[Variant]) -> None:
    """Print the best of some turns for each game."""
    for variant in variants:
        measure(variant, 0)
    best = dict.fromkeys(variants, np.inf)
    for seed in range(1, 8):
        for variant in variants:
            best[variant] = min(best[variant], measure(variant, seed))
    for variant, seconds in best.items():
        print(f"{name}, {str(variant) or 'plain':<24} {1e9 * seconds:8.1f} ns")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variant", default="slip:0.1")
    parser.add_argument("--players", nargs="*", default=PLAYERS)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--exact", action="store_true")
    given = parser.parse_args(arguments)
    try:
        variant = Variant.parse(given.variant)
        judge(variant, given.players, given.positions, exact=given.exact)
    except UserError as error:
        parser.error(str(error))
    compare("a move in lock step", lock_step_seconds, [PLAIN, variant])
    compare("a simulation", simulation_seconds, [PLAIN, variant])
    return 0


if __name__ == "__main__":
    sys.exit(main())

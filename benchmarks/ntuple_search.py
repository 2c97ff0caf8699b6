"""What search adds to an n-tuple network: outcome errors by class of position, and time a move.

    python benchmarks/ntuple_search.py SPEC [SPEC …] [--depths 1,3,5,7,9] [--per-class 100]

A spec without depth, such as ``ntuple:champion`` or ``ntuple:runs/first``, is measured at every
depth (plies looked ahead, its own move the first: 1 is no search); any other player once. Errors
are moves that give away a win or a draw, in percent of fresh random positions of each class
(``connectlab positions`` makes such sets), with half the width of the 95 % interval. The time is
that of one core, one position at a time. Published figures of AlphaZero.jl with 600 simulations a
move, on sets of the same kind, stand below.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from connectlab.agents import Agent, make_agent
from connectlab.agents.ntuple.agent import load_network
from connectlab.agents.spec import Spec
from connectlab.arena.measures import move_accuracy
from connectlab.arena.positions import (
    CLASSES,
    PositionSet,
    generate_positions,
    read_position_set,
)
from connectlab.errors import UserError

ALPHAZERO = {
    "begin-easy": 0.0,
    "begin-medium": 2.0,
    "begin-hard": 7.5,
    "middle-easy": 0.0,
    "middle-medium": 2.8,
    "end-easy": 0.0,
}
"""Outcome errors of AlphaZero.jl in percent, read off its published figure."""
TIMED = 40
"""Positions of each class that are timed, one by one."""


def milliseconds(agent: Agent, positions: PositionSet) -> dict[str, float]:
    """Return the mean time of a move in each class."""
    batch = positions.batch()
    agent.choose(batch[:1])  # the first call loads machine code
    spent = {}
    for name in positions.class_names:
        chosen = np.flatnonzero(np.array(positions.classes) == name)[:TIMED]
        started = time.thread_time()
        for i in chosen:
            agent.choose(batch[int(i) : int(i) + 1])
        spent[name] = 1000 * (time.thread_time() - started) / len(chosen)
    return spent


def print_row(name: str, cells: Sequence[str]) -> None:
    print(f"{name:<34}" + "".join(f"{cell:>15}" for cell in cells), flush=True)


def measure(spec: str, positions: PositionSet) -> None:
    """Print the two lines of one player."""
    agent = make_agent(spec, positions.geometry)
    times = milliseconds(agent, positions)  # first, while it remembers none of the positions
    accuracy = move_accuracy(agent, positions, threads=1)
    errors = []
    for name in positions.class_names:
        found = accuracy.classes[name]
        low, high = found.outcome_accuracy_interval
        errors.append(f"{100 * (1 - found.outcome_accuracy):.1f} ± {50 * (high - low):.1f}")
    print_row(spec, errors)
    print_row("", [f"{times[name]:.2f} ms" for name in positions.class_names])


def players(specs: Sequence[str], depths: Sequence[int]) -> list[str]:
    """Return the specs to measure: n-tuple networks at every depth, others as they are."""
    found = []
    for spec in specs:
        parsed = Spec.parse(spec)
        each = parsed.name == "ntuple" and "depth" not in parsed.settings
        found += [f"{spec},depth={depth}" for depth in depths] if each else [spec]
    return found


def usual() -> list[str]:
    """Return the players that are measured without being asked for."""
    try:
        load_network("champion")
    except UserError as error:
        print(error)
        return ["minimax:depth=5"]
    return ["minimax:depth=5", "ntuple:champion"]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="players to measure")
    parser.add_argument("--depths", default="1,3,5,7,9", help="depths of an n-tuple network")
    parser.add_argument("--per-class", type=int, default=100, help="positions of each class")
    parser.add_argument("--positions", type=Path, help="a file of positions instead of fresh ones")
    parser.add_argument("--seed", type=int, default=0, help="seed of the fresh positions")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    depths = [int(depth) for depth in options.depths.split(",")]
    if options.positions is not None:
        positions = read_position_set(options.positions)
    else:
        positions = generate_positions(options.per_class, seed=options.seed)
    specs = players(options.specs or usual(), depths)
    print(f"outcome errors in % and time a move, {len(positions)} positions\n")
    print_row("player", positions.class_names)
    for spec in specs:
        measure(spec, positions)
    if set(positions.class_names) == set(CLASSES):
        print_row("AlphaZero.jl, 600 simulations", [f"{ALPHAZERO[name]:.1f}" for name in CLASSES])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"error: {error}")

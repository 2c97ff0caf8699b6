"""What the nine rules claim, beside the perfect solver: how often, and whether ever wrongly.

    python benchmarks/allis.py [--boards 7x6 6x6 …] [--lines 4000] [--seed 1] [--ablate]

Random lines of every length are cut off; in each position that is reached, what the rules prove for
the side not to move is compared with the solver's outcome. A claim that the solver refutes is
printed, and the exit code is then 1. With ``--ablate`` the rules are left out one by one.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.allis.config import RULE_NODES
from connectlab.agents.allis.control import HOLDS, NOTHING, WINS, make_desk, prove_all
from connectlab.agents.allis.instances import ALL_RULES, RULES
from connectlab.game import Geometry, PositionBatch
from connectlab.game.random_lines import random_lines
from connectlab.solver import Solver

BOARDS = ("7x6", "6x6", "5x6", "4x6", "8x4", "6x4", "5x4", "4x4", "6x5", "7x5", "5x4x3")
MAX_NODES = 1_000_000
"""For one position; only early positions of large boards without a book take more."""


@dataclass(frozen=True)
class Checked:
    """Positions of one board with what the rules claim and what is true of them."""

    batch: PositionBatch
    verdicts: NDArray[np.int64]
    outcomes: NDArray[np.int8]
    """For the side to move; only where ``known``."""
    known: NDArray[np.bool_]
    seconds: float

    @property
    def wrong(self) -> NDArray[np.bool_]:
        too_much = (self.verdicts == HOLDS) & (self.outcomes > 0)
        return self.known & (too_much | ((self.verdicts == WINS) & (self.outcomes >= 0)))

    @property
    def steered(self) -> NDArray[np.bool_]:
        """Where an even number of cells is left, so that the rules apply without a threat."""
        even: NDArray[np.bool_] = (self.batch.geometry.cells - self.batch.plies) % 2 == 0
        return even


def board_of(text: str) -> Geometry:
    return Geometry(*(int(part) for part in text.split("x")))


def prove_batch(batch: PositionBatch, rules: int = ALL_RULES) -> tuple[NDArray[np.int64], float]:
    """Return what the rules prove of each position, and the CPU seconds it took."""
    verdicts = np.zeros(len(batch), np.int64)
    desk = make_desk(batch.geometry, RULE_NODES, rules)
    started = time.process_time()
    prove_all(batch.mover, batch.occupied, desk, verdicts)
    return verdicts, time.process_time() - started


def check(geometry: Geometry, lines: int, seed: int) -> Checked:
    batch = random_lines(lines, 0, geometry.cells - 1, geometry=geometry, seed=seed).batch
    verdicts, seconds = prove_batch(batch)
    solved = Solver(geometry).solve_many(batch, outcome_only=True, max_nodes=MAX_NODES)
    outcomes = np.sign(solved.scores).astype(np.int8)
    return Checked(batch, verdicts, outcomes, solved.known, seconds)


def share(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> str:
    count = int(whole.sum())
    return f"{(part & whole).sum() / count:.1%}" if count else "-"


def print_row(name: str, checked: Checked, chosen: NDArray[np.bool_]) -> None:
    """Print counts and shares of some of the positions."""
    proven = checked.verdicts != NOTHING
    held = chosen & checked.known & (checked.outcomes <= 0) & checked.steered
    lost = chosen & checked.known & (checked.outcomes < 0)
    won = checked.verdicts == WINS
    print(
        f"| {name} | {int(chosen.sum()):,} | {int((checked.verdicts[chosen] == HOLDS).sum()):,} | "
        f"{int(won[chosen].sum()):,} | {int(checked.wrong[chosen].sum())} | {int(held.sum()):,} | "
        f"{share(proven, held)} | {share(won, lost)} |",
        flush=True,
    )


def print_plies(checked: Checked) -> None:
    for first in range(0, checked.batch.geometry.cells, 6):
        chosen = (checked.batch.plies >= first) & (checked.batch.plies < first + 6)
        print_row(f"plies {first}-{first + 5}", checked, chosen)


def print_ablation(checked: Checked) -> None:
    """Print how many proofs are left without each rule."""
    proven = int((checked.verdicts != NOTHING).sum())
    for number, rule in enumerate(RULES):
        verdicts, _ = prove_batch(checked.batch, ALL_RULES & ~(1 << number))
        print(f"without {rule}: {int((verdicts != NOTHING).sum()):,} of {proven:,} proofs")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--lines", type=int, default=1_000, help="random lines on each board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ablate", action="store_true")
    options = parser.parse_args(arguments)
    print("| | positions | holds | wins | wrong | truly held | of these proven | of wins proven |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    positions = wrong = 0
    for text in options.boards:
        checked = check(board_of(text), options.lines, options.seed)
        everything = np.ones(len(checked.batch), np.bool_)
        print_row(text, checked, everything)
        if len(options.boards) == 1:
            print_plies(checked)
        if options.ablate:
            print_ablation(checked)
        for i in np.flatnonzero(checked.wrong):
            print(f"refuted: {checked.batch.position(int(i))!r}")
        print(
            f"{text}: {1e6 * checked.seconds / len(checked.batch):.0f} us a proof", file=sys.stderr
        )
        positions += len(checked.batch)
        wrong += int(checked.wrong.sum())
    print(f"{positions:,} positions, {wrong} claims refuted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

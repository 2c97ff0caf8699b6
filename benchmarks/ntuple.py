"""How fast n-tuple networks learn by self-play, next to the obvious way to write it.

    python benchmarks/ntuple.py [--rounds 5] [--seconds 1.0]

70 random-walk 8-tuples, P = 4, two tables, mirrored, epsilon 0.1, one core. The baseline is
compiled too, with the same bitboards and the same rules: its tables have all 4^8 states, and it
sums z[a_j] * 4^j over the cells of each tuple, and of its mirror image, for every after-state. Both
learn in turns, so that other work on the machine slows both; times are CPU times of the thread.
Games differ in length from learner to learner and grow as it learns, so the ratio is that of moves
a second.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectlab._jit import kernel, popcount
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.agents.ntuple.tuples import create_tuples
from connectlab.game import STANDARD
from connectlab.game.bitboard import ONE, ZERO, landing_cells, winning_cells
from connectlab.game.streams import GAMMA, below, uniform

LEARNERS: dict[str, dict[str, Any]] = {
    "TD(0)": {"rule": "fixed", "alpha": 0.004, "trace_lambda": 0.0},
    "TCL-EXP": {"rule": "tcl-exp", "alpha": 0.05, "trace_lambda": 0.0},
    "TD(0.8) [rr]": {"rule": "fixed", "alpha": 0.004, "trace_lambda": 0.8},
    "TCL-EXP 0.8 [rr]": {"rule": "tcl-exp", "alpha": 0.05, "trace_lambda": 0.8},
}
AIMS = {"TD(0)": 20_000, "TCL-EXP": 11_000, "TD(0.8) [rr]": 11_000, "TCL-EXP 0.8 [rr]": 5_000}
"""Games a second that the project set out to reach on an idle core of a small server."""
TUPLES, LENGTH, EPSILON, BETA = 70, 8, 0.1, 2.7
STATES = 4**LENGTH
SETTINGS: dict[str, Any] = {"tuples": TUPLES, "length": LENGTH, "creation": "walk", "traces": "rr"}
WARM_UP = 1_000

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@kernel()
def read_naively(seen: Ints, cells: Ints, ids: Ints) -> None:
    """Write the number of every slot's weight, without the table."""
    for slot in range(cells.shape[0]):
        k, power = 0, 1
        for j in range(LENGTH):
            k += seen[cells[slot, j]] * power
            power *= 4
        ids[slot] = (slot % TUPLES) * STATES + k


@kernel()
def see(seen: Ints, cell: int, player: int) -> None:
    """Put a stone on a cell; the one above can be reached then."""
    seen[cell] = 1 + player
    if cell % 6 < 5:
        seen[cell + 1] = 3


@kernel()
def unsee(seen: Ints, cell: int) -> None:
    """Take the stone from a cell."""
    seen[cell] = 3
    if cell % 6 < 5:
        seen[cell + 1] = 0


@kernel()
def sum_naively(weights: Floats, table: int, ids: Ints) -> float:
    """Return the value of a position before tanh."""
    f = np.float32(0)
    for slot in range(len(ids)):
        f += weights[table * TUPLES * STATES + ids[slot]]
    return f


@kernel()
def learn_naively(  # noqa: PLR0912, PLR0915
    state: Any,
    games: int,
    alpha: float,
    decay: float,
    coherent: bool,
    cells: Ints,
    weights: Floats,
    net: Floats,
    size: Floats,
    e: Floats,
    shape: Any,
) -> Any:
    """Learn some games; return the random state and the number of moves."""
    slots = cells.shape[0]
    ids, after_ids = np.empty(slots, np.int64), np.empty(slots, np.int64)
    listed = np.empty(slots * 43, np.int64)
    plies = 0
    for _ in range(games):
        seen = np.zeros(42, np.int64)
        seen[::6] = 3
        occupied, mover, player, n = ZERO, ZERO, 0, 0
        read_naively(seen, cells, ids)
        while True:
            table = player
            value = math.tanh(sum_naively(weights, table, ids))
            slope = np.float32(1 - value * value)
            for slot in range(slots):
                weight = table * TUPLES * STATES + ids[slot]
                twin = slot >= TUPLES and ids[slot] == ids[slot - TUPLES]
                if e[weight] == 0:
                    listed[n] = weight
                    n += 1
                e[weight] = 2 * slope if twin else slope
            landing = landing_cells(occupied, shape)
            wins = winning_cells(mover, occupied, shape) & landing
            state += GAMMA
            explore = uniform(state) < EPSILON
            best_cell, best = ZERO, -np.inf
            if explore:
                state += GAMMA
                skip = below(state, popcount(landing))
                for k in range(n):
                    e[listed[k]] = 0
                n = 0
            rest = wins if wins != ZERO and not explore else landing
            while rest != ZERO:
                cell = rest & (~rest + ONE)
                rest ^= cell
                if explore:
                    if skip == 0:
                        best_cell = cell
                    skip -= 1
                elif wins != ZERO:
                    best_cell = cell
                else:
                    bit = popcount(cell - ONE)
                    number = bit - bit // 7
                    see(seen, number, player)
                    read_naively(seen, cells, after_ids)
                    unsee(seen, number)
                    f = (1 - 2 * player) * sum_naively(weights, 1 - player, after_ids)
                    if f > best:
                        best, best_cell = f, cell
            bit = popcount(best_cell - ONE)
            see(seen, bit - bit // 7, player)
            read_naively(seen, cells, ids)
            mover, occupied = mover ^ occupied, occupied | best_cell
            plies += 1
            won = (best_cell & wins) != ZERO
            over = won or occupied == shape.board
            if over:
                target = 1.0 - 2.0 * player if won else 0.0
            else:
                target = math.tanh(sum_naively(weights, 1 - player, ids))
            if over or not explore:
                delta = np.float32(target - value)
                for k in range(n):
                    weight = listed[k]
                    r = delta * e[weight]
                    rate = 1.0
                    if coherent:
                        if size[weight] > 0:
                            rate = math.exp(BETA * (abs(net[weight]) / size[weight] - 1))
                        net[weight] += r
                        size[weight] += abs(r)
                    weights[weight] += alpha * rate * r
            keep = decay > 0 and not over
            for k in range(n):
                e[listed[k]] *= decay if keep else 0.0
            n = n if keep else 0
            player = 1 - player
            if over:
                break
    return state, plies


class Ours:
    """The learner of the package."""

    def __init__(self, **settings: Any) -> None:
        config = NTupleConfig.model_validate({**SETTINGS, **settings, "games": 10**9})
        self._learner = NTupleLearner(config)

    def learn(self, games: int) -> int:
        """Learn; return the number of moves."""
        before = self._learner.plies_done
        self._learner.learn(games)
        return self._learner.plies_done - before


class Baseline:
    """The obvious learner."""

    def __init__(self, *, rule: str, alpha: float, trace_lambda: float) -> None:
        tuples = create_tuples("walk", TUPLES, LENGTH, STANDARD, 1)
        plain = [[c * 6 + r for c, r in cells] for cells in tuples]
        mirrored = [[(6 - c) * 6 + r for c, r in cells] for cells in tuples]
        self._cells = np.array(plain + mirrored, dtype=np.int64)
        size = 2 * TUPLES * STATES
        rng = np.random.default_rng(1)
        self._weights = rng.uniform(-0.0005, 0.0005, size).astype(np.float32)
        coherent = rule == "tcl-exp"
        self._memory = [np.zeros(size if coherent else 1, dtype=np.float32) for _ in range(2)]
        self._trace = np.zeros(size, dtype=np.float32)
        self._numbers = alpha, trace_lambda, coherent
        self._state = np.uint64(1)

    def learn(self, games: int) -> int:
        """Learn; return the number of moves."""
        arrays = self._cells, self._weights, *self._memory, self._trace
        state, plies = learn_naively(self._state, games, *self._numbers, *arrays, STANDARD.shape)
        self._state = np.uint64(state)
        return int(plies)


def speed(learn: Callable[[int], int], games: int) -> tuple[float, float]:
    """Return games and moves a second of CPU time."""
    began = time.thread_time()
    plies = learn(games)
    seconds = time.thread_time() - began
    return games / seconds, plies / seconds


def compare(settings: dict[str, Any], rounds: int, seconds: float) -> tuple[float, float, float]:
    """Return games a second of ours and of the baseline, and the ratio of moves a second."""
    learners = [Ours(**settings), Baseline(**settings)]
    for one in learners:
        one.learn(WARM_UP)
    games = [int(speed(one.learn, WARM_UP)[0] * seconds) for one in learners]
    taken = [
        [speed(one.learn, n) for one, n in zip(learners, games, strict=True)] for _ in range(rounds)
    ]
    ours, baseline = (statistics.median(row[i][0] for row in taken) for i in (0, 1))
    return ours, baseline, statistics.median(row[0][1] / row[1][1] for row in taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each learner")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a turn")
    options = parser.parse_args()
    print(f"{'learner':18} {'games/s':>9} {'aim':>9} {'baseline':>9} {'moves/s ratio':>14}")
    for name, settings in LEARNERS.items():
        ours, baseline, ratio = compare(settings, options.rounds, options.seconds)
        print(f"{name:18} {ours:9,.0f} {AIMS[name]:9,} {baseline:9,.0f} {ratio:14.1f}", flush=True)


if __name__ == "__main__":
    main()

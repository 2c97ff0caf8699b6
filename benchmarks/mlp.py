"""How fast a perceptron learns from whole games, next to the same in NumPy.

    python benchmarks/mlp.py [--rounds 5] [--seconds 1.0] [--hidden 40,250]

Algorithm 1 of Faußer and Schwenker (2008) on the standard board, one core. The NumPy version is
straightforward: the up to seven successors of a position are valued by one matrix product, an
episode is learned by a few matrix products over all its states, in 32 bits; the rules are the
package's. Both learn in turns, so that other work on the machine slows both; times are CPU times of
the thread. Games differ in length from learner to learner and grow as it learns, so the ratio is
that of moves a second.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.mlp.config import MLPConfig
from connectlab.agents.mlp.network import Network
from connectlab.agents.mlp.training import MLPLearner
from connectlab.game import STANDARD
from connectlab.game.bitboard import FIRST_WINS, ONGOING, step

GAMMA, EXPLOIT, ETA = 0.97, 0.7, 0.1
Floats = NDArray[np.float32]


def logistic(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x))."""
    result: Floats = 1 / (1 + np.exp(-x))
    return result


class Plain:
    """The obvious learner in NumPy; ``error`` is "mean" as in the compiled one beside it."""

    def __init__(self, hidden: int) -> None:
        network = Network.create(MLPConfig(hidden=hidden))
        arrays = {name: array.copy() for name, array in network.arrays.items()}
        self.w1, self.theta1 = arrays["inputs"], arrays["thresholds"]
        self.w2, self.theta2 = arrays["outputs"], arrays["output_threshold"]
        self.rng = np.random.default_rng(1)
        self.games = 0

    def learn(self, games: int) -> int:
        """Learn; return the number of moves."""
        return sum(self._learn_game() for _ in range(games))

    def values(self, states: Floats) -> tuple[Floats, Floats]:
        """Return the hidden outputs and V of states, float32[n, 84]."""
        y = logistic(states @ self.w1 - self.theta1)
        return y, logistic(y @ self.w2 - self.theta2)

    def _learn_game(self) -> int:
        agent, self.games = self.games % 2, self.games + 1
        boards = np.zeros((2, 6, 7, 2), dtype=np.float32)  # in either player's view
        heights, states, times = [0] * 7, [], []
        mover = occupied = np.uint64(0)
        ply, stands = 0, ONGOING
        while stands == ONGOING:
            side = ply % 2
            legal = [column for column in range(7) if heights[column] < 6]
            chosen = self.rng.random() <= EXPLOIT
            if chosen:
                after = np.repeat(boards[side : side + 1], len(legal), axis=0)
                after[range(len(legal)), [5 - heights[c] for c in legal], legal, 1] = 1
                column = legal[int(self.values(after.reshape(len(legal), 84))[1].argmax())]
            else:
                column = int(self.rng.choice(legal))
            boards[side, 5 - heights[column], column, 1] = 1
            boards[1 - side, 5 - heights[column], column, 0] = 1
            heights[column] += 1
            if chosen and side == agent:
                states.append(boards[side].reshape(84).copy())
                times.append(ply // 2 + 1)
            words = step(mover, occupied, column, STANDARD.shape)
            mover, occupied, stands = np.uint64(words[0]), np.uint64(words[1]), words[2]
            ply += 1
        if states:
            visited = (ply - agent + 1) // 2
            won = float(stands == FIRST_WINS + agent)
            self._learn(np.array(states), won * GAMMA ** (visited - np.array(times)))
        return ply

    def _learn(self, states: Floats, targets: NDArray[np.float64]) -> None:
        """Take one batch step along the gradient of the mean squared error."""
        y, v = self.values(states)
        d2 = (2 * (targets - v) * v * (1 - v)).astype(np.float32)
        d1 = d2[:, None] * self.w2 * y * (1 - y)
        eta = np.float32(ETA / len(states))
        self.w2 += eta * (d2 @ y)
        self.theta2 -= eta * d2.sum()
        self.w1 += eta * (states.T @ d1)
        self.theta1 -= eta * d1.sum(axis=0)


class Ours:
    """The learner of the package."""

    def __init__(self, hidden: int) -> None:
        settings = {"hidden": hidden, "eta": ETA, "error": "mean", "games": 10**9}
        self._learner = MLPLearner(MLPConfig.model_validate(settings))

    def learn(self, games: int) -> int:
        """Learn; return the number of moves."""
        before = self._learner.plies_done
        self._learner.learn(games)
        return self._learner.plies_done - before


def speed(learn: Callable[[int], int], games: int) -> tuple[float, float]:
    """Return games and moves a second of CPU time."""
    began = time.thread_time()
    plies = learn(games)
    seconds = time.thread_time() - began
    return games / seconds, plies / seconds


def compare(hidden: int, rounds: int, seconds: float) -> tuple[float, float, float]:
    """Return games a second of ours and of NumPy's, and the ratio of moves a second."""
    learners: list[Ours | Plain] = [Ours(hidden), Plain(hidden)]
    warm = [1_000, 20]
    for one, games in zip(learners, warm, strict=True):
        one.learn(games)
    counts = [
        max(1, int(speed(one.learn, games)[0] * seconds))
        for one, games in zip(learners, warm, strict=True)
    ]
    taken = [
        [speed(one.learn, n) for one, n in zip(learners, counts, strict=True)]
        for _ in range(rounds)
    ]
    ours, plain = (statistics.median(row[i][0] for row in taken) for i in (0, 1))
    return ours, plain, statistics.median(row[0][1] / row[1][1] for row in taken)


def main() -> None:
    """Compare for each number of hidden neurons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each learner")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a turn")
    parser.add_argument("--hidden", default="40,250", help="numbers of hidden neurons")
    options = parser.parse_args()
    print(f"{'hidden':>6} {'games/s':>9} {'NumPy':>9} {'moves/s ratio':>14}")
    for hidden in map(int, options.hidden.split(",")):
        ours, plain, ratio = compare(hidden, options.rounds, options.seconds)
        print(f"{hidden:6} {ours:9,.0f} {plain:9,.0f} {ratio:14.1f}", flush=True)


if __name__ == "__main__":
    main()

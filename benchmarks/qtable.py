"""How fast tabular Q-learning learns, next to the paper's data structure.

    python benchmarks/qtable.py [--rounds 3] [--seconds 1.0]

The peer is Q-learning as Cheng et al. describe it, written in a straightforward way: a NumPy array
for the board, a dictionary from the board as a string to a NumPy array of values, epsilon-greedy
choice and Q(lambda) over the pairs of the episode. Both learn the same task in turns, in the same
process, so that other work on the machine slows both; times are CPU times of the thread. The peer's
table is small at first and a dictionary does not slow down as ours might, so its speed is that of
its first games; ours is told for an empty and for a large table.
"""

import argparse
import statistics
import time
from typing import Any, Protocol

import numpy as np

from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.training import QTableLearner

ALPHA, GAMMA, LAMBDA, EPSILON, REWARD = 0.5, 0.95, 0.8, 0.2, 50.0
BOARDS = {"4x4 connect-3": (4, 4, 3), "7x6 connect-4": (7, 6, 4)}
GROWN = 100_000
"""Games after which a table counts as large."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Dictionary:
    """Q-learning with a dictionary of boards, against itself or against random."""

    def __init__(self, columns: int, rows: int, connect: int, opponents: str) -> None:
        self._size = columns, rows, connect
        self._self_play = opponents == "self"
        self._table: dict[str, Any] = {}
        self._rng = np.random.default_rng(1)

    def learn(self, games: int) -> None:
        """Play and learn so many games."""
        for number in range(games):
            self._learn_game(number % 2)

    def _learn_game(self, seat: int) -> None:
        columns, rows, _ = self._size
        board = np.zeros((rows, columns), dtype=np.int64)
        sign = -1 if self._self_play else 1
        trace: list[list[Any]] = []
        player, turn = 1, 0
        while True:
            legal = np.flatnonzero(board[-1] == 0)
            own = self._self_play or turn % 2 == seat
            if own:
                values = self._values(board * player)
                best = values[legal].max()
                if trace:
                    self._update(trace, sign * GAMMA * best, sign)
                if self._rng.random() < EPSILON:
                    column = int(self._rng.choice(legal))
                else:
                    column = int(self._rng.choice(legal[values[legal] == best]))
                if values[column] < best:
                    trace.clear()
                trace.append([values, column, 1.0])
            else:
                column = int(self._rng.choice(legal))
            row = int(np.argmax(board[:, column] == 0))
            board[row, column] = player
            won = self._wins(board, row, column)
            if won or (len(legal) == 1 and row == rows - 1):
                reward = REWARD if won and own else 0.0
                if trace:
                    self._update(trace, reward, sign)
                return
            player, turn = -player, turn + 1

    def _values(self, board: Any) -> Any:
        key = "".join(map(str, board.ravel()))
        if key not in self._table:
            self._table[key] = np.zeros(self._size[0])
        return self._table[key]

    def _update(self, trace: list[list[Any]], target: float, sign: int) -> None:
        values, column, _ = trace[-1]
        delta = target - values[column]
        for pair in trace:
            pair[0][pair[1]] += ALPHA * delta * pair[2]
            pair[2] *= sign * GAMMA * LAMBDA

    def _wins(self, board: Any, row: int, column: int) -> bool:
        columns, rows, connect = self._size
        player = board[row, column]
        for right, up in DIRECTIONS:
            length = 1
            for way in (1, -1):
                c, r = column + way * right, row + way * up
                while 0 <= c < columns and 0 <= r < rows and board[r, c] == player:
                    length += 1
                    c, r = c + way * right, r + way * up
            if length >= connect:
                return True
        return False


class Table:
    """The learner of the package."""

    def __init__(self, columns: int, rows: int, connect: int, opponents: str) -> None:
        config = QTableConfig(
            columns=columns,
            rows=rows,
            connect=connect,
            opponents=opponents,
            games=10**9,
            alpha=ALPHA,
            gamma=GAMMA,
            trace_lambda=LAMBDA,
            epsilon=EPSILON,
        )
        self.learner = QTableLearner(config)

    def learn(self, games: int) -> None:
        """Play and learn so many games, rounded up to whole steps."""
        end = self.learner.games_done + games
        while self.learner.games_done < end:
            self.learner.step()


class Learns(Protocol):
    """What is measured."""

    def learn(self, games: int) -> None:
        """Play and learn so many games."""


def speed(learner: Learns, games: int) -> float:
    """Return games a second of CPU time."""
    began = time.thread_time()
    learner.learn(games)
    return games / (time.thread_time() - began)


def compare(board: tuple[int, int, int], opponents: str, rounds: int, seconds: float) -> None:
    """Print a line: games a second, the ratio, and what a state takes."""
    ours, large, peer = (
        Table(*board, opponents),
        Table(*board, opponents),
        Dictionary(*board, opponents),
    )
    ours.learn(ours.learner.games_a_step)
    large.learn(GROWN)
    games = int(speed(peer, 50) * seconds)
    step = ours.learner.games_a_step
    taken = [
        (speed(Table(*board, opponents), 4 * step), speed(large, 4 * step), speed(peer, games))
        for _ in range(rounds)
    ]
    empty, grown, theirs = (statistics.median(row[i] for row in taken) for i in range(3))
    ratio = statistics.median(row[0] / row[2] for row in taken)
    table = large.learner.table
    print(
        f"{opponents:8} {empty:10,.0f} {grown:10,.0f} {theirs:10,.0f} {ratio:8,.0f} "
        f"{len(table):12,} {table.nbytes / len(table):8.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="turns of each learner")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of the peer's turn")
    options = parser.parse_args()
    for name, board in BOARDS.items():
        print(f"{name}: games a second")
        print(
            f"{'against':8} {'empty':>10} {'large':>10} {'peer':>10} {'ratio':>8} "
            f"{'states':>12} {'bytes':>8}"
        )
        for opponents in ("self", "random"):
            compare(board, opponents, options.rounds, options.seconds)


if __name__ == "__main__":
    main()

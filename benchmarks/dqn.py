"""How fast deep Q-learning plays and learns, next to the loop of a textbook.

    python benchmarks/dqn.py [--rounds 3] [--seconds 2.0]

The peer is deep Q-learning as tutorials write it: one game on a NumPy board, a forward pass for
every move, a deque of transitions, ``random.sample``, ``torch.stack``, and a step of Adam. Both
have the paper's network (64 features, no padding, 300-300-7) on one thread of the CPU and play
against themselves. They take turns in the same process, so that other work on the machine slows
both; times are CPU times.

Four figures: moves played a second without learning (ours 256 games side by side), updates a
second with the paper's batch of 32, transitions learned a second (the peer's batch of 32, ours of
1,024), and moves a second of a run that plays and learns. Updates are bound by the arithmetic of
the network, which is the same for both; only what surrounds it can be saved on a CPU. In a run the
peer learns 32 transitions after every move, as the paper does, and ours 1,024 after every 256, as
the preset ``best`` does: it gains by playing more and looking at each move less often.

With a CUDA device ours plays and learns there, the peer stays on the CPU, and times are wall times.
"""

import argparse
import random
import statistics
import time
from collections import deque
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from connectlab.agents.dqn.config import DQNConfig
from connectlab.agents.dqn.training import DQNLearner

ROWS, COLUMNS, CONNECT = 6, 7, 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
EPSILON, GAMMA, BATCH = 0.1, 0.7, 32


def make_network() -> nn.Module:
    layers: list[nn.Module] = [nn.Conv2d(3, 64, 3), nn.ReLU(), nn.Conv2d(64, 64, 3), nn.ReLU()]
    layers += [nn.Flatten(), nn.Linear(384, 300), nn.ReLU(), nn.Linear(300, 300), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(300, COLUMNS))


class Textbook:
    """One game after the other, one transition at a time."""

    def __init__(self) -> None:
        self._policy, self._target = make_network(), make_network()
        self._optimiser = torch.optim.Adam(self._policy.parameters(), lr=0.001)
        self._memory: deque[tuple[torch.Tensor, int, float, torch.Tensor, bool]] = deque(
            maxlen=20_000
        )
        self._board = np.zeros((ROWS, COLUMNS), dtype=np.int64)
        self._player = 1

    def move(self) -> None:
        """Play one move and keep the transition."""
        state, legal = self._see(), np.flatnonzero(self._board[-1] == 0)
        if random.random() < EPSILON:
            column = int(random.choice(legal))
        else:
            with torch.no_grad():
                values = self._policy(state[None])[0].numpy()
            column = int(legal[values[legal].argmax()])
        row = int(np.argmax(self._board[:, column] == 0))
        self._board[row, column] = self._player
        won = self._wins(row, column)
        over = won or (len(legal) == 1 and row == ROWS - 1)
        self._player = 3 - self._player
        self._memory.append((state, column, 10.0 if won else 1 / 42, self._see(), over))
        if over:
            self._board[:], self._player = 0, 1

    def update(self) -> None:
        """Learn one batch."""
        states, columns, rewards, thens, overs = zip(
            *random.sample(self._memory, BATCH), strict=True
        )
        chosen = torch.tensor(columns)[:, None]
        values = self._policy(torch.stack(states)).gather(1, chosen)[:, 0]
        with torch.no_grad():
            best = self._target(torch.stack(thens)).max(1).values
            goal = torch.tensor(rewards) + GAMMA * best * ~torch.tensor(overs)
        loss = nn.functional.mse_loss(values, goal)
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        loss.item()

    def run(self) -> None:
        """Play one move and learn one batch."""
        self.move()
        self.update()

    def _see(self) -> torch.Tensor:
        planes = [self._board == 0, self._board == 1, self._board == 2]
        return torch.from_numpy(np.stack(planes).astype(np.float32))

    def _wins(self, row: int, column: int) -> bool:
        for down, right in DIRECTIONS:
            count = 1
            for sign in (1, -1):
                y, x = row + sign * down, column + sign * right
                while 0 <= y < ROWS and 0 <= x < COLUMNS and self._board[y, x] == self._player:
                    count, y, x = count + 1, y + sign * down, x + sign * right
            if count >= CONNECT:
                return True
        return False


class Ours:
    """The learner of the package, its three parts called one by one."""

    def __init__(self, batch: int) -> None:
        settings = {"opponents": "self", "rewards": "plain", "padding": 0, "parallel": 256}
        rates = {"epsilon": "0.1", "games": 10**9, "warmup": 20_000, "batch": batch}
        rates["steps_per_update"] = 256
        self._learner = DQNLearner(DQNConfig.model_validate({**settings, **rates}))
        while self._learner.replay.added < 10_000:
            self.play_round()
        self._generator = torch.Generator(self._learner.device).manual_seed(1)

    def play_round(self) -> int:
        """Play a move in all games; nothing is learned before the warmup is over."""
        self._learner.replay.added %= 10_000
        before = self._learner.replay.added
        self._learner._round()
        return self._learner.replay.added - before

    def run(self) -> int:
        """Play a move in all games and learn what is due; return how many moves were played."""
        self._learner.replay.added = max(self._learner.replay.added, 20_000)
        before = self._learner.replay.added
        self._learner._round()
        return self._learner.replay.added - before

    def update(self) -> None:
        """Learn one batch."""
        self._learner.updates.learn(1, 1.0, 0.001, self._generator)


def now() -> float:
    """Return CPU time; where a GPU works, the time by which it has done all that it was given."""
    if not torch.cuda.is_available():
        return time.process_time()
    torch.cuda.synchronize()
    return time.perf_counter()


def rate(work: Callable[[], int | None], seconds: float) -> float:
    """Return how much of a work is done in a second; None counts as one."""
    work()
    done, began = 0, now()
    while now() - began < seconds:
        done += work() or 1
    return done / (now() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    peer, small, large = Textbook(), Ours(BATCH), Ours(1_024)
    for _ in range(500):
        peer.move()
    rows = {
        "moves played": (peer.move, small.play_round, 1, 1),
        "updates, batch 32": (peer.update, small.update, 1, 1),
        "transitions learned": (peer.update, large.update, BATCH, 1_024),
        "moves of a run": (peer.run, large.run, 1, 1),
    }
    print(f"{'a second':<20} {'textbook':>10} {'connectlab':>11}  ratio")
    for name, (theirs, ours, each_theirs, each_ours) in rows.items():
        pairs = [
            (each_theirs * rate(theirs, options.seconds), each_ours * rate(ours, options.seconds))
            for _ in range(options.rounds)
        ]
        ratio = statistics.median(b / a for a, b in pairs)
        slow, fast = (statistics.median(each) for each in zip(*pairs, strict=True))
        print(f"{name:<20} {slow:>10,.0f} {fast:>11,.0f}  {ratio:.1f}x")


if __name__ == "__main__":
    main()

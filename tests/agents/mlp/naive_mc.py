"""A slow, obviously right learner: Table 1 of Faußer and Schwenker (2008), loop by loop.

Boards are grids, inputs are written out as 0 and 1, sums run over all inputs and all states, and
everything is in 64 bits. Of the package it shares nothing but the order in which a game draws
random numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naive import Cell, NaiveGame
from naive_streams import Stream

Vector = NDArray[np.float64]
CLOSE = 2e-5
"""Potentials that differ by less may be in another order in 32 bits."""


class CloseCallError(Exception):
    """A choice of moves depends on the rounding: the compiled learner may play otherwise."""


def f(x: float) -> float:
    """Eq. (9)."""
    return 1 / (1 + math.exp(-x))


def encode(own: set[Cell], other: set[Cell], columns: int, rows: int) -> list[int]:
    """01 for an own stone, 10 for another's, 00 for none; from the upper left, row by row."""
    bits = []
    for row in reversed(range(rows)):
        for column in range(columns):
            bits += [int((column, row) in other), int((column, row) in own)]
    return bits


@dataclass
class NaiveNetwork:
    """Weights and thresholds under the names of Table 1."""

    w1: Vector
    theta1: Vector
    w2: Vector
    theta2: float

    def feed(self, s: Sequence[float]) -> tuple[list[float], list[float], float]:
        """Return u1, y1 and u2 of a state."""
        m, h = self.w1.shape
        u1 = [sum(s[k] * self.w1[k, i] for k in range(m)) - float(self.theta1[i]) for i in range(h)]
        y1 = [f(u) for u in u1]
        return u1, y1, sum(y1[i] * self.w2[i] for i in range(h)) - self.theta2

    def train(self, states: Sequence[Sequence[float]], targets: list[float], eta: float) -> None:
        """Algorithm 1: all sums with the weights from before the step."""
        m, h = self.w1.shape
        d2, d1, ys = [], [], []
        for s, target in zip(states, targets, strict=True):
            u1, y1, u2 = self.feed(s)
            delta = 2 * (target - f(u2)) * f(u2) * (1 - f(u2))
            d2.append(delta)
            ys.append(y1)
            d1.append([delta * self.w2[i] * f(u1[i]) * (1 - f(u1[i])) for i in range(h)])
        n = range(len(states))
        for i in range(h):
            self.w2[i] += eta * sum(d2[t] * ys[t][i] for t in n)
            self.theta1[i] -= eta * sum(d1[t][i] for t in n)
            for k in range(m):
                self.w1[k, i] += eta * sum(d1[t][i] * states[t][k] for t in n)
        self.theta2 -= eta * sum(d2)


@dataclass
class NaiveLearner:
    """Self-play with one network for both players."""

    columns: int
    rows: int
    connect: int
    network: NaiveNetwork
    gamma: float = 0.97
    exploit: float = 0.7
    draw_return: float = 0.0
    both_sides: bool = False
    mirror: bool = False
    mean: bool = False

    def state(self, game: NaiveGame, player: int) -> list[int]:
        own, other = game.stones(player), game.stones(3 - player)
        return encode(own, other, self.columns, self.rows)

    def after(self, game: NaiveGame, column: int) -> NaiveGame:
        return NaiveGame(self.columns, self.rows, self.connect, [*game.history, column])

    def best_column(self, game: NaiveGame) -> int:
        """The successor of the highest value, for the player to move."""
        player, found = game.player, []
        for column in game.legal_columns():
            after = self.after(game, column)
            found.append((self.network.feed(self.state(after, player))[2], column))
        found.sort(reverse=True)
        if len(found) > 1 and found[0][0] - found[1][0] < CLOSE:
            raise CloseCallError
        return found[0][1]

    def play(self, stream: Stream) -> tuple[list[NaiveGame], list[bool]]:
        """Return the positions after each ply, and which moves were chosen by value."""
        game = NaiveGame(self.columns, self.rows, self.connect)
        after, chosen = [], []
        while game.outcome() == "ongoing":
            legal = game.legal_columns()
            exploits = not stream.uniform() > self.exploit
            column = self.best_column(game) if exploits else legal[stream.below(len(legal))]
            game = self.after(game, column)
            after.append(game)
            chosen.append(exploits)
        return after, chosen

    def learn_game(self, number: int, seed: int, eta: float) -> None:
        after, chosen = self.play(Stream(seed, number))
        self.learn(after, chosen, number % 2, eta, self.both_sides)

    def learn(
        self, after: list[NaiveGame], chosen: list[bool], agent: int, eta: float, both: bool
    ) -> None:
        """Learn a game as the agent (0 if it began) and perhaps the opponent saw it."""
        for side in (agent, 1 - agent) if both else (agent,):
            visited = range(side, len(after), 2)
            result = {side + 1: 1.0, 0: self.draw_return}.get(after[-1].winner(), 0.0)
            kept = [(t, ply) for t, ply in enumerate(visited, start=1) if chosen[ply]]
            targets = [result * self.gamma ** (len(visited) - t) for t, _ in kept]
            games = [after[ply] for _, ply in kept]
            rate = eta / max(1, len(kept)) if self.mean else eta
            self.network.train([self.state(g, side + 1) for g in games], targets, rate)
            if self.mirror:
                images = [self.state(g.mirror(), side + 1) for g in games]
                self.network.train(images, targets, rate)

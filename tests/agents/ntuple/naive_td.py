"""A slow, obviously right n-tuple learner: dense vectors, P^j indices, explicit after-states.

It follows the poster of Konen, Bagheri and Thill (2015) line by line: Algorithm 2 (temporal
coherence) and Algorithm 3 (incremental TD(lambda) for board games), with V = tanh(w . x), or w . x
itself. Of the package it shares nothing but the order in which a game draws random numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from naive import all_lines
from naive_streams import Stream

Cell = tuple[int, int]
Vector = NDArray[np.float64]
Grid = tuple[tuple[int, ...], ...]
"""``grid[column][row]``: 0 empty, 1 first player, 2 second player."""

TIE = 1e-5
"""After-states whose w . x differ by less are drawn by lot."""
DOUBT = 1e-6
"""Rounding in 32 bits may put a number this close to a bound on either side of it."""


class CloseCallError(Exception):
    """A choice depends on the rounding: the compiled learner may choose otherwise."""


def bounded_below(b: Vector, alpha: float) -> Vector:
    """Return b with ln(alpha_i) = ln(alpha) + b_i at least -10."""
    return np.maximum(-10.0, math.log(alpha) + b) - math.log(alpha)


@dataclass
class NaiveRule:
    """A step-size rule over all weights; ``memory`` is float64[weights, numbers]."""

    name: str
    parameter: float
    memory: Vector
    greatest_pull: float = 0.0
    linear: bool = False
    """V is w . x, not its tanh."""

    def value(self, f: float) -> float:
        return f if self.linear else math.tanh(f)

    def slope(self, value: float) -> float:
        """Return the derivative of V by w . x where V is this."""
        return 1.0 if self.linear else 1 - value**2

    def curvature(self, value: float) -> float:
        """Return how that slope changes with w . x, divided by the slope."""
        return 0.0 if self.linear else -2 * value

    def share(self, x: Vector, value: float) -> Vector:
        """Return what a position adds to the eligibilities: its gradient, or only its inputs."""
        return x if self.name in ("k1", "nl-idbd") else self.slope(value) * x

    def change(
        self, alpha: float, delta: float, e: Vector, x: Vector, value: float, pull: float
    ) -> Vector:
        """Return the change of every weight for the temporal difference delta.

        ``e`` are the eligibilities, ``x`` and ``value`` those of the position before the move.
        """
        if self.name == "fixed":
            return alpha * delta * e
        if self.name == "alpha-bounds":
            self.greatest_pull = max(self.greatest_pull, pull)
            bound = 1 / self.greatest_pull if self.greatest_pull > 0 else math.inf
            return min(alpha, bound) * delta * e
        if self.name in ("idbd", "nl-idbd", "idbd-mse"):
            return self._idbd(alpha, delta, e, x, value)
        if self.name in ("k1", "elk1"):
            return self._kalman(alpha, delta, e)
        if self.name == "rprop":
            return self._rprop(alpha, delta, e)
        if self.name == "autostep":
            return self._autostep(alpha, delta, e)
        return self._coherence(alpha, delta, e)

    def _coherence(self, alpha: float, delta: float, e: Vector) -> Vector:
        """Algorithm 2."""
        net, size = self.memory[:, 0], self.memory[:, 1]
        step = np.ones(len(e))
        known = size != 0
        step[known] = self._transfer(np.abs(net[known]) / size[known])
        r = delta * e
        net += r
        size += np.abs(r)
        return alpha * step * r

    def _transfer(self, x: Vector) -> Vector:
        if self.name == "tcl":
            return x
        if self.name == "tcl-linear":
            return np.maximum(math.exp(-self.parameter), 1 + self.parameter * (x - 1))
        return np.exp(self.parameter * (x - 1.0))

    def _idbd(self, alpha: float, delta: float, e: Vector, x: Vector, value: float) -> Vector:
        """Sutton 1992, with e for x, beta = ln(alpha) + b, and his bounds on beta.

        The decay of h is the derivative of delta * e by w: one x in it is the input of now.
        """
        b, h = self.memory[:, 0], self.memory[:, 1]
        b[:] = bounded_below(b + np.clip(self.parameter * delta * e * h, -2.0, 2.0), alpha)
        step = alpha * np.exp(b)
        change = step * delta * e
        slope = self.slope(value)
        lost = e * slope * x
        if self.name == "idbd-mse":
            bend = delta * self.curvature(value) * slope * x**2
            lost = lost - bend * (e != 0)  # a reset e has no slope
        h[:] = h * np.maximum(0.0, 1 - step * lost) + change
        return change

    def _kalman(self, alpha: float, delta: float, e: Vector) -> Vector:
        """K1 of Sutton 1992; ELK1 of Schraudolph 1998 if e holds gradients for inputs."""
        b, h = self.memory[:, 0], self.memory[:, 1]
        b[:] = bounded_below(b + np.clip(self.parameter * delta * e * h, -2.0, 2.0), alpha)
        p = alpha * np.exp(b)
        gain = p * e / (1 + (p * e**2).sum())
        h[:] = (h + gain * delta) * np.maximum(0.0, 1 - gain * e)
        return gain * delta

    def _rprop(self, alpha: float, delta: float, e: Vector) -> Vector:
        """Riedmiller and Braun 1993 with iRPROP-, weight by weight; b = ln(step / alpha)."""
        change = np.zeros(len(e))
        for i in np.flatnonzero(e):
            step, last = alpha * math.exp(self.memory[i, 0]), self.memory[i, 1]
            sign = float(np.sign(delta * e[i]))
            if sign * last > 0:
                step *= 1.2
            elif sign * last < 0:
                step, sign = step * 0.5, 0.0
            step = min(0.1, max(1e-7, step))
            self.memory[i] = math.log(step / alpha), sign
            change[i] = sign * step
        return change

    def _autostep(self, alpha: float, delta: float, e: Vector) -> Vector:
        """Mahmood et al. 2012, with e for x; the division by M is for eligible weights only."""
        b, h, v = self.memory.T
        meta = delta * e * h
        v[:] = np.maximum(np.abs(meta), v + alpha * np.exp(b) * e**2 / 1e4 * (np.abs(meta) - v))
        b[v > 0] = bounded_below(b[v > 0] + self.parameter * meta[v > 0] / v[v > 0], alpha)
        excess = max(1.0, (alpha * np.exp(b) * e**2).sum())
        step = alpha * np.exp(b) / excess
        b[e != 0] = bounded_below(b[e != 0] - math.log(excess), alpha)
        change = step * delta * e
        h[:] = h * (1 - step * e**2) + change
        return change


@dataclass
class NaiveStarts:
    """The positions noted last, at most ``places``; the oldest is at ``noted % places``."""

    places: int
    grids: list[Grid] = field(default_factory=list)
    noted: int = 0

    def note(self, grid: Grid) -> None:
        """Add a position, in the place of the oldest once all places are taken."""
        if self.noted < self.places:
            self.grids.append(grid)
        else:
            self.grids[self.noted % self.places] = grid
        self.noted += 1


def stones(grid: Grid) -> int:
    return sum(stone != 0 for column in grid for stone in column)


@dataclass
class NaiveLearner:
    """The whole learner. Weights are float64[tables * tuples * P^n], tuple after tuple."""

    columns: int
    rows: int
    connect: int
    tuples: tuple[tuple[Cell, ...], ...]
    states: int
    tables: int
    mirror: bool
    weights: Vector
    rule: NaiveRule
    gamma: float = 1.0
    trace_lambda: float = 0.0
    replace: bool = False
    reset: bool = False
    bounded: bool = False
    updates: str = "konen"
    safe_second: bool = False
    restarts: float = 0.0
    surprise: float = 0.3
    haste: float = 0.0
    look_back: int = 4
    starts: NaiveStarts = field(default_factory=lambda: NaiveStarts(2**16))
    begun: list[Grid] = field(default_factory=list, init=False)
    """Where every game of self-play began."""
    forced: int = field(default=0, init=False)
    """Moves that would have been random had there been another that does not lose at once."""
    plies: int = field(default=0, init=False)
    deltas: list[float] = field(default_factory=list, init=False)
    """The temporal difference of every move that was learned from."""

    # What the network sees

    def index(self, cells: tuple[Cell, ...], grid: Grid) -> int:
        """Eq. (1) of Thill 2012: the sum of z[a_j] * P^j."""
        return sum(self.seen(cell, grid) * self.states**j for j, cell in enumerate(cells))

    def seen(self, cell: Cell, grid: Grid) -> int:
        column, row = cell
        if grid[column][row]:
            return grid[column][row]
        reachable = self.states == 4 and (row == 0 or grid[column][row - 1] != 0)
        return 3 if reachable else 0

    def features(self, grid: Grid) -> Vector:
        """Return x: how often each weight counts; Eq. (2) of Thill 2012 with the mirror image."""
        x = np.zeros(len(self.weights))
        offset = 0 if self.tables == 1 or stones(grid) % 2 == 0 else len(x) // 2
        for cells in self.tuples:
            x[offset + self.index(cells, grid)] += 1
            if self.mirror:
                x[offset + self.index(cells, grid[::-1])] += 1
            offset += self.states ** len(cells)
        return x

    # The game

    def landing(self, grid: Grid) -> list[Cell]:
        return [(c, column.index(0)) for c, column in enumerate(grid) if 0 in column]

    def put(self, grid: Grid, cell: Cell, player: int) -> Grid:
        columns = [list(column) for column in grid]
        columns[cell[0]][cell[1]] = player
        return tuple(tuple(column) for column in columns)

    def wins(self, grid: Grid, player: int) -> bool:
        lines = all_lines(self.columns, self.rows, self.connect)
        return any(all(grid[c][r] == player for c, r in line) for line in lines)

    def reward(self, grid: Grid, player: int) -> float | None:
        """Return R of a final position, for the first player, or None if the game goes on."""
        if self.wins(grid, player):
            worth = 1 - self.haste * (stones(grid) - 1)
            return worth if player == 1 else -worth
        return None if self.landing(grid) else 0.0

    def winning(self, grid: Grid, player: int) -> list[Cell]:
        """Return the cells where a stone of this player would win."""
        cells = self.landing(grid)
        return [cell for cell in cells if self.wins(self.put(grid, cell, player), player)]

    def random_cells(self, grid: Grid, player: int) -> list[Cell]:
        """Return the cells that a random move is drawn from.

        With ``safe_second`` the second player, unless it can win, leaves no winning reply; where
        every cell leaves one, it takes one of those that the first player threatens, if any.
        """
        cells = self.landing(grid)
        if not self.safe_second or player == 1 or self.winning(grid, 2):
            return cells
        safe = [cell for cell in cells if not self.winning(self.put(grid, cell, 2), 1)]
        return safe or self.winning(grid, 1) or cells

    def is_forced(self, grid: Grid, player: int) -> bool:
        """Whether a random move would be no matter of chance."""
        only = len(self.random_cells(grid, player)) == 1
        return self.safe_second and player == 2 and not self.winning(grid, 2) and only

    # Where games begin

    def beginning(self, stream: Stream) -> Grid:
        """Return the empty board, or one of the positions noted so far."""
        empty: Grid = tuple((0,) * self.rows for _ in range(self.columns))
        again = self.restarts > 0 and self.starts.noted > 0 and stream.uniform() < self.restarts
        grids = self.starts.grids
        self.begun.append(grids[stream.below(len(grids))] if again else empty)
        return self.begun[-1]

    def note_surprise(self, delta: float, path: list[Grid], stream: Stream) -> None:
        """Note the position that had a wrong value, the last of the path, or one before it."""
        if abs(abs(delta) - self.surprise) < DOUBT:
            raise CloseCallError
        if abs(delta) > self.surprise:
            back = stream.below(self.look_back + 1)
            self.starts.note(path[max(0, len(path) - 1 - back)])

    # Algorithm 3

    def value(self, x: Vector) -> float:
        return self.rule.value(float(self.weights @ x))

    def learn_game(
        self,
        alpha: float,
        epsilons: tuple[float, float],
        stream: Stream,
        given: Sequence[int] = (),
    ) -> None:
        """Play and learn a game, or learn along the columns of a given one.

        ``epsilons`` are those of the first and of the second player.
        """
        grid: Grid = tuple((0,) * self.rows for _ in range(self.columns))
        if not given:
            grid = self.beginning(stream)
        x = self.features(grid)
        e = self.rule.share(x, self.value(x))
        player, path = 1 + stones(grid) % 2, [grid]
        while True:
            value_old = self.value(x)
            explore = not given and stream.uniform() < epsilons[player - 1]
            if given:
                (cell,) = (c for c in self.landing(grid) if c[0] == given[len(path) - 1])
                after = self.put(grid, cell, player)
            elif explore:
                cells = self.random_cells(grid, player)
                after = self.put(grid, cells[stream.below(len(cells))], player)
                if self.is_forced(grid, player):
                    explore = False
                    self.forced += 1
                elif self.reset and self.updates != "framework":
                    e = np.zeros_like(e)
            else:
                after = self.greedy(grid, player, stream)
            self.plies += 1
            reward = self.reward(after, player)
            x_next = self.features(after)
            slope = self.rule.slope(self.value(x_next))
            target = reward if reward is not None else self.gamma * self.value(x_next)
            ends = reward is not None and self.updates != "thill"
            if not explore or ends:
                ahead = self.gamma * slope * x_next if reward is None else np.zeros_like(x)
                pull = float(e @ (self.rule.slope(value_old) * x - ahead))
                delta = target - value_old
                if e.any():
                    self.deltas.append(delta)
                    if self.restarts > 0 and not given:
                        self.note_surprise(delta, path, stream)
                self.weights += self.change(alpha, delta, e, x, value_old, pull)
            if reward is not None:
                return
            if explore and self.reset:
                e = np.zeros_like(e)
            share = self.rule.share(x_next, self.value(x_next))
            faded = self.gamma * self.trace_lambda * e
            e = np.where((x_next != 0) & self.replace, share, faded + share)
            grid, x, player = after, x_next, 3 - player
            path.append(grid)

    def change(
        self, alpha: float, delta: float, e: Vector, x: Vector, value: float, pull: float
    ) -> Vector:
        """Return what the rule says, or less of it: the value goes at most all the way."""
        change = self.rule.change(alpha, delta, e, x, value, pull)
        if not self.bounded or delta == 0:
            return change
        return change / max(1.0, float(change @ e) / delta)

    def greedy(self, grid: Grid, player: int, stream: Stream) -> Grid:
        """Return a winning after-state, or the best, drawn by lot among equals."""
        ways = [self.put(grid, cell, player) for cell in self.landing(grid)]
        for after in ways:
            if self.wins(after, player):
                return after
        sign = 1 if player == 1 else -1
        best, chosen, ties = -math.inf, ways[0], 0
        for after in ways:
            f = sign * float(self.weights @ self.features(after))
            if abs(abs(f - best) - TIE) < DOUBT:
                raise CloseCallError
            if f > best + TIE:
                best, chosen, ties = f, after, 1
            elif f >= best - TIE:
                ties += 1
                if stream.below(ties) == 0:
                    chosen = after
        return chosen

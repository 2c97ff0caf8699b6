"""A walk through every game that a player can get into, and the holes it has there.

All positions are visited that can arise when the player follows its policy, with every move that
it may draw, and the opponent plays anything at all. The referee judges each move of the player: one
that leaves it a worse outcome than it has to hold is a *hole*.

What a player has to hold is the theoretical result of its side, or, where it asks for more (and
where its side is lost from the start), whatever the position gives it: the opponent's gifts.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.agents.choice import draw_columns
from connectlab.arena.levels import Level, Runs, Shelf
from connectlab.arena.threads import ArenaError, Meter, run_tasks, thread_count
from connectlab.game import Geometry, Outcome, Position, PositionBatch
from connectlab.game.neighbours import batch_of, replies
from connectlab.solver import Progress, Solver

Side: TypeAlias = Literal["first", "second"]
Keep: TypeAlias = Literal["result", "gifts"]
Columns: TypeAlias = NDArray[np.int64]

FORFEITED = -1
"""In place of the column of a hole: the player makes no move at all."""
PARTS, LEAST_PART, PART = 64, 256, 1 << 15
"""Into how many parts a level is cut, and the positions of a part at least and at most."""
CHECKED = 128
"""Positions of each part in which the claim of symmetry is put to the test."""
MOST_POSITIONS = 2_000_000_000
"""More are refused unless somebody wants them."""


class Ply(NamedTuple):
    """What was found after a number of stones, the player to move."""

    ply: int
    positions: int
    held: int
    """Positions in which there is something to hold."""
    faulty: int
    """Positions of these in which a move that the player may make gives it away."""
    holes: int
    """Such moves."""
    hole_chance: float
    """How likely a game against random moves goes into one of these holes."""


@dataclass(frozen=True, eq=False)
class Holes:
    """The holes of one ply, an entry each, the likeliest first."""

    ply: int
    keys: NDArray[np.uint64]
    columns: Columns
    """What the player plays, 0-based, in the position of the key; ``FORFEITED`` for no move."""
    chances: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True)
class Claim:
    """What a player is to hold, on which board and side."""

    geometry: Geometry
    side: Side
    keep: Keep
    result: int
    """What perfect play gives this side from the empty board: 1 a win, 0 a draw, -1 a loss."""

    @classmethod
    def of(cls, geometry: Geometry, side: Side, keep: Keep | None, solver: Solver) -> "Claim":
        """Find the theoretical result; by default it is held where there is one to hold."""
        outcome = solver.outcome(Position(geometry))
        result = outcome if side == "first" else -outcome
        if keep == "result" and result < 0:
            raise ArenaError(
                f"the {side} player loses {geometry} with perfect play, so there is no result to "
                "hold: take keep=gifts"
            )
        return cls(geometry, side, keep or ("gifts" if result < 0 else "result"), result)


@dataclass(frozen=True, eq=False)
class Walk:
    """One walk through all games, or through a sample of them."""

    claim: Claim
    mirrored: bool
    """Whether a position and its mirror image counted as one."""
    plies: tuple[Ply, ...]
    levels: tuple[Level, ...]
    """The positions in which the player was to move, beside ``plies``; their weights are the
    chances to get there against random moves."""
    holes: tuple[Holes, ...]
    """Those plies that have any."""

    @property
    def hole_chance(self) -> float:
        """The chance that an opponent who plays at random gets into a hole."""
        return float(sum(each.hole_chance for each in self.plies))

    def without_positions(self) -> "Walk":
        """Return the counts alone, which need no room."""
        return replace(self, levels=(), holes=())

    @property
    def held_rate(self) -> float:
        """Share of positions with something to hold in which every move it may make holds."""
        held = sum(each.held for each in self.plies)
        return 1.0 - sum(each.faulty for each in self.plies) / max(1, held)


class _Part(NamedTuple):
    """What became of a part of a level."""

    held: int
    keys: NDArray[np.uint64]
    columns: Columns
    chances: NDArray[np.float64]


class Walker:
    """Walks through the games of one player, level by level."""

    def __init__(
        self,
        agent: Agent,
        claim: Claim,
        solver: Solver,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        most_positions: int = MOST_POSITIONS,
        mirrored: bool = False,
    ) -> None:
        check_provable(agent)
        self.agent = agent
        self.claim = claim
        self.solver = solver
        self.threads = thread_count(threads)
        self.most_positions = most_positions
        self.mirrored = mirrored
        self._progress = progress
        self._done = 0

    def walk(self, shelf: Shelf, sample: "Sample | None" = None) -> Walk:
        """Walk to the end; with a sample through some positions of each ply only."""
        level, ply = self._start()
        plies, levels, holes = [], [], []
        self._done = 0
        while len(level):
            if sample is not None:
                level = shelf.replaced(level, sample.of(level))
            self._check_size(len(level), sample)
            runs = Runs(shelf)
            parts = self._work_through(level, runs)
            found = _gathered(ply, parts)
            chance = float(found.chances.sum())
            held = sum(part.held for part in parts)
            faulty = len(np.unique(found.keys))
            plies.append(Ply(ply, len(level), held, faulty, len(found), chance))
            levels.append(level)
            if len(found):
                holes.append(found)
            self._done += len(level)
            level, ply = runs.merged(self.threads), ply + 2
        return Walk(self.claim, self.mirrored, tuple(plies), tuple(levels), tuple(holes))

    def _start(self) -> tuple[Level, int]:
        empty = PositionBatch.start(1, self.claim.geometry)
        if self.claim.side == "first":
            return Level(empty.keys, np.ones(1)), 0
        return Level.of(*replies(empty, np.ones(1), mirrored=self.mirrored)), 1

    def _work_through(self, level: Level, runs: Runs) -> list[_Part]:
        size = min(PART, max(LEAST_PART, len(level) // PARTS))
        tasks: list[Callable[[Meter], _Part]] = [
            partial(self._work, level.part(slice(begin, begin + size)), begin, runs)
            for begin in range(0, len(level), size)
        ]

        def report(done: int, total: int) -> None:
            if self._progress is not None:
                self._progress(self._done + done, self._done + total)

        return run_tasks(tasks, total=len(level), threads=self.threads, progress=report)

    def _work(self, level: Level, number: int, runs: Runs, meter: Meter) -> _Part:
        """Let the player move, judge its moves, and let the opponent reply.

        Behind a hole there is no result to hold any more, but there may be gifts: such positions
        are visited with no chance at all, since a hole was found before.
        """
        batch = batch_of(level.keys, self.claim.geometry)
        policy = self._policy(batch)
        rows, columns = np.nonzero(policy)
        after = batch[rows].play(columns)
        chances = level.weights[rows] * policy[rows, columns]
        values = values_after(after, self.solver)
        before = self._values_to_hold(batch, rows, values)
        hole = values < before[rows]
        goes_on = after.outcomes == Outcome.ONGOING
        if self.claim.keep == "result":
            goes_on &= ~hole
        clean = np.where(hole, 0.0, chances)[goes_on]
        runs.add(number, Level.of(*replies(after[goes_on], clean, mirrored=self.mirrored)))
        meter.advance(len(level))
        silent = ~policy.any(axis=1) & (before > -1)
        return _Part(
            int((before > -1).sum()),
            np.concatenate([level.keys[rows[hole]], level.keys[silent]]),
            np.concatenate([columns[hole], np.full(int(silent.sum()), FORFEITED)]),
            np.concatenate([chances[hole], level.weights[silent]]),
        )

    def _policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Ask the player; refuse what is no policy, and a claim of symmetry that is not true."""
        agent = self.agent
        policy = np.ascontiguousarray(agent.policy(batch), dtype=np.float64)
        if policy.shape != (len(batch), agent.geometry.columns):
            raise ArenaError(f"{agent.spec} gives a policy of shape {policy.shape}")
        _, wrong = draw_columns(policy, batch, may_forfeit=agent.may_forfeit)
        if wrong is not None:
            raise ArenaError(f"{agent.spec} gives no chances in {batch.position(wrong)!r}")
        if self.mirrored:
            some = np.arange(0, len(batch), max(1, len(batch) // CHECKED))
            if not np.array_equal(agent.policy(batch[some].mirror())[:, ::-1], policy[some]):
                raise ArenaError(
                    f"{agent.spec} plays other moves in a mirror image: take merge=false"
                )
        return policy

    def _values_to_hold(
        self, batch: PositionBatch, rows: Columns, values: NDArray[np.int8]
    ) -> NDArray[np.int8]:
        """Return what the player has to hold in each position, int8[n]; -1 is nothing."""
        if self.claim.keep == "result":
            return np.full(len(batch), self.claim.result, dtype=np.int8)
        best = np.full(len(batch), -1, dtype=np.int8)
        np.maximum.at(best, rows, values)  # no move gives more than there was
        open_still = np.flatnonzero(best < 1)
        best[open_still] = self.solver.solve_many(batch[open_still], outcome_only=True).scores
        return best

    def _check_size(self, n: int, sample: "Sample | None") -> None:
        if self._done + n <= self.most_positions:
            return
        fewer = "sample some of them (sample=60000)" if sample is None else "take a smaller sample"
        raise ArenaError(
            f"there are more than {self.most_positions:,} positions: {fewer}, or raise positions"
        )


class Sample:
    """Draws positions of each ply by lot; their weights grow so that sums stay right on average."""

    def __init__(self, most: int, seed: int) -> None:
        self.most = most
        self._lots = np.random.default_rng(seed)

    def of(self, level: Level) -> Level:
        """Return at most so many positions of a level, each as likely as any other."""
        n = len(level)
        if n <= self.most:
            return level
        chosen = np.sort(self._lots.choice(n, self.most, replace=False, shuffle=False))
        return Level(level.keys[chosen], level.weights[chosen] * (n / self.most))


def values_after(after: PositionBatch, solver: Solver) -> NDArray[np.int8]:
    """Return what a player has after its moves: 1 a win, 0 a draw, -1 a loss; int8[n]."""
    outcomes = after.outcomes
    goes_on = outcomes == Outcome.ONGOING
    values = np.where(outcomes == Outcome.DRAW, 0, 1).astype(np.int8)
    found = solver.solve_many(after[goes_on], outcome_only=True)
    values[goes_on] = -found.scores
    return values


def check_provable(agent: Agent) -> None:
    """Raise ``ArenaError`` for a player or a game of which nothing can be proven by walking."""
    if not agent.geometry.variant.is_plain:
        raise ArenaError(f"only the plain game can be proven, not {agent.geometry}")
    if agent.sampled:
        raise ArenaError(f"the policy of {agent.spec} comes from chance: nothing can be proven")


def _gathered(ply: int, parts: list[_Part]) -> Holes:
    keys = np.concatenate([part.keys for part in parts])
    columns = np.concatenate([part.columns for part in parts])
    chances = np.concatenate([part.chances for part in parts])
    order = np.lexsort((columns, keys, -chances))
    return Holes(ply, keys[order], columns[order], chances[order])

"""Proof that nobody can take from a player what is its own, or how far it is from that.

:mod:`~connectlab.arena.walk` goes through every game that can come about. Without a hole the
outcome is proven: whoever plays against this player, perfectly or not, the player gets what it had
to hold. This rests on the solver's outcomes, on the policy as it was asked here (the same weights,
the same settings) and, where mirror images counted as one, on the player's symmetry, which is
tested on the way. Too large a walk can be sampled: that is an estimate and proves nothing.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from connectlab.agents import Agent
from connectlab.agents.perfect import shared_solver
from connectlab.agents.settings import PerfectSettings
from connectlab.arena.hole_lines import HoleLine, trace_lines
from connectlab.arena.levels import Shelf
from connectlab.arena.statistics import (
    Interval,
    WeightedCount,
    rare_events,
    student,
    wilson,
)
from connectlab.arena.walk import (
    MOST_POSITIONS,
    Claim,
    Keep,
    Ply,
    Sample,
    Side,
    Walk,
    Walker,
    check_provable,
)
from connectlab.game import Position
from connectlab.game.streams import derive_seed
from connectlab.solver import Progress, Solver

MEMORY_MB = 4096
REPEATS = 8
"""Samples that are drawn apart from each other: what they differ by is the interval."""


@dataclass(frozen=True)
class Found:
    """What was found in the games of a player."""

    agent: str
    claim: Claim
    symmetric: bool
    """Whether a position and its mirror image counted as one."""
    plies: tuple[Ply, ...]
    shortest: HoleLine | None
    """The likeliest of the earliest holes; None if there is none."""
    lines: tuple[HoleLine, ...]
    """All holes, if they were asked for, the earliest first."""
    seconds: float

    @property
    def positions(self) -> int:
        """Different positions in which the player was to move; of samples, all of theirs."""
        return sum(each.positions for each in self.plies)

    @property
    def held(self) -> int:
        """Positions in which there was something to hold."""
        return sum(each.held for each in self.plies)

    @property
    def faulty(self) -> int:
        """Positions in which the player may give it away."""
        return sum(each.faulty for each in self.plies)

    @property
    def holes(self) -> int:
        """Moves that the player may make and that give it away."""
        return sum(each.holes for each in self.plies)


@dataclass(frozen=True)
class Proof(Found):
    """What was found in all games."""

    @property
    def is_proven(self) -> bool:
        """Whether there is no hole."""
        return self.holes == 0

    @property
    def held_rate(self) -> float:
        """Share of positions with something to hold in which every move it may make holds it."""
        return 1.0 - self.faulty / max(1, self.held)

    @property
    def hole_chance(self) -> float:
        """The chance that an opponent who plays at random gets into a hole."""
        return math.fsum(each.hole_chance for each in self.plies)


@dataclass(frozen=True)
class SampledProof(Found):
    """An estimate by walks through some of the positions; ``plies`` are those of all samples."""

    held_rates: tuple[float, ...]
    """Of each sample: share of its positions in which every move holds. Positions with many ways
    into them are met more often, so this is not the share among all there are."""
    hole_chances: tuple[float, ...]
    """Of each sample: the chance that random moves lead into a hole, right on average."""
    holes_met: WeightedCount
    """The holes of all samples, each with what it adds to the mean of these chances."""

    @property
    def held_rate(self) -> float:
        """Mean over the samples."""
        return float(np.mean(self.held_rates))

    @property
    def held_rate_interval(self) -> Interval:
        """95 % interval: what the samples differ by, and no less than one sample's size allows.

        Samples without a hole are all alike, and yet do not say that there is none.
        """
        between = student(self.held_rates)
        positions = self.held // REPEATS
        within = wilson(min(positions, positions * self.held_rate), positions)
        return Interval(
            max(0.0, min(between.low, within.low)), min(1.0, max(between.high, within.high))
        )

    @property
    def hole_chance(self) -> float:
        """Mean over the samples."""
        return float(np.mean(self.hole_chances))

    @property
    def hole_chance_interval(self) -> tuple[float, float | None]:
        """95 % interval; where no hole was met that chance can find, nothing bounds it from above.

        It holds what the samples differ by, and what so few and so different holes leave open:
        samples that met few holes are skewed, and by chance often alike.
        """
        if not self.holes_met.total:
            return 0.0, None
        between, within = student(self.hole_chances), rare_events(self.holes_met)
        return max(0.0, min(between.low, within.low)), min(1.0, max(between.high, within.high))


@dataclass(frozen=True)
class Prover:
    """A player on one side of the board, and how its games are to be walked through."""

    agent: Agent
    side: Side = "first"
    keep: Keep | None = None
    """What it has to hold: the theoretical ``result`` of its side, or the opponent's ``gifts``
    too; by default the result, and gifts where the side is lost."""
    solver: Solver | None = None
    threads: int | None = None
    progress: Progress | None = None
    all_lines: bool = False
    """Find a line of moves into every hole, not only into the earliest."""
    memory_mb: int = MEMORY_MB
    """Positions beyond it are kept on disk."""
    most_positions: int = MOST_POSITIONS
    merge: bool = True
    """Count a position and its mirror image as one if the player says that it is symmetric."""

    def prove(self) -> Proof:
        """Walk through every game; the opponent plays anything."""
        return self.walk()[0]

    def walk(self) -> tuple[Proof, Walk]:
        """Do what :meth:`prove` does; return the positions that were visited, too."""
        began = time.perf_counter()
        walk = self._walker().walk(self._shelf())
        shortest, lines = self._lines(walk)
        proof = Proof(
            self.agent.spec,
            walk.claim,
            walk.mirrored,
            walk.plies,
            shortest,
            lines,
            time.perf_counter() - began,
        )
        return proof, walk

    def sample(self, most: int, seed: int = 0) -> SampledProof:
        """Estimate what :meth:`prove` would find by looking at ``most`` positions of each ply.

        They are drawn in ``REPEATS`` samples. A sample takes its positions from what follows those
        of the ply before, so positions with many ways into them are met more often than others:
        the rate compares players, and is no count of all there is.
        """
        began = time.perf_counter()
        walker, walks, found, met = self._walker(), [], [], WeightedCount.of([])
        for number in range(REPEATS):
            lots = Sample(max(1, most // REPEATS), derive_seed(seed, number))
            walk = walker.walk(self._shelf(), lots)
            found.append(self._lines(walk))
            for holes in walk.holes:
                met = met.plus(WeightedCount.of(holes.chances))
            walks.append(walk.without_positions())
        return SampledProof(
            self.agent.spec,
            walks[0].claim,
            walks[0].mirrored,
            tuple(_sum_plies(walks)),
            min((line for line, _ in found if line is not None), key=_by_length, default=None),
            self._distinct([line for _, lines in found for line in lines]),
            time.perf_counter() - began,
            tuple(walk.held_rate for walk in walks),
            tuple(walk.hole_chance for walk in walks),
            met.scaled(1 / REPEATS),
        )

    def _walker(self) -> Walker:
        check_provable(self.agent)
        geometry = self.agent.geometry
        solver = self.solver or shared_solver(geometry, PerfectSettings().table_mb)
        return Walker(
            self.agent,
            Claim.of(geometry, self.side, self.keep, solver),
            solver,
            threads=self.threads,
            progress=self.progress,
            most_positions=self.most_positions,
            mirrored=self.merge and self.agent.symmetric,
        )

    def _distinct(self, lines: Sequence[HoleLine]) -> tuple[HoleLine, ...]:
        """Return one line for each hole, the shortest first; several samples may meet the same."""
        found: dict[object, HoleLine] = {}
        for line in sorted(lines, key=_by_length):
            position = Position.from_moves(line.moves, self.agent.geometry)
            found.setdefault((position.mover, position.occupied, line.move), line)
        return tuple(found.values())

    def _shelf(self) -> Shelf:
        return Shelf(Path(gettempdir()), self.memory_mb << 20)

    def _lines(self, walk: Walk) -> tuple[HoleLine | None, tuple[HoleLine, ...]]:
        """Return the line into the earliest hole, and those into all if they are wanted."""
        lines = trace_lines(self.agent, walk, most=None if self.all_lines else 1)
        return (lines[0] if lines else None), (lines if self.all_lines else ())


def _by_length(line: HoleLine) -> tuple[int, str]:
    return len(line.moves), line.moves


def _sum_plies(walks: Sequence[Walk]) -> Iterator[Ply]:
    """Add up the counts of several walks ply by ply; the chance is their mean."""
    found: dict[int, list[Ply]] = {}
    for walk in walks:
        for each in walk.plies:
            found.setdefault(each.ply, []).append(each)
    for ply, those in sorted(found.items()):
        yield Ply(
            ply,
            sum(each.positions for each in those),
            sum(each.held for each in those),
            sum(each.faulty for each in those),
            sum(each.holes for each in those),
            math.fsum(each.hole_chance for each in those) / len(walks),
        )

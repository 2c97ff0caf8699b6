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
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from connectlab.agents import Agent
from connectlab.agents.perfect import shared_solver
from connectlab.agents.settings import PerfectSettings
from connectlab.arena.hole_lines import HoleLine, trace_lines
from connectlab.arena.levels import Shelf
from connectlab.arena.statistics import Interval, student, wilson
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
from connectlab.game.streams import derive_seed
from connectlab.solver import Progress, Solver

MEMORY_MB = 4096
REPEATS = 8
"""Samples that are drawn apart from each other: what they differ by is the interval."""


@dataclass(frozen=True)
class Proof:
    """What was found in all games of a player."""

    agent: str
    claim: Claim
    symmetric: bool
    """Whether a position and its mirror image counted as one."""
    plies: tuple[Ply, ...]
    positions: int
    held: int
    faulty: int
    holes: int
    hole_chance: float
    """The chance that an opponent who plays at random gets into a hole."""
    shortest: HoleLine | None
    """The likeliest of the earliest holes; None if there is none."""
    lines: tuple[HoleLine, ...]
    """All holes, if they were asked for, the earliest first."""
    seconds: float

    @property
    def is_proven(self) -> bool:
        """Whether there is no hole."""
        return self.holes == 0

    @property
    def held_rate(self) -> float:
        """Share of positions with something to hold in which every move it may make holds it."""
        return 1.0 - self.faulty / max(1, self.held)


@dataclass(frozen=True)
class SampledProof:
    """An estimate by walks through some of the positions."""

    agent: str
    claim: Claim
    symmetric: bool
    plies: tuple[Ply, ...]
    """All samples together; the chances are those of the mean."""
    positions: int
    """Positions that were looked at, over all samples."""
    held_rates: tuple[float, ...]
    """Of each sample: share of its positions in which every move holds."""
    hole_chances: tuple[float, ...]
    """Of each sample: the chance that random moves lead into a hole, right on average."""
    lines: tuple[HoleLine, ...]
    seconds: float

    @property
    def held_rate(self) -> float:
        """Mean over the samples."""
        return float(np.mean(self.held_rates))

    @property
    def held_rate_interval(self) -> Interval:
        """95 % interval: what the samples differ by, and no less than so many positions allow.

        Eight samples without a hole are all alike, and yet do not say that there is none.
        """
        between = student(self.held_rates)
        held, faulty = (sum(column) for column in list(zip(*self.plies, strict=True))[2:4])
        within = wilson(held - faulty, held)
        return Interval(
            max(0.0, min(between.low, within.low)), min(1.0, max(between.high, within.high))
        )

    @property
    def hole_chance(self) -> float:
        """Mean over the samples."""
        return float(np.mean(self.hole_chances))

    @property
    def hole_chance_interval(self) -> tuple[float, float | None]:
        """95 % interval by what the samples differ; where no hole was met, nothing bounds it."""
        if not self.holes:
            return 0.0, None
        between = student(self.hole_chances)
        return max(0.0, between.low), min(1.0, between.high)

    @property
    def holes(self) -> int:
        """Holes that were met, over all samples."""
        return sum(each.holes for each in self.plies)


def prove(
    agent: Agent,
    *,
    side: Side = "first",
    keep: Keep | None = None,
    solver: Solver | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    all_lines: bool = False,
    memory_mb: int = MEMORY_MB,
    most_positions: int = MOST_POSITIONS,
) -> Proof:
    """Walk through every game of a player on one side; the opponent plays anything.

    ``keep`` is what it has to hold: the theoretical ``result`` of its side, or the opponent's
    ``gifts`` too; by default the result, and gifts where the side is lost. ``all_lines`` gives
    a line of moves into every hole. Up to ``memory_mb`` are held in memory, the rest on disk.
    """
    began = time.perf_counter()
    walker = _walker(agent, side, keep, solver, threads, progress, most_positions)
    with _shelf(memory_mb) as shelf:
        walk = walker.walk(shelf)
        shortest = next(iter(trace_lines(agent, walk, most=1)), None)
        lines = trace_lines(agent, walk) if all_lines else ()
    return Proof(
        agent.spec,
        walk.claim,
        walk.mirrored,
        walk.plies,
        walk.positions,
        walk.held,
        walk.faulty,
        walk.hole_count,
        walk.hole_chance,
        shortest,
        lines,
        time.perf_counter() - began,
    )


def sample_proof(
    agent: Agent,
    most: int,
    *,
    side: Side = "first",
    keep: Keep | None = None,
    seed: int = 0,
    solver: Solver | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    all_lines: bool = False,
    memory_mb: int = MEMORY_MB,
) -> SampledProof:
    """Estimate what :func:`prove` would find by looking at ``most`` positions of each ply.

    They are drawn in ``REPEATS`` samples. A sample takes its positions from what follows those of
    the ply before, so positions with many ways into them are met more often than others: the
    rate of holes compares players and is no count of what there is.
    """
    began = time.perf_counter()
    walker = _walker(agent, side, keep, solver, threads, progress, MOST_POSITIONS)
    each = max(1, most // REPEATS)
    walks, lines = [], []
    for number in range(REPEATS):
        with _shelf(memory_mb) as shelf:
            walk = walker.walk(shelf, Sample(each, derive_seed(seed, number)))
            lines += trace_lines(agent, walk) if all_lines else ()
            walks.append(walk)
    return SampledProof(
        agent.spec,
        walks[0].claim,
        walks[0].mirrored,
        tuple(_sum_plies(walks)),
        sum(walk.positions for walk in walks),
        tuple(walk.held_rate for walk in walks),
        tuple(walk.hole_chance for walk in walks),
        tuple(sorted(set(lines), key=lambda line: (len(line.moves), line.moves))),
        time.perf_counter() - began,
    )


def _walker(
    agent: Agent,
    side: Side,
    keep: Keep | None,
    solver: Solver | None,
    threads: int | None,
    progress: Progress | None,
    most_positions: int,
) -> Walker:
    check_provable(agent)
    referee = solver or shared_solver(agent.geometry, PerfectSettings().table_mb)
    claim = Claim.of(agent.geometry, side, keep, referee)
    return Walker(
        agent,
        claim,
        referee,
        threads=threads,
        progress=progress,
        most_positions=most_positions,
    )


@contextmanager
def _shelf(memory_mb: int) -> Iterator[Shelf]:
    """Lend a shelf whose files are gone afterwards."""
    with TemporaryDirectory(prefix="connectlab-proof-") as folder:
        yield Shelf(Path(folder), memory_mb << 20)


def _sum_plies(walks: Sequence[Walk]) -> Iterator[Ply]:
    """Add up the counts of several walks ply by ply; the chance is their mean."""
    found: dict[int, list[Ply]] = {}
    for walk in walks:
        for each in walk.plies:
            found.setdefault(each.ply, []).append(each)
    for ply, those in sorted(found.items()):
        counts = [sum(column) for column in list(zip(*those, strict=True))[1:5]]
        yield Ply(ply, *counts, math.fsum(each.hole_chance for each in those) / len(walks))

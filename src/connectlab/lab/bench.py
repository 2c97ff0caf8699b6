"""The bench on which a player is measured, and the referee that puts checkpoints on it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

from connectlab.agents import Agent, Spec, make_agent
from connectlab.agents.perfect import PerfectAgent, shared_solver
from connectlab.agents.settings import PerfectSettings
from connectlab.agents.spec import SOURCE
from connectlab.arena.exact import exact_success
from connectlab.arena.expected import exact_value
from connectlab.arena.match import MatchResult, play_match
from connectlab.arena.measures import (
    Accuracy,
    WinningQuota,
    move_accuracy,
    success_rate,
    winning_quota,
)
from connectlab.arena.positions import PositionSet, generate_positions, read_position_set
from connectlab.arena.proof import Proof, Prover, SampledProof
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry, Position
from connectlab.lab.measures import (
    AccuracyMeasure,
    ExactMeasure,
    Measure,
    ProofMeasure,
    QuotaMeasure,
    ScoreMeasure,
    SuccessMeasure,
)
from connectlab.lab.proving import measured, write_holes
from connectlab.solver import Progress, Solver, SolverError
from connectlab.solver.expectation import expectation_of
from connectlab.training.measurement import Figure, Measurement, Part, Plain

Watch: TypeAlias = Callable[[str], AbstractContextManager[Progress]]
"""Shows the progress of something that takes long, under a description."""

PROBE_NODES = 50_000_000
PROBE_SECONDS = 30.0
"""What it may take to find out what perfect play reaches on a board (some ten seconds).

6x7 takes 20 million nodes, 7x7 and 8x7 more than anyone would wait for.
"""


@contextmanager
def unwatched(description: str) -> Iterator[Progress]:
    """Show nothing."""
    del description
    yield lambda _done, _total: None


@dataclass(frozen=True)
class Bench:
    """A player to be measured, and all that its measures share."""

    player: Agent
    seed: int = 0
    position_seed: int | None = None
    """Seed of positions that are made; that of the games unless given."""
    threads: int | None = None
    watch: Watch = unwatched
    solver: Solver = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "solver", kept_solver(self.player.geometry.plain))

    def measure(self, measure: Measure) -> Measurement:
        """Measure the player."""
        match measure:
            case SuccessMeasure():
                return self._success(measure)
            case ExactMeasure():
                return self._exact(measure)
            case QuotaMeasure():
                return self._quota(measure)
            case ScoreMeasure():
                return self._score(measure)
            case AccuracyMeasure():
                return self._accuracy(measure)
            case ProofMeasure():
                return self._proof(measure)
        raise AssertionError(f"{measure!r} is no measure of this bench")

    def _success(self, measure: SuccessMeasure) -> Measurement:
        with self.watch("against the perfect player") as progress:
            found = success_rate(
                self.player,
                measure.games,
                objective=measure.objective,
                seed=self.seed,
                threads=self.threads,
                progress=progress,
            )
        return self.judged(measure, found.match)

    def _exact(self, measure: ExactMeasure) -> Measurement:
        if self.player.geometry.variant.by_chance:
            return self._exact_value(measure)
        began = time.perf_counter()
        settings = PerfectSettings(objective=measure.objective)
        opponent = PerfectAgent(settings, self.player.geometry)
        with self.watch("through all games"):
            found = exact_success(self.player, opponent)
        return Measurement(
            measure.spec,
            (
                Figure("exact_success_rate", found.success_rate),
                Figure("win_chance", found.win),
                Figure("draw_chance", found.draw),
                Figure("loss_chance", found.loss),
            ),
            opponent=opponent.spec,
            counts={"positions_walked": found.positions},
            facts={"perfect_success_rate": self._possible()},
            seconds=time.perf_counter() - began,
        )

    def _exact_value(self, measure: ExactMeasure) -> Measurement:
        """Measure what the player is worth at worst in a game with chance."""
        began = time.perf_counter()
        with self.watch("through all positions"):
            found = exact_value(self.player)
        return Measurement(
            measure.spec,
            (
                Figure("exact_success_rate", found.success_rate),
                Figure("value_first", found.value.first),
                Figure("value_second", found.value.second),
            ),
            opponent="its best opponent",
            counts={"positions_walked": found.positions},
            facts={
                "perfect_success_rate": found.best_success_rate,
                "best_value_first": found.best.first,
                "best_value_second": found.best.second,
            },
            seconds=time.perf_counter() - began,
        )

    def _quota(self, measure: QuotaMeasure) -> Measurement:
        with self.watch("against random") as progress:
            found = winning_quota(
                self.player,
                measure.games,
                seed=self.seed,
                threads=self.threads,
                progress=progress,
            )
        return self.judged(measure, found.match)

    def _score(self, measure: ScoreMeasure) -> Measurement:
        opponent = make_agent(measure.source, self.player.geometry)
        moves_second = measure.sides == "second"
        with self.watch(f"against {opponent.spec}") as progress:
            match = play_match(
                opponent if moves_second else self.player,
                self.player if moves_second else opponent,
                measure.games,
                sides="alternate" if measure.sides == "alternate" else "fixed",
                seed=self.seed,
                threads=self.threads,
                progress=progress,
            )
        return self.judged(measure, match.seen_by_opponent if moves_second else match)

    def judged(self, measure: Measure, played: MatchResult) -> Measurement:
        """Return what a measure says of the games that were played for it."""
        facts: dict[str, Plain] = {}
        tally = played.tally
        figures = [Figure("score_rate", tally.score_rate, tally.score_rate_interval)]
        if isinstance(measure, SuccessMeasure):
            figures = [Figure("success_rate", tally.score_rate, tally.score_rate_interval)]
            facts["objective"] = measure.objective
            facts["perfect_success_rate"] = self._possible()
        elif isinstance(measure, QuotaMeasure):
            quota = WinningQuota(played)
            figures = [
                Figure("win_rate", quota.win_rate, quota.win_rate_interval),
                Figure("winning_quota", quota.winning_quota, quota.winning_quota_interval),
            ]
        return _played(measure, figures, played, facts)

    def _accuracy(self, measure: AccuracyMeasure) -> Measurement:
        geometry = self.player.geometry
        if not geometry.variant.is_plain:
            raise ArenaError(f"accuracy needs solved positions, and there are none of {geometry}")
        positions = self._positions(measure)
        with self.watch("choosing moves") as progress:
            found = move_accuracy(
                self.player,
                positions,
                solver=self.solver,
                seed=self.seed,
                threads=self.threads,
                progress=progress,
            )
        return Measurement(
            measure.spec,
            _accuracies(found.total),
            counts={"positions": found.total.positions},
            parts={
                name: Part(_accuracies(part), {"positions": part.positions})
                for name, part in found.classes.items()
            },
            seconds=found.seconds,
        )

    def _proof(self, measure: ProofMeasure) -> Measurement:
        with self.watch("through all positions") as progress:
            prover = Prover(
                self.player,
                measure.side,
                measure.keep,
                self.solver,
                self.threads,
                progress,
                all_lines=measure.holes is not None,
                memory_mb=measure.memory_mb,
                most_positions=measure.positions,
                merge=measure.merge,
            )
            found: Proof | SampledProof = (
                prover.prove()
                if measure.sample is None
                else prover.sample(measure.sample, self.seed)
            )
        if measure.holes is not None:
            write_holes(Path(measure.holes), found.lines, found.agent, found.claim)
        return measured(measure, found)

    def _positions(self, measure: AccuracyMeasure) -> PositionSet:
        """Read positions, or make them once in the life of this process."""
        geometry = self.player.geometry
        seed = self.seed if self.position_seed is None else self.position_seed
        key = (geometry, measure.per_class, seed)
        with self.watch("solving positions") as progress:
            if measure.positions is not None:
                return read_position_set(
                    Path(measure.positions),
                    geometry,
                    solver=self.solver,
                    threads=self.threads,
                    progress=progress,
                )
            if key not in _made:
                _made[key] = generate_positions(
                    measure.per_class,
                    seed=seed,
                    geometry=geometry,
                    solver=self.solver,
                    threads=self.threads,
                    progress=progress,
                )
        return _made[key]

    def _possible(self) -> float | None:
        return perfect_success(self.player.geometry)


_made: dict[tuple[Geometry, int, int], PositionSet] = {}


def _played(
    measure: Measure, figures: Sequence[Figure], match: MatchResult, facts: dict[str, Plain]
) -> Measurement:
    """Return what was measured by a match; games that the player forfeited are counted apart."""
    forfeits = sum(match.agent_forfeits.values())
    return Measurement(
        measure.spec,
        tuple(figures),
        opponent=match.opponent,
        counts={
            **match.tally.counts_to_json(),
            "distinct_games": match.distinct_games,
            **({"forfeits": forfeits} if forfeits else {}),
        },
        facts={**facts, "mean_plies": match.mean_plies},
        seconds=match.seconds,
    )


def _accuracies(found: Accuracy) -> tuple[Figure, ...]:
    return (
        Figure("outcome_accuracy", found.outcome_accuracy, found.outcome_accuracy_interval),
        Figure("best_move_accuracy", found.best_move_accuracy, found.best_move_accuracy_interval),
    )


@cache
def kept_solver(geometry: Geometry) -> Solver:
    """Return the solver that perfect players of this process share, and hold it."""
    return shared_solver(geometry, PerfectSettings().table_mb)


@cache
def perfect_success(geometry: Geometry) -> float | None:
    """Return the success rate of perfect play, or None for a board that is too hard to say.

    Nor is it said of hidden boards: perfect play looks at them.
    """
    if geometry.variant.counts:
        return None
    if geometry.variant.by_chance:
        return _expected_success(geometry)
    found = kept_solver(geometry).solve(
        Position(geometry),
        outcome_only=True,
        max_nodes=PROBE_NODES,
        deadline_s=PROBE_SECONDS,
    )
    return None if found.score is None else (1 + found.score) / 2


def _expected_success(geometry: Geometry) -> float | None:
    try:
        return (1 + expectation_of(geometry).start_value) / 2
    except SolverError:
        return None


@dataclass(frozen=True)
class Referee:
    """Judges checkpoints of a learner by named measures; it can be sent to another process.

    The solver and the positions it makes are kept for the life of the process, so what comes
    again, in this checkpoint or a later one, costs next to nothing.
    """

    learner: str
    geometry: Geometry
    measures: tuple[Measure, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of the player beside its file, such as ``invalid=allow``."""

    def __call__(self, path: Path, seed: int) -> tuple[Measurement, ...]:
        """Measure the player in a checkpoint; the seed is that of the games."""
        spec = Spec(self.learner, {SOURCE: str(path), **self.settings})
        player = make_agent(spec, self.geometry)
        bench = Bench(player, seed, position_seed=0, threads=1)
        return tuple(_measure_anyhow(bench, measure) for measure in self.measures)


def _measure_anyhow(bench: Bench, measure: Measure) -> Measurement:
    """Measure; sample games where not all of them can be walked through."""
    try:
        return bench.measure(measure)
    except ArenaError:
        if not isinstance(measure, ExactMeasure):
            raise
    sampled = bench.measure(SuccessMeasure(objective=measure.objective))
    return Measurement(
        measure.spec,
        sampled.figures,
        sampled.opponent,
        sampled.counts,
        sampled.facts,
        seconds=sampled.seconds,
    )

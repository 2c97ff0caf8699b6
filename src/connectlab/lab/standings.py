"""A tournament with all that is worth knowing of its players: strength, accuracy and cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from connectlab.agents import Agent
from connectlab.arena.measures import MoveAccuracy, move_accuracy
from connectlab.arena.positions import PositionSet, generate_positions
from connectlab.arena.tournament import TournamentResult, play_tournament
from connectlab.game import Geometry, Position
from connectlab.game.random_lines import random_lines
from connectlab.lab.bench import Watch, kept_solver, perfect_success, unwatched
from connectlab.lab.cost import Cost, measure_cost
from connectlab.training.provenance import commit, versions

UNSOLVED = 100
"""Positions in which moves are timed where none can be solved."""


@dataclass(frozen=True)
class Standings:
    """All that a tournament found out; the mappings are by the names in ``tournament.agents``."""

    tournament: TournamentResult
    accuracies: Mapping[str, MoveAccuracy] | None
    """How often each keeps the outcome; None on a board that perfect play cannot judge."""
    costs: Mapping[str, Cost]
    per_class: int
    """Positions of each class that were asked for."""
    left_out: Mapping[str, str]
    """Why some players were not there, by name."""
    made: datetime

    def to_json(self) -> dict[str, object]:
        """Return the standings as plain data: those of a tournament, and docs/arena.md the rest."""
        judged = self.accuracies
        return {
            **self.tournament.to_json(),
            "move_accuracies": judged and [each.to_json() for each in judged.values()],
            "costs": {name: cost.to_json() for name, cost in self.costs.items()},
            "per_class": self.per_class,
            "left_out": dict(self.left_out),
            "date": self.made.isoformat(timespec="seconds"),
            "versions": versions(),
            "commit": commit(),
        }


def find_standings(
    agents: Sequence[Agent],
    games: int,
    *,
    per_class: int,
    left_out: Mapping[str, str] | None = None,
    seed: int = 0,
    threads: int | None = None,
    watch: Watch = unwatched,
    tournament: TournamentResult | None = None,
) -> Standings:
    """Hold a tournament unless it is given, and measure everyone in solved positions of all stages.

    There are ``per_class`` positions of each class. On a board that perfect play cannot judge only
    the costs are measured, in positions of random games.
    """
    if tournament is None:
        with watch("tournament") as progress:
            tournament = play_tournament(
                agents, games, seed=seed, threads=threads, progress=progress
            )
    geometry = tournament.geometry
    solved = None
    if geometry.variant.is_plain and perfect_success(geometry) is not None:
        solved = _solved_positions(agents[0], per_class, seed, threads, watch)
    asked = _mixed(solved) if solved else _unsolved_positions(geometry, seed)
    accuracies: dict[str, MoveAccuracy] = {}
    costs: dict[str, Cost] = {}
    for name, agent in zip(tournament.agents, agents, strict=True):
        with watch(name) as progress:
            costs[name] = measure_cost(agent, asked)
            if solved:
                accuracies[name] = move_accuracy(
                    agent,
                    solved,
                    solver=kept_solver(geometry),
                    seed=seed,
                    threads=threads,
                    progress=progress,
                )
    judged = accuracies if solved else None
    made = datetime.now(UTC)
    return Standings(tournament, judged, costs, per_class, left_out or {}, made)


def _solved_positions(
    agent: Agent, per_class: int, seed: int, threads: int | None, watch: Watch
) -> PositionSet:
    with watch("solving positions") as progress:
        return generate_positions(
            per_class,
            seed=seed,
            geometry=agent.geometry,
            solver=kept_solver(agent.geometry),
            threads=threads,
            progress=progress,
        )


def _unsolved_positions(geometry: Geometry, seed: int) -> list[Position]:
    return random_lines(
        UNSOLVED, 1, geometry.cells - 1, geometry=geometry, seed=seed
    ).batch.positions()


def _mixed(solved: PositionSet) -> list[Position]:
    """Return the positions with their classes by turns, for whoever stops before the end."""
    queues = [
        [p for p, name in zip(solved.positions, solved.classes, strict=True) if name == wanted]
        for wanted in solved.class_names
    ]
    longest = max(len(queue) for queue in queues)
    return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]

"""The main job in one go: what was just learned meets the others, and perfect play judges all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from connectlab.agents import Agent, make_agent
from connectlab.arena.measures import MoveAccuracy, SuccessRate, move_accuracy, success_rate
from connectlab.arena.positions import generate_positions
from connectlab.arena.tournament import TournamentResult, play_tournament
from connectlab.lab.bench import Watch
from connectlab.lab.wording import command_line, count
from connectlab.solver import Solver

OTHERS = ("random", "extend", "negamax", "minimax", "mcts", "perfect")
"""Who the learned player meets."""
PER_CLASS = 20
"""Positions of each class in which the players choose."""


class Success(NamedTuple):
    """How well a checkpoint did against perfect play while it was learning."""

    shown: str
    """The success rate with its interval, for people."""
    games: int
    """Games it had learned from."""


@dataclass(frozen=True)
class Trained:
    """What a run of training left behind."""

    agent: str
    """The spec of the player that came out."""
    curve: Path
    """Picture of its success while it learned."""
    games: int
    seconds: float
    best: Success | None
    document: Mapping[str, object]
    """The run as ``connectlab train --json`` describes it, without its settings."""


class Measured(NamedTuple):
    """What perfect play says of one player."""

    success: SuccessRate
    accuracy: MoveAccuracy


@dataclass(frozen=True)
class DemoResult:
    """All that the demonstration found out."""

    trained: Trained
    tournament: TournamentResult
    measured: Mapping[str, Measured]
    """What perfect play says, by the name of each player in the tournament."""

    @property
    def how_to_play(self) -> str:
        """The arguments that start a game against the learned player."""
        return command_line("play", "--second", self.trained.agent)

    def to_json(self) -> dict[str, object]:
        """Return the result as plain data; docs/cli.md explains the keys."""
        return {
            "training": dict(self.trained.document),
            "tournament": self.tournament.to_json(),
            "success_rates": [each.success.to_json() for each in self.measured.values()],
            "move_accuracies": [each.accuracy.to_json() for each in self.measured.values()],
        }


class Demonstration:
    """Lets a trained player meet the others; ``tell`` and ``watch`` say how far it is."""

    def __init__(
        self,
        games: int,
        *,
        seed: int,
        threads: int | None,
        tell: Callable[[str], None],
        watch: Watch,
    ) -> None:
        self.games = games
        self.seed = seed
        self.threads = threads
        self._tell = tell
        self._watch = watch

    def hold(self, trained: Trained) -> DemoResult:
        """Hold the tournament and measure everyone."""
        players = [make_agent(spec) for spec in (*OTHERS, trained.agent)]
        self._tell(f"Everyone meets everyone, {count(self.games, 'game')} a pairing …")
        with self._watch("tournament") as progress:
            tournament = play_tournament(
                players, self.games, seed=self.seed, threads=self.threads, progress=progress
            )
        self._tell("Everyone is measured by perfect play …")
        measured = dict(zip(tournament.agents, self._measure(players), strict=True))
        return DemoResult(trained, tournament, measured)

    def _measure(self, players: Sequence[Agent]) -> list[Measured]:
        """Let everyone move first against the perfect player, and choose in solved positions."""
        solver = Solver()
        with self._watch("solving positions") as progress:
            positions = generate_positions(
                PER_CLASS, seed=self.seed, solver=solver, threads=self.threads, progress=progress
            )
        measured = []
        for player in players:
            with self._watch(player.spec) as progress:
                success = success_rate(
                    player, self.games, seed=self.seed, threads=self.threads, progress=progress
                )
                accuracy = move_accuracy(
                    player, positions, solver=solver, seed=self.seed, threads=self.threads
                )
            measured.append(Measured(success, accuracy))
        return measured

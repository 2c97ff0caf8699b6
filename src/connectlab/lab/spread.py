"""Contests and measures in pieces that an executor can do, with the same result as in one.

A game takes its chances from the seed and its own number, and a pairing of a tournament has a seed
of its own: so it does not matter who plays which games, and where.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from connectlab.agents import Agent, Spec, make_agent
from connectlab.agents.settings import PerfectSettings
from connectlab.arena.match import PlayedGames, Sides, match_of, play_part
from connectlab.arena.results import MatchResult, all_pairs
from connectlab.arena.tournament import TournamentResult, entered_names, play_pair, tournament_of
from connectlab.game.geometry import Geometry
from connectlab.lab.bench import Bench, kept_solver
from connectlab.lab.executors.base import Executor, Task
from connectlab.lab.executors.luggage import files_of, files_of_player
from connectlab.lab.measures import Measure, QuotaMeasure, ScoreMeasure, SuccessMeasure
from connectlab.solver import Progress
from connectlab.training.measurement import Measurement
from connectlab.training.run import RunStoppedError, Stop

LEAST_GAMES, MOST_PIECES = 100, 1024
"""Games of a piece, at least; and pieces of a match."""


@dataclass(frozen=True)
class PairTask(Task[MatchResult]):
    """One pairing of a tournament, by the specs of all players."""

    players: tuple[str, ...]
    pair: tuple[int, int]
    geometry: Geometry
    games: int
    seed: int

    @property
    def name(self) -> str:
        """Who meets whom."""
        return " against ".join(self.players[number] for number in self.pair)

    @property
    def files(self) -> tuple[Path, ...]:
        """What the two players are read from."""
        found = (files_of_player(self.players[number]) for number in self.pair)
        return tuple(dict.fromkeys(file for files in found for file in files))

    def run(self, folder: Path | None, stop: Stop) -> MatchResult:
        """Play all games of the pairing."""
        a, b = self.pair
        agents = {number: make_agent(self.players[number], self.geometry) for number in self.pair}
        entered = [agents.get(number, agents[a]) for number in range(b + 1)]
        return play_pair(
            entered, self.pair, self.games, seed=self.seed, threads=1, progress=_watched(stop)
        )


class Contest(NamedTuple):
    """The games that a measure asks for: against whom, how many, and who moves first."""

    opponent: str
    games: int
    sides: Sides
    moves_second: bool = False
    """Whether the player moves second in all of them."""


@dataclass(frozen=True)
class GamesTask(Task[PlayedGames]):
    """Some games of a match."""

    player: str
    contest: Contest
    numbers: range
    geometry: Geometry
    seed: int

    @property
    def name(self) -> str:
        """Who meets whom, and which games these are."""
        first, last = self.numbers[0] + 1, self.numbers[-1] + 1
        return f"{self.player} against {self.contest.opponent}, games {first:,} to {last:,}"

    @property
    def files(self) -> tuple[Path, ...]:
        """What the two players are read from."""
        players = (self.player, self.contest.opponent)
        return tuple(dict.fromkeys(file for each in players for file in files_of_player(each)))

    def run(self, folder: Path | None, stop: Stop) -> PlayedGames:
        """Play the games; the process keeps what its solver has found for the next ones."""
        if Spec.parse(self.contest.opponent).name == PerfectSettings.name:
            kept_solver(self.geometry.plain)
        player = make_agent(self.player, self.geometry)
        opponent = make_agent(self.contest.opponent, self.geometry)
        moves_second = self.contest.moves_second
        return play_part(
            opponent if moves_second else player,
            player if moves_second else opponent,
            self.numbers,
            sides=self.contest.sides,
            seed=self.seed,
            threads=1,
            progress=_watched(stop),
        )


@dataclass(frozen=True)
class MeasureTask(Task[Measurement]):
    """A measure that is not made of games."""

    player: str
    measure: Measure
    geometry: Geometry
    seed: int

    @property
    def name(self) -> str:
        """What is measured of whom."""
        return f"{self.measure.spec} of {self.player}"

    @property
    def files(self) -> tuple[Path, ...]:
        """What player and positions are read from."""
        return (*files_of_player(self.player), *files_of(self.measure))

    def run(self, folder: Path | None, stop: Stop) -> Measurement:
        """Measure; only what is made of positions can be stopped before its end."""
        player = make_agent(self.player, self.geometry)
        return Bench(player, self.seed, threads=1).measure(self.measure)


def _watched(stop: Stop) -> Progress:
    """Return what games report to, so that they end when they are asked to stop."""

    def report(done: int, total: int) -> None:
        del done, total
        if stop.is_set():
            raise RunStoppedError("stopped")

    return report


def hold_tournament(
    agents: Sequence[Agent],
    games: int,
    executor: Executor,
    stop: Stop,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> TournamentResult | None:
    """Let every pair meet on an executor; None if it was stopped."""
    entered_names(agents)
    began = time.perf_counter()
    players = tuple(agent.spec for agent in agents)
    geometry = agents[0].geometry
    tasks = [PairTask(players, pair, geometry, games, seed) for pair in all_pairs(len(agents))]
    found = executor.run(tasks, stop, _counted(progress, len(tasks)))
    matches = [match for match in found if match is not None]
    if len(matches) < len(tasks):
        return None
    return tournament_of(agents, games, matches, seed=seed, seconds=time.perf_counter() - began)


def measure_all(
    bench: Bench,
    measures: Sequence[Measure],
    executor: Executor,
    stop: Stop,
    progress: Progress | None = None,
) -> list[Measurement] | None:
    """Measure a player on an executor; None if it was stopped.

    Games are cut into pieces; ``seconds`` of a measurement are those of all its pieces together.
    """
    tasks = [(measure, task) for measure in measures for task in _pieces(bench, measure)]
    told = _counted(progress, len(tasks))
    found = executor.run([task for _, task in tasks], stop, told)
    if any(piece is None for piece in found):
        return None
    pairs = zip((measure for measure, _ in tasks), found, strict=True)
    return [
        _put_together(bench, measure, [piece for _, piece in group])
        for measure, group in groupby(pairs, key=lambda pair: pair[0])
    ]


Piece = PlayedGames | Measurement


def _put_together(bench: Bench, measure: Measure, pieces: Sequence[Piece | None]) -> Measurement:
    contest = contest_of(measure)
    played = [piece for piece in pieces if isinstance(piece, PlayedGames)]
    if contest is not None:
        match = match_of(played, sides=contest.sides, seed=bench.seed)
        return bench.judged(measure, match.seen_by_opponent if contest.moves_second else match)
    (measured,) = (piece for piece in pieces if isinstance(piece, Measurement))
    return measured


def _pieces(bench: Bench, measure: Measure) -> Iterator[Task[Piece]]:
    player, geometry = bench.player.spec, bench.player.geometry
    contest = contest_of(measure)
    if contest is None:
        yield MeasureTask(player, measure, geometry, bench.seed)
        return
    size = max(LEAST_GAMES, -(-contest.games // MOST_PIECES))
    for start in range(0, contest.games, size):
        numbers = range(start, min(start + size, contest.games))
        yield GamesTask(player, contest, numbers, geometry, bench.seed)


def contest_of(measure: Measure) -> Contest | None:
    """Return the games that a measure asks for; None if it is not made of games."""
    match measure:
        case SuccessMeasure():
            perfect = PerfectSettings(objective=measure.objective)
            return Contest(str(Spec.of(perfect)), measure.games, "fixed")
        case QuotaMeasure():
            return Contest("random", measure.games, "alternate")
        case ScoreMeasure():
            sides: Sides = "alternate" if measure.sides == "alternate" else "fixed"
            return Contest(measure.source, measure.games, sides, measure.sides == "second")
    return None


def _counted(progress: Progress | None, total: int) -> Callable[[object, object], None]:
    """Return what counts the tasks that have ended."""
    done = 0

    def told(task: object, result: object) -> None:
        nonlocal done
        del task, result
        done += 1
        if progress is not None:
            progress(done, total)

    return told

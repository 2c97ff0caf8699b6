"""How good an agent is: against perfect play, against chance, and move by move."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent, make_agent
from connectlab.agents.forfeits import FORFEIT
from connectlab.agents.perfect import PerfectAgent, shared_solver
from connectlab.agents.settings import Objective, PerfectSettings
from connectlab.arena.games import Pace, choose_all, chunk_size
from connectlab.arena.match import MatchResult, play_match
from connectlab.arena.positions import STAGES, PositionSet, PositionSetError
from connectlab.arena.statistics import Interval, wilson
from connectlab.arena.threads import ArenaError, Meter, run_tasks, thread_count
from connectlab.game import Geometry, PositionBatch
from connectlab.solver import Progress, Solver

FORFEITED = -127
"""In place of the score of a move: below that of any."""


@dataclass(frozen=True)
class SuccessRate:
    """Mean score of an agent that moves first against a perfect player: 1, 1/2 or 0 a game.

    On the standard board the first player wins with perfect play, so a perfect agent has 1.
    """

    match: MatchResult
    objective: Objective
    """What the perfect player goes for, as in ``PerfectSettings``."""

    @property
    def success_rate(self) -> float:
        """Mean score."""
        return self.match.tally.score_rate

    @property
    def success_rate_interval(self) -> Interval:
        """95 % interval for the mean score."""
        return self.match.tally.score_rate_interval

    def to_json(self) -> dict[str, object]:
        """Return the measure as plain data; docs/arena.md explains the keys."""
        return {
            "success_rate": self.success_rate,
            "success_rate_interval": list(self.success_rate_interval),
            "objective": self.objective,
            **_without_rates(self.match),
        }


@dataclass(frozen=True)
class WinningQuota:
    """How an agent does against the random player, moving first in every other game.

    The share of games won, and the winning quota of Faußer and Schwenker (Eq. 11): games won
    divided by games lost, where draws count for neither.
    """

    match: MatchResult

    @property
    def win_rate(self) -> float:
        """Share of games won; a draw is not won."""
        return self.match.tally.win_rate

    @property
    def win_rate_interval(self) -> Interval:
        """Wilson's 95 % interval for the share."""
        return self.match.tally.win_rate_interval

    @property
    def winning_quota(self) -> float | None:
        """Games won for each game lost; None where none was lost."""
        tally = self.match.tally
        return tally.wins / tally.losses if tally.losses else None

    @property
    def winning_quota_interval(self) -> tuple[float, float | None]:
        """95 % interval of the quota; None as its upper end where nothing bounds it.

        The quota is p / (1 - p) for the share p of decided games that were won, and so are the
        ends of the interval those of Wilson's interval for p.
        """
        tally = self.match.tally
        low, high = wilson(tally.wins, tally.wins + tally.losses)
        return low / (1 - low), None if high == 1 else high / (1 - high)

    def to_json(self) -> dict[str, object]:
        """Return the measure as plain data; docs/arena.md explains the keys."""
        return {
            "win_rate": self.win_rate,
            "win_rate_interval": list(self.win_rate_interval),
            "winning_quota": self.winning_quota,
            "winning_quota_interval": list(self.winning_quota_interval),
            **_without_rates(self.match),
        }


def _without_rates(match: MatchResult) -> dict[str, object]:
    """Return a match without the rates that a measure gives a name of its own."""
    rates = ("win_rate", "win_rate_interval", "score_rate", "score_rate_interval")
    return {key: value for key, value in match.to_json().items() if key not in rates}


class Accuracy(NamedTuple):
    """How often an agent's moves were right."""

    positions: int
    kept: int
    """Moves after which the game is as won, drawn or lost as before."""
    best: int
    """Moves that no other surpasses in score: the fastest win, the longest defence."""

    @property
    def outcome_accuracy(self) -> float:
        """Share of moves that keep the outcome; 0 of no positions."""
        return self.kept / max(1, self.positions)

    @property
    def outcome_accuracy_interval(self) -> Interval:
        """Wilson's 95 % interval for ``outcome_accuracy``."""
        return wilson(self.kept, self.positions)

    @property
    def best_move_accuracy(self) -> float:
        """Share of moves of the best score; 0 of no positions."""
        return self.best / max(1, self.positions)

    @property
    def best_move_accuracy_interval(self) -> Interval:
        """Wilson's 95 % interval for ``best_move_accuracy``."""
        return wilson(self.best, self.positions)

    def to_json(self) -> dict[str, object]:
        """Return both shares with their intervals."""
        return {
            "positions": self.positions,
            "outcome_accuracy": self.outcome_accuracy,
            "outcome_accuracy_interval": list(self.outcome_accuracy_interval),
            "best_move_accuracy": self.best_move_accuracy,
            "best_move_accuracy_interval": list(self.best_move_accuracy_interval),
        }


@dataclass(frozen=True)
class MoveAccuracy:
    """How often an agent keeps the outcome, and plays a best move, in solved positions."""

    agent: str
    total: Accuracy
    classes: Mapping[str, Accuracy]
    """The same for each class of positions."""
    geometry: Geometry
    seed: int
    seconds: float

    @property
    def stages(self) -> dict[str, Accuracy]:
        """The same for each stage of the game that occurs, in the order of play."""
        parts = {
            stage: [each for name, each in self.classes.items() if name.startswith(f"{stage}-")]
            for stage in STAGES
        }
        return {
            stage: Accuracy(*map(sum, zip(*counts, strict=True)))
            for stage, counts in parts.items()
            if counts
        }

    def to_json(self) -> dict[str, object]:
        """Return the measure as plain data; docs/arena.md explains the keys."""
        return {
            "agent": self.agent,
            "geometry": self.geometry.to_json(),
            "seed": self.seed,
            **self.total.to_json(),
            "classes": {name: accuracy.to_json() for name, accuracy in self.classes.items()},
            "seconds": self.seconds,
        }


def success_rate(
    agent: Agent,
    games: int = 200,
    *,
    objective: Objective = "distance",
    seed: int = 0,
    solver: Solver | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SuccessRate:
    """Play ``games`` games against the perfect player, the agent always moving first.

    The perfect player draws among its best moves, so the games differ even for an agent without
    chance; ``distinct_games`` says by how much.
    """
    if objective not in get_args(Objective):
        raise ArenaError(f"objective must be {', '.join(get_args(Objective))}, not {objective!r}")
    perfect = PerfectAgent(PerfectSettings(objective=objective), agent.geometry)
    if solver is not None:
        perfect.solver = solver
    match = play_match(
        agent, perfect, games, sides="fixed", seed=seed, threads=threads, progress=progress
    )
    return SuccessRate(match, objective)


def winning_quota(
    agent: Agent,
    games: int = 1000,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> WinningQuota:
    """Play ``games`` games against the random player with alternating sides."""
    chance = make_agent("random", agent.geometry)
    return WinningQuota(
        play_match(agent, chance, games, seed=seed, threads=threads, progress=progress)
    )


def move_accuracy(
    agent: Agent,
    positions: PositionSet,
    *,
    solver: Solver | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> MoveAccuracy:
    """Let the agent choose a move in every position and compare it with perfect play.

    The score of a position is known, so only the position after the chosen move is solved: a
    best move leads to one of exactly the opposite score.
    """
    if agent.geometry != positions.geometry:
        raise ArenaError(
            f"{agent.spec} plays {agent.geometry}, the positions are of {positions.geometry}"
        )
    began = time.perf_counter()
    if solver is None:
        solver = shared_solver(agent.geometry, PerfectSettings().table_mb)
    gained = _scores_of_moves(agent, positions.batch(seed=seed), solver, threads, progress)
    _check_scores(positions, gained)
    kept = (np.sign(gained) == np.sign(positions.scores)) & (gained != FORFEITED)
    best = gained == positions.scores
    names = np.array(positions.classes)
    return MoveAccuracy(
        agent=agent.spec,
        total=_count(kept, best, np.ones(len(positions), dtype=np.bool_)),
        classes={name: _count(kept, best, names == name) for name in positions.class_names},
        geometry=agent.geometry,
        seed=seed,
        seconds=time.perf_counter() - began,
    )


def _scores_of_moves(
    agent: Agent,
    batch: PositionBatch,
    solver: Solver,
    threads: int | None,
    progress: Progress | None,
) -> NDArray[np.int8]:
    """Return the score, for the side to move, of the agent's move in each position.

    It is ``FORFEITED`` where the agent made no move.
    """
    pace = Pace()
    size = chunk_size(len(batch), thread_count(threads))
    parts = [batch[begin : begin + size] for begin in range(0, len(batch), size)]
    tasks: list[Callable[[Meter], NDArray[np.int8]]] = [
        partial(_score_part, agent, part, solver, pace) for part in parts
    ]
    return np.concatenate(run_tasks(tasks, total=len(batch), threads=threads, progress=progress))


def _score_part(
    agent: Agent, batch: PositionBatch, solver: Solver, pace: Pace, meter: Meter
) -> NDArray[np.int8]:
    columns = choose_all(agent, batch, pace, meter)
    scores = np.full(len(batch), FORFEITED, dtype=np.int8)
    for i, column in enumerate(columns):
        if column != FORFEIT:
            after = batch[i : i + 1].play(columns[i : i + 1])
            scores[i] = -solver.solve_many(after).scores[0]
        meter.advance(1)
    return scores


def _check_scores(positions: PositionSet, gained: NDArray[np.int8]) -> None:
    """Refuse a set whose scores a move has shown to be too low."""
    wrong = np.flatnonzero(gained > positions.scores)
    if len(wrong):
        i = int(wrong[0])
        raise PositionSetError(
            f"the set gives {positions.positions[i]!r} the score {positions.scores[i]}, but "
            f"a move scores {gained[i]}: leave the score out to have it solved"
        )


def _count(kept: NDArray[np.bool_], best: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> Accuracy:
    return Accuracy(int(chosen.sum()), int(kept[chosen].sum()), int(best[chosen].sum()))

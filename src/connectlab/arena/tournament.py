"""Round robins: everyone meets everyone, a cross table, and ratings."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.arena.match import play_match
from connectlab.arena.results import MatchResult, Rating, Tally, all_pairs, cross_table, rate
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry
from connectlab.game.streams import derive_seed
from connectlab.solver import Progress


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """A finished round robin."""

    agents: tuple[str, ...]
    """Names in the order they entered; the rows and columns of ``results``."""
    geometry: Geometry
    games: int
    """Games in each pairing, half of them with either side first."""
    seed: int
    results: NDArray[np.int64]
    """int64[n, n, 3]: wins, draws and losses of the row's agent against the column's."""
    ratings: tuple[Rating, ...]
    """The strongest first."""
    matches: tuple[MatchResult, ...]
    seconds: float

    def tally(self, agent: int, opponent: int) -> Tally:
        """Return how one agent did against another, by their numbers in ``agents``."""
        return Tally(*(int(count) for count in self.results[agent, opponent]))

    @property
    def ranking(self) -> tuple[int, ...]:
        """The numbers of the agents, the strongest first."""
        return tuple(self.agents.index(rating.agent) for rating in self.ratings)

    @property
    def score_rates(self) -> NDArray[np.float64]:
        """float64[n, n]: mean score of the row against the column; nan on the diagonal."""
        rates = (self.results[..., 0] + self.results[..., 1] / 2) / self.games
        np.fill_diagonal(rates, np.nan)
        return rates

    def to_json(self) -> dict[str, object]:
        """Return the tournament as plain data; docs/arena.md explains the keys."""
        return {
            "agents": list(self.agents),
            "geometry": self.geometry.to_json(),
            "games": self.games,
            "seed": self.seed,
            "wins": self.results[..., 0].tolist(),
            "draws": self.results[..., 1].tolist(),
            "losses": self.results[..., 2].tolist(),
            "ratings": [rating.to_json() for rating in self.ratings],
            "matches": [match.to_json() for match in self.matches],
            "seconds": self.seconds,
        }


def play_tournament(
    agents: Sequence[Agent],
    games: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Let every pair of agents play ``games`` games with alternating sides, and rate them."""
    entered_names(agents)  # who cannot enter is told before anyone plays
    began = time.perf_counter()
    pairs = all_pairs(len(agents))
    matches = [
        play_pair(
            agents,
            pair,
            games,
            seed=seed,
            threads=threads,
            progress=_part_of(progress, number * games, len(pairs) * games),
        )
        for number, pair in enumerate(pairs)
    ]
    return tournament_of(agents, games, matches, seed=seed, seconds=time.perf_counter() - began)


def tournament_of(
    agents: Sequence[Agent],
    games: int,
    matches: Sequence[MatchResult],
    *,
    seed: int,
    seconds: float,
) -> TournamentResult:
    """Return the tournament with these matches, one for each pair in the order of ``all_pairs``."""
    names = entered_names(agents)
    pairs = all_pairs(len(agents))
    results = cross_table(len(agents), dict(zip(pairs, matches, strict=True)))
    return TournamentResult(
        agents=names,
        geometry=agents[0].geometry,
        games=games,
        seed=seed,
        results=results,
        ratings=rate(names, results),
        matches=tuple(matches),
        seconds=seconds,
    )


def play_pair(
    agents: Sequence[Agent],
    pair: tuple[int, int],
    games: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play one pairing of a tournament; it does not depend on any other."""
    a, b = pair
    return play_match(
        agents[a],
        agents[b],
        games,
        seed=derive_seed(seed, a, b),
        threads=threads,
        progress=progress,
    )


def entered_names(agents: Sequence[Agent]) -> tuple[str, ...]:
    """Return the spec of every agent; one that entered before gets a number, so names differ."""
    if len(agents) < 2:
        raise ArenaError(f"a tournament needs at least 2 players, not {len(agents)}")
    boards = {str(agent.geometry) for agent in agents}
    if len(boards) > 1:
        raise ArenaError(f"a tournament has one board, not {' and '.join(sorted(boards))}")
    names: list[str] = []
    for agent in agents:
        name, copies = agent.spec, 1
        while name in names:
            copies += 1
            name = f"{agent.spec} ({copies})"
        names.append(name)
    return tuple(names)


def _part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Turn the progress of one match into that of the tournament."""
    if progress is None:
        return None
    report = progress
    return lambda done, _: report(before + done, total)

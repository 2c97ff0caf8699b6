"""Round robins: bookkeeping and ratings."""

import json

import numpy as np
import pytest
from players import HighestAgent, LowestAgent

from connectlab.agents import make_agent
from connectlab.arena.match import Tally
from connectlab.arena.threads import ArenaError
from connectlab.arena.tournament import TournamentResult, play_tournament, rate
from connectlab.game import Geometry


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return play_tournament([make_agent("random"), LowestAgent(), HighestAgent()], 60, seed=2)


def test_every_win_is_a_loss_of_the_other(result: TournamentResult) -> None:
    wins, draws, losses = (result.results[..., i] for i in range(3))
    assert np.array_equal(wins, losses.T)
    assert np.array_equal(draws, draws.T)
    assert (result.results.sum(axis=2) == 60 * (1 - np.eye(3))).all()


def test_the_table_agrees_with_the_matches(result: TournamentResult) -> None:
    assert [(m.agent, m.opponent) for m in result.matches] == [
        ("random", "lowest"),
        ("random", "highest"),
        ("lowest", "highest"),
    ]
    assert result.tally(0, 2) == result.matches[1].tally
    assert result.tally(2, 1) == Tally(wins=30, draws=0, losses=30)


def test_ratings_are_sorted_and_rest_on_all_games(result: TournamentResult) -> None:
    ratings = [rating.rating for rating in result.ratings]
    assert ratings == sorted(ratings, reverse=True)
    assert [result.agents[i] for i in result.ranking] == [r.agent for r in result.ratings]
    assert all(rating.tally.games == 120 for rating in result.ratings)
    assert all(r.interval.low < r.rating < r.interval.high for r in result.ratings)


def test_a_draw_is_half_a_point_in_every_table() -> None:
    results = np.array([[[0, 0, 0], [3, 6, 1]], [[1, 6, 3], [0, 0, 0]]], dtype=np.int64)
    strong, weak = rate(["strong", "weak"], results)
    assert (strong.agent, strong.tally) == ("strong", Tally(wins=3, draws=6, losses=1))
    assert strong.to_json()["win_rate"] == 0.3
    assert strong.to_json()["score_rate"] == 0.6
    assert weak.to_json()["score_rate"] == 0.4
    made = TournamentResult(
        ("strong", "weak"), Geometry(), 10, 0, results, (strong, weak), matches=(), seconds=0.0
    )
    assert made.score_rates[0, 1] == 0.6
    assert made.score_rates[1, 0] == 0.4
    assert np.isnan(np.diag(made.score_rates)).all()


def test_each_pairing_has_games_of_its_own() -> None:
    chance = [make_agent("random") for _ in range(3)]
    first, second, third = play_tournament(chance, 50).matches
    assert len({first.mean_plies, second.mean_plies, third.mean_plies}) == 3


def test_the_result_does_not_depend_on_threads() -> None:
    agents = [make_agent("random"), LowestAgent(), HighestAgent()]
    one, three = (play_tournament(agents, 40, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.results, three.results)


def test_the_stronger_player_is_rated_higher() -> None:
    results = np.zeros((3, 3, 3), dtype=np.int64)
    for better, worse in ((2, 0), (0, 1), (2, 1)):
        results[better, worse] = 8, 1, 3
        results[worse, better] = 3, 1, 8
    assert [rating.agent for rating in rate(["b", "c", "a"], results)] == ["a", "b", "c"]


def test_players_with_one_spec_get_names_that_differ() -> None:
    result = play_tournament([make_agent("random") for _ in range(3)], 2)
    assert result.agents == ("random", "random (2)", "random (3)")


def test_the_json_has_the_documented_keys(result: TournamentResult) -> None:
    document = json.loads(json.dumps(result.to_json()))
    assert list(document) == [
        "agents",
        "geometry",
        "games",
        "seed",
        "wins",
        "draws",
        "losses",
        "ratings",
        "matches",
        "seconds",
    ]
    assert list(document["ratings"][0]) == [
        "agent",
        "rating",
        "rating_interval",
        "games",
        "wins",
        "draws",
        "losses",
        "win_rate",
        "win_rate_interval",
        "score_rate",
        "score_rate_interval",
    ]
    assert document["wins"][1][2] == 30


def test_tournaments_that_cannot_be_held_are_refused() -> None:
    chance = make_agent("random")
    with pytest.raises(ArenaError, match="at least 2 players, not 1"):
        play_tournament([chance], 10)
    with pytest.raises(ArenaError, match="one board, not 4x4 connect-3 and 7x6 connect-4"):
        play_tournament([chance, chance, make_agent("random", Geometry(4, 4, 3))], 10)


def test_progress_runs_over_all_pairings() -> None:
    seen: list[tuple[int, int]] = []
    agents = [make_agent("random") for _ in range(3)]
    play_tournament(agents, 10, progress=lambda *now: seen.append(now))
    assert (seen[0], seen[-1]) == ((0, 30), (30, 30))
    assert seen == sorted(seen)

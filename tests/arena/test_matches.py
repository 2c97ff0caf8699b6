"""Matches: who is counted for what, and the keys of the JSON."""

import json

import numpy as np
import pytest
from players import HighestAgent, LowestAgent

from connectlab.agents import make_agent
from connectlab.arena.match import Tally, count_outcomes, play_games, play_match
from connectlab.arena.statistics import wilson
from connectlab.arena.threads import ArenaError
from connectlab.game import Outcome

KEYS = [
    "agent",
    "opponent",
    "geometry",
    "sides",
    "seed",
    "games",
    "wins",
    "draws",
    "losses",
    "win_rate",
    "win_rate_interval",
    "score_rate",
    "score_rate_interval",
    "first",
    "second",
    "mean_plies",
    "distinct_games",
    "agent_forfeits",
    "opponent_forfeits",
    "seconds",
]


def test_alternating_sides_count_each_game_for_the_right_player() -> None:
    # Between these two whoever moves first wins, so the sides decide everything.
    result = play_match(LowestAgent(), HighestAgent(), 101)
    assert result.first == Tally(wins=51, draws=0, losses=0)
    assert result.second == Tally(wins=0, draws=0, losses=50)
    assert result.tally == Tally(wins=51, draws=0, losses=50)
    assert result.distinct_games == 2


def test_fixed_sides_let_the_agent_always_begin() -> None:
    result = play_match(LowestAgent(), HighestAgent(), 40, sides="fixed")
    assert result.first == Tally(wins=40)
    assert result.second == Tally()
    assert result.distinct_games == 1


def test_a_single_alternating_game_has_no_second_side() -> None:
    result = play_match(LowestAgent(), HighestAgent(), 1)
    assert (result.first.games, result.second.games) == (1, 0)


@pytest.mark.parametrize("sides", ["alternate", "fixed"])
@pytest.mark.parametrize(("threads", "chunk"), [(1, 5), (3, 17), (2, None)])
def test_a_match_does_not_depend_on_threads_or_chunks(
    sides: str, threads: int, chunk: int | None
) -> None:
    players = make_agent("random"), LowestAgent()
    expected = play_match(*players, 301, sides=sides, seed=4, threads=1, chunk=301).to_json()
    found = play_match(*players, 301, sides=sides, seed=4, threads=threads, chunk=chunk).to_json()
    assert {**found, "seconds": 0} == {**expected, "seconds": 0}


def test_even_games_of_a_match_are_those_of_fixed_sides() -> None:
    players = make_agent("random"), LowestAgent()
    match = play_match(*players, 200, seed=9)
    outcomes = play_games(*players, 200, seed=9).outcomes[::2]
    assert match.first == count_outcomes(outcomes, Outcome.FIRST_WINS)


def test_outcomes_are_counted_from_either_side() -> None:
    outcomes = np.array([1, 1, 1, 2, 3, 3], dtype=np.int8)
    assert count_outcomes(outcomes, Outcome.FIRST_WINS) == Tally(3, 2, 1)
    assert count_outcomes(outcomes, Outcome.SECOND_WINS) == Tally(1, 2, 3)


def test_rates_and_their_intervals() -> None:
    tally = Tally(wins=6, draws=3, losses=1)
    assert (tally.games, tally.win_rate, tally.score_rate) == (10, 0.6, 0.75)
    assert tally.win_rate_interval == wilson(6, 10)
    assert tally.score_rate_interval == wilson(7.5, 10)
    assert Tally().score_rate_interval == (0, 1)


def test_the_json_has_the_documented_keys() -> None:
    document = json.loads(json.dumps(play_match(LowestAgent(), make_agent("random"), 20).to_json()))
    assert list(document) == KEYS
    assert list(document["first"]) == ["games", "wins", "draws", "losses"]
    assert document["geometry"] == {"columns": 7, "rows": 6, "connect": 4}
    assert (document["agent"], document["opponent"]) == ("lowest", "random")
    assert document["wins"] + document["draws"] + document["losses"] == document["games"] == 20
    assert (
        document["win_rate_interval"][0] < document["win_rate"] < document["win_rate_interval"][1]
    )


def test_the_json_tells_the_two_sides_apart() -> None:
    document = play_match(LowestAgent(), HighestAgent(), 101).to_json()
    assert document["first"] == {"games": 51, "wins": 51, "draws": 0, "losses": 0}
    assert document["second"] == {"games": 50, "wins": 0, "draws": 0, "losses": 50}
    assert [document[key] for key in ("games", "wins", "draws", "losses")] == [101, 51, 0, 50]


def test_the_json_of_a_tally_keeps_wins_and_points_apart() -> None:
    document = Tally(wins=6, draws=3, losses=1).to_json()
    assert document == {
        "games": 10,
        "wins": 6,
        "draws": 3,
        "losses": 1,
        "win_rate": 0.6,
        "win_rate_interval": list(wilson(6, 10)),
        "score_rate": 0.75,
        "score_rate_interval": list(wilson(7.5, 10)),
    }


def test_unknown_sides_are_refused() -> None:
    with pytest.raises(ArenaError, match="alternate or fixed, not 'both'"):
        play_match(LowestAgent(), HighestAgent(), 2, sides="both")


def test_progress_counts_games() -> None:
    seen: list[tuple[int, int]] = []
    play_match(
        LowestAgent(), make_agent("random"), 90, progress=lambda *now: seen.append(now), chunk=10
    )
    assert (seen[0], seen[-1]) == ((0, 90), (90, 90))

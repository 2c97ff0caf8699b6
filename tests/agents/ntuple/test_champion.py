"""The network that comes along is as strong as the documentation says."""

import pytest

from connectlab.agents import make_agent
from connectlab.arena.exact import exact_success
from connectlab.arena.measures import move_accuracy, success_rate
from connectlab.arena.positions import generate_positions


@pytest.mark.slow
def test_the_champion_beats_perfect_play_in_all_but_one_of_a_thousand_games() -> None:
    found = exact_success(make_agent("ntuple:champion"))
    assert found.success_rate > 0.999


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["distance", "outcome"])
def test_the_champion_wins_the_games_it_plays(objective: str) -> None:
    champion = make_agent("ntuple:champion")
    assert success_rate(champion, 300, objective=objective, seed=31).success_rate > 0.99


@pytest.mark.slow
def test_the_champion_keeps_the_outcome_in_most_positions_and_search_helps() -> None:
    positions = generate_positions(40, seed=17)
    greedy = move_accuracy(make_agent("ntuple:champion"), positions).total.outcome_accuracy
    searched = move_accuracy(
        make_agent("ntuple:champion,depth=7"), positions
    ).total.outcome_accuracy
    assert greedy > 0.85
    assert searched > 0.95

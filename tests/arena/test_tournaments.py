"""Round robins: bookkeeping, ratings, and how they are shown."""

import json
from pathlib import Path

import numpy as np
import pytest
from players import HighestAgent, LowestAgent

from connectlab.agents import make_agent
from connectlab.arena.heatmap import _percent, _wrap
from connectlab.arena.match import Tally
from connectlab.arena.tournament import TournamentResult, play_tournament, rate
from connectlab.arena.workers import ArenaError
from connectlab.game import Geometry

PNG = b"\x89PNG\r\n\x1a\n"


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


def test_each_pairing_has_games_of_its_own() -> None:
    chance = [make_agent("random") for _ in range(3)]
    first, second, third = play_tournament(chance, 50).matches
    assert len({first.mean_plies, second.mean_plies, third.mean_plies}) == 3


def test_the_result_does_not_depend_on_workers() -> None:
    agents = [make_agent("random"), LowestAgent(), HighestAgent()]
    one, three = (play_tournament(agents, 40, workers=workers) for workers in (1, 3))
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


def test_the_text_table_has_a_row_for_each_player_and_lines_up(result: TournamentResult) -> None:
    head, *rows = result.format_table().splitlines()
    assert [row.split()[1] for row in rows] == [rating.agent for rating in result.ratings]
    assert head.split()[-3:] == ["1", "2", "3"]
    assert [row.split()[-3 + place] for place, row in enumerate(rows)] == ["-"] * 3
    assert {len(row) for row in [head, *rows]} == {len(head)}


def test_the_heat_map_is_a_picture(result: TournamentResult, tmp_path: Path) -> None:
    path = tmp_path / "new" / "heat.png"
    result.save_heatmap(path)
    assert path.read_bytes().startswith(PNG)
    assert list(path.parent.iterdir()) == [path]


def test_a_heat_map_that_fails_leaves_the_old_one(
    result: TournamentResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "heat.png"
    path.write_bytes(b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("matplotlib.backends.backend_agg.FigureCanvasAgg.print_figure", fail)
    with pytest.raises(OSError, match="disk is full"):
        result.save_heatmap(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("rate", "text"),
    [(0.0, "0"), (1.0, "100"), (0.0001, "<0.1"), (0.99999, ">99.9"), (0.5, "50.0")],
)
def test_only_nothing_and_everything_round_to_0_and_100(rate: float, text: str) -> None:
    assert _percent(rate) == text


def test_long_names_break_at_a_comma() -> None:
    assert _wrap("minimax:depth=1,force_center=true") == "minimax:depth=1,\nforce_center=true"
    assert _wrap("random") == "random"


def test_tournaments_that_cannot_be_held_are_refused() -> None:
    chance = make_agent("random")
    with pytest.raises(ArenaError, match="at least 2 agents, not 1"):
        play_tournament([chance], 10)
    with pytest.raises(ArenaError, match="one board, not 4x4 connect-3 and 7x6 connect-4"):
        play_tournament([chance, chance, make_agent("random", Geometry(4, 4, 3))], 10)


def test_progress_runs_over_all_pairings() -> None:
    seen: list[tuple[int, int]] = []
    agents = [make_agent("random") for _ in range(3)]
    play_tournament(agents, 10, progress=lambda *now: seen.append(now))
    assert (seen[0], seen[-1]) == ((0, 30), (30, 30))
    assert seen == sorted(seen)

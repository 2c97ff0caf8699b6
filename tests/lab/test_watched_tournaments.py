"""Tournaments that are watched, stopped and resumed, and end as the command's do."""

import contextlib
import json
from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.arena.tournament import play_tournament
from connectlab.errors import UserError
from connectlab.game import Geometry
from connectlab.lab.tournament_view import TournamentView
from connectlab.lab.tournaments import Tournaments
from connectlab.storage.locks import LockedError, hold
from connectlab.training.run import RunStoppedError

SMALL = Geometry(4, 4, 3)
PLAYERS = ["random", "extend", "minimax:depth=2", "random"]


class StopAfter:
    """Asks to stop when it was looked at some times."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


NEVER = StopAfter(10**9)


def found(tournaments: Tournaments) -> TournamentView:
    (view,) = tournaments.look()
    return view


def without_time(document: dict[str, object]) -> dict[str, object]:
    plain = json.loads(json.dumps(document))
    for match in plain["matches"]:
        del match["seconds"]
    return {
        key: plain[key]
        for key in ("agents", "geometry", "games", "seed", "wins", "draws", "ratings", "matches")
    }


def test_a_tournament_stopped_at_any_place_ends_as_the_command_does(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    name = tournaments.begin(PLAYERS, SMALL, 10, seed=3)
    stops = 0
    while not found(tournaments).is_finished:
        assert stops < 30, "it never comes to an end"
        with contextlib.suppress(RunStoppedError):
            tournaments.task(name)(StopAfter(4))
        stops += 1
    agents = [make_agent(spec, SMALL) for spec in PLAYERS]
    whole = play_tournament(agents, 10, seed=3)
    assert stops > 2
    assert without_time(tournaments.find(name).to_json()) == without_time(whole.to_json())
    tournaments.done(name)
    assert found(tournaments).state == "finished"


def test_the_table_fills_pairing_by_pairing_and_rates_whom_it_can(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    name = tournaments.begin(PLAYERS[:3], SMALL, 10)
    assert found(tournaments).state == "waiting"
    assert found(tournaments).ratings == ()
    with pytest.raises(RunStoppedError):
        tournaments.task(name)(StopAfter(4))
    view = found(tournaments)
    assert list(view.matches) == [(0, 1)]
    assert {rating.agent for rating in view.ratings} == {"random", "extend"}
    plain = json.loads(json.dumps(view.to_json(), allow_nan=False))
    assert plain["played"] == 1
    assert plain["pairings"] == 3
    scores, tally = plain["score_rates"], view.matches[0, 1].tally
    assert scores[0][1] == {
        "rate": tally.score_rate,
        "interval": list(tally.score_rate_interval),
    }
    assert scores[1][0]["rate"] == pytest.approx(1 - tally.score_rate)
    assert [scores[0][0], scores[0][2], scores[2][1]] == [None] * 3


def test_stop_and_resume_are_written_down(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    name = tournaments.begin(PLAYERS[:2], SMALL, 4)
    tournaments.stop(name)
    assert found(tournaments).state == "stopped"
    assert tournaments.wanted() == []
    with pytest.raises(UserError, match="is not going on"):
        tournaments.stop(name)
    tournaments.resume(name)
    assert tournaments.wanted() == [name]
    tournaments.failed(name, "the lights went out")
    assert (found(tournaments).state, found(tournaments).problem) == (
        "failed",
        "the lights went out",
    )
    assert tournaments.wanted() == []
    tournaments.resume(name)
    tournaments.task(name)(NEVER)
    tournaments.done(name)
    with pytest.raises(UserError, match="is finished"):
        tournaments.resume(name)


def test_those_who_came_first_are_served_first(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    names = [tournaments.begin(PLAYERS[:2], SMALL, 4) for _ in range(3)]
    assert tournaments.wanted() == names


def test_two_processes_do_not_play_the_same_tournament(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    name = tournaments.begin(PLAYERS[:2], SMALL, 4)
    lock = hold(tmp_path / name / ".lock", "it")
    assert lock is not None
    with lock:
        assert found(tournaments).state == "running"
        with pytest.raises(LockedError):
            tournaments.task(name)(NEVER)


def test_damage_is_told_and_hides_no_other_tournament(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    name, other = (tournaments.begin(PLAYERS[:2], SMALL, 4) for _ in range(2))
    (tmp_path / name / "result.json").write_text('{"matches": [{"pair": [0, 9]}]}')
    with pytest.raises(UserError, match=r"result\.json is damaged"):
        tournaments.find(name)
    assert [view.name for view in tournaments.look()] == [other]


@pytest.mark.parametrize("file", ["result.json", "going.json", "now.json"])
def test_a_folder_in_the_place_of_a_file_hides_no_other_tournament(
    tmp_path: Path, file: str
) -> None:
    tournaments = Tournaments(tmp_path)
    name, other = (tournaments.begin(PLAYERS[:2], SMALL, 4) for _ in range(2))
    (tmp_path / name / file).unlink(missing_ok=True)
    (tmp_path / name / file).mkdir()
    assert other in [view.name for view in tournaments.look()]
    assert other in tournaments.wanted()


def test_a_board_that_cannot_be_hides_no_other_tournament(tmp_path: Path) -> None:
    tournaments = Tournaments(tmp_path)
    name, other = (tournaments.begin(PLAYERS[:2], SMALL, 4) for _ in range(2))
    plan = tmp_path / name / "tournament.json"
    plan.write_text(plan.read_text().replace('"columns": 4', '"columns": 99'))
    with pytest.raises(UserError, match="is damaged"):
        tournaments.find(name)
    assert [view.brief()["name"] for view in tournaments.look()] == [other]


@pytest.mark.parametrize("name", ["..", "", "a/b", "x" * 99, "nothing"])
def test_a_tournament_that_does_not_exist_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="there is no tournament"):
        Tournaments(tmp_path).find(name)


def test_a_wrong_player_is_told_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="minimax has no setting"):
        Tournaments(tmp_path).begin(["random", "minimax:deep=2"], SMALL, 4)
    assert list(tmp_path.iterdir()) == []

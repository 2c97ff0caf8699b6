"""Episodes of Kaggle as they are written, and as somebody could have made them up."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectlab.arena.match import Tally
from connectlab.game import Geometry, Outcome
from connectlab.integrations.kaggle import ReplayError, count_replays, read_replay

FOLDER = Path(__file__).parents[2] / "golden" / "kaggle"

Document = dict[str, Any]


def recorded(name: str) -> Document:
    document: Document = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize(
    ("name", "geometry", "moves", "outcome", "reason"),
    [
        ("win", Geometry(4, 3, 3), "14243", Outcome.FIRST_WINS, None),
        ("draw", Geometry(3, 2, 4), "112233", Outcome.DRAW, None),
        ("forfeit", Geometry(5, 4, 4), "332", Outcome.FIRST_WINS, "made an invalid move"),
    ],
)
def test_an_episode_is_read_from_a_file_from_text_and_as_data(
    name: str, geometry: Geometry, moves: str, outcome: Outcome, reason: str | None
) -> None:
    path = FOLDER / f"{name}.json"
    for source in (path, path.read_text(), path.read_bytes(), recorded(name)):
        replay = read_replay(source)
        assert replay.geometry == geometry
        assert replay.moves == moves
        assert replay.outcome is outcome
        assert (replay.forfeit and replay.forfeit.reason) == reason
    assert json.loads(json.dumps(replay.to_json())) == {
        "geometry": geometry.to_json(),
        "moves": moves,
        "outcome": outcome.name.lower(),
        "forfeited_by": "second" if reason else None,
        "forfeit_reason": reason,
        "names": None,
    }


def test_a_forfeit_is_lost_for_one_side_and_won_for_the_other() -> None:
    replays = [read_replay(recorded(name)) for name in ("win", "draw", "forfeit", "forfeit")]
    assert count_replays(replays, first=True) == Tally(wins=3, draws=1, losses=0)
    assert count_replays(replays, first=False) == Tally(wins=0, draws=1, losses=3)
    assert count_replays([], first=True) == Tally()


def test_an_episode_that_was_broken_off_has_no_winner() -> None:
    document = recorded("win")
    del document["steps"][3:]
    replay = read_replay(document)
    assert replay.outcome is Outcome.ONGOING
    assert replay.moves == "14"
    assert count_replays([replay], first=True).games == 0


def test_teams_are_named_if_they_are_told_in_order() -> None:
    document = recorded("win")
    document["info"] = {"TeamNames": ["  one\n team", "t\x1bwo" * 100]}
    names = read_replay(document).names
    assert names is not None
    assert names[0] == "one team"
    assert len(names[1]) == 80
    assert "\x1b" not in names[1]
    for strange in (None, [], ["one"], ["one", 2], {"a": "b"}, [["x"], ["y"]]):
        document["info"] = {"TeamNames": strange}
        assert read_replay(document).names is None


def change(name: str, how: Callable[[Document], object]) -> Document:
    document = copy.deepcopy(recorded(name))
    how(document)
    return document


def put(*path: str | int, value: object) -> Callable[[Document], object]:
    """Set one entry of a document."""

    def setting(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return setting


@pytest.mark.parametrize(
    ("name", "how", "told"),
    [
        ("win", put("name", value="chess"), "name: input should be 'connectx'"),
        ("win", put("configuration", "columns", value="7"), "configuration.columns: input should"),
        ("win", put("configuration", "columns", value=10**30), "connectlab has no such board"),
        ("win", put("configuration", "rows", value=-1), "connectlab has no such board"),
        ("win", put("configuration", "inarow", value=1), "connectlab has no such board"),
        ("win", put("configuration", "columns", value=5), "step 0 shows another board"),
        ("win", put("steps", value=[]), "steps: list should have at least 1 item"),
        ("win", put("steps", value=[[]] * 2000), "steps: list should have at most 1001 items"),
        ("win", put("steps", 1, value=[]), "two sides in each step"),
        ("win", put("steps", 1, 0, value=None), "steps.1.0: input should be"),
        ("win", put("steps", 1, 0, "action", value=None), "step 1 has no action"),
        ("win", put("steps", 1, 0, "action", value=9), "step 1: there is no column 10"),
        ("win", put("steps", 1, 0, "action", value=2.5), "steps.1.0.action: input should be"),
        ("win", put("steps", 1, 0, "action", value=True), "steps.1.0.action: input should be"),
        ("win", put("steps", 1, 0, "action", value=1), "step 1 shows another board"),
        ("win", put("steps", 2, 0, "observation", "board", value=[0] * 12), "step 2 shows another"),
        ("win", put("steps", 0, 0, "observation", "board", value=[1] * 12), "step 0 shows another"),
        ("win", put("steps", 5, 0, "reward", value=-1), "do not fit the moves"),
        ("win", put("steps", 5, 1, "reward", value=None), "do not fit the moves"),
        ("win", put("steps", 5, 0, "status", value="ACTIVE"), "do not fit the moves"),
        ("win", put("steps", 5, 0, "status", value="WON"), "steps.5.0.status: input should be"),
        ("draw", put("steps", 6, 0, "reward", value=1), "do not fit the moves"),
        ("forfeit", put("steps", 4, 0, "reward", value=1), "do not fit the moves"),
        ("forfeit", put("steps", 4, 1, "reward", value=0), "do not fit the moves"),
        ("forfeit", lambda d: d["steps"].append(d["steps"][-1]), "after the end of the game"),
        ("win", lambda d: d["steps"].append(d["steps"][-1]), "after the end of the game"),
        ("win", lambda d: d.pop("steps"), "steps: field required"),
    ],
)
def test_what_contradicts_itself_is_refused_in_one_line(
    name: str, how: Callable[[Document], object], told: str
) -> None:
    with pytest.raises(ReplayError) as raised:
        read_replay(change(name, how))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        '{"name": "connectx"}',
        "[" * 100_000,
        '{"name": NaN}',
        "\ud800",
        b"\xff",
    ],
)
def test_what_is_no_document_is_refused_in_one_line(text: str | bytes) -> None:
    with pytest.raises(ReplayError) as raised:
        read_replay(text)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_too_large_or_missing_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(ReplayError, match="at most 16 MB"):
        read_replay(tmp_path / "large.json")
    with pytest.raises(ReplayError, match=r"none\.json cannot be read: No such file"):
        read_replay(tmp_path / "none.json")

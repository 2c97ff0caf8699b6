"""``connectlab learn``: a table learns from games in files."""

import json
from pathlib import Path

import pytest

from connectlab.cli.app import run


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text("1212121\n")
    return path


def test_a_new_pupil_learns_from_a_game_once(
    tmp_path: Path, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pupil = str(tmp_path / "pupil")
    assert run(["learn", pupil, str(game), "--from", "cheng-known", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["agent"] == f"qtable:{pupil}"
    (lesson,) = document["lessons"]
    assert not lesson["again"]
    assert [step["column"] for step in lesson["steps"]] == [1, 2, 1, 2, 1, 2, 1]
    assert run(["learn", pupil, str(game)]) == 0
    assert "was learned before" in capsys.readouterr().out


def test_a_game_that_is_not_over_leaves_no_folder(
    tmp_path: Path, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game.write_text("12\n")
    pupil = tmp_path / "pupil"
    assert run(["learn", str(pupil), str(game), "--from", "cheng-known"]) == 2
    assert "is not over: only finished games are learned from" in capsys.readouterr().err
    assert not pupil.exists()

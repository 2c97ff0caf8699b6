"""Finished games are kept once, whole, and as the terminal takes them."""

import os
from pathlib import Path

import pytest

from connectlab.errors import GameError
from connectlab.lab.archive import Archive, ArchiveError
from connectlab.lab.records import GameRecord, load_game

WON = GameRecord.of_moves("1212121")
LOST = GameRecord.of_moves("12121232")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "games", most_games=3, most_bytes=10_000)


def test_a_game_is_kept_as_the_terminal_takes_it(archive: Archive, tmp_path: Path) -> None:
    kept = archive.keep("game-0001", WON)
    assert kept.record == WON
    assert load_game(tmp_path / "games" / "game-0001.json") == WON
    assert archive.find("game-0001") == kept


def test_a_game_that_comes_again_is_kept_once(archive: Archive) -> None:
    first = archive.keep("game-0001", WON)
    assert archive.keep("game-0001", WON) == first
    assert len(archive) == 1


def test_an_id_belongs_to_one_game(archive: Archive) -> None:
    archive.keep("game-0001", WON)
    with pytest.raises(ArchiveError, match="another game") as refused:
        archive.keep("game-0001", GameRecord.of_moves("2121212"))
    assert refused.value.status == 409
    assert archive.find("game-0001").record == WON


def test_only_games_that_are_over_and_true_are_kept(archive: Archive) -> None:
    with pytest.raises(ArchiveError, match="that is over"):
        archive.keep("game-0001", GameRecord.of_moves("4453"))
    with pytest.raises(GameError, match="its moves say 'first'"):
        archive.keep("game-0001", WON.model_copy(update={"result": "second"}))
    assert len(archive) == 0


def test_there_is_room_for_so_many_games(archive: Archive) -> None:
    for number in range(3):
        archive.keep(f"game-000{number}", WON)
    with pytest.raises(ArchiveError, match="no more") as refused:
        archive.keep("game-0003", WON)
    assert refused.value.status == 409
    archive.keep("game-0002", WON)


def test_a_game_too_large_is_not_kept(tmp_path: Path) -> None:
    small = Archive(tmp_path, most_games=3, most_bytes=100)
    with pytest.raises(ArchiveError, match="100 bytes") as refused:
        small.keep("game-0001", WON)
    assert refused.value.status == 413
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "identity",
    ["", "short", "../../evil", "a" * 65, "game/0001", "game\0001", "game.0001", "é" * 9],
)
def test_an_id_is_no_path(archive: Archive, identity: str) -> None:
    for act in (lambda: archive.keep(identity, WON), lambda: archive.find(identity)):
        with pytest.raises(ArchiveError, match="8 to 64 letters"):
            act()


def test_the_newest_games_come_first(archive: Archive, tmp_path: Path) -> None:
    for number in range(3):
        archive.keep(f"game-000{number}", WON)
        os.utime(tmp_path / "games" / f"game-000{number}.json", (number, number))
    assert [one.id for one in archive.newest(2)] == ["game-0002", "game-0001"]
    assert [one.id for one in archive.newest(2, 2)] == ["game-0000"]
    assert archive.newest(1)[0].saved == "1970-01-01T00:00:02+00:00"


def test_what_is_no_game_is_passed_over(archive: Archive, tmp_path: Path) -> None:
    assert archive.newest(10) == []
    archive.keep("game-0001", WON)
    (tmp_path / "games" / "damaged-1.json").write_text("{")
    (tmp_path / "games" / "notes.txt").write_text("hello")
    assert [one.id for one in archive.newest(10)] == ["game-0001"]
    with pytest.raises(ArchiveError, match="no game is kept"):
        archive.find("game-0009")


def test_a_link_that_leads_to_itself_and_a_folder_hide_no_game(
    archive: Archive, tmp_path: Path
) -> None:
    archive.keep("game-0001", WON)
    (tmp_path / "games" / "loop-0001.json").symlink_to("loop-0001.json")
    (tmp_path / "games" / "folder-1.json").mkdir()
    assert [one.id for one in archive.newest(10)] == ["game-0001"]
    assert len(archive) == 1
    for identity in ("loop-0001", "folder-1"):
        with pytest.raises(ArchiveError, match="something that is no game") as refused:
            archive.keep(identity, WON)
        assert refused.value.status == 409

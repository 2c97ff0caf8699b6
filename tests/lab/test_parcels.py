"""Folders and files on their way: whole or not there, and only what belongs to them."""

from pathlib import Path

import pytest

from connectlab.lab.executors.base import ExecutorError
from connectlab.lab.executors.luggage import Luggage
from connectlab.lab.executors.parcel import ARRIVED, ARRIVING, Parcel, settle


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


OLD = {"state": "old", "metrics": "old", "pending/1": "waits", ".lock": ""}
NEW = {"state": "new", "metrics": "new", "best": "new", "deep/er/x": "new"}


def test_what_arrives_replaces_all_but_what_begins_with_a_dot(tmp_path: Path) -> None:
    sent = write(tmp_path / "sent", {**NEW, ".lock": "", ".half.json": "{"})
    folder = write(tmp_path / "folder", OLD)
    Parcel.pack(sent).deliver(folder)
    assert contents(folder) == {**NEW, ".lock": ""}
    assert not (folder / "pending").exists()


def test_a_folder_that_is_not_there_is_an_empty_parcel(tmp_path: Path) -> None:
    assert Parcel.pack(tmp_path / "nowhere").files == {}
    settle(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("moves", range(len(NEW) + 3))
def test_killed_at_any_step_a_folder_is_the_old_or_becomes_the_new_one(
    tmp_path: Path, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parcel = Parcel.pack(write(tmp_path / "sent", NEW))
    folder = write(tmp_path / "folder", OLD)
    left = [moves]

    def tiring(real: object) -> object:
        def step(self: Path, *arguments: object, **options: object) -> object:
            if self.is_relative_to(folder):
                left[0] -= 1
                if left[0] < 0:
                    raise KeyboardInterrupt
            return real(self, *arguments, **options)  # type: ignore[operator]

        return step

    with monkeypatch.context() as patch:
        for name in ("replace", "unlink"):
            patch.setattr(Path, name, tiring(getattr(Path, name)))
        with pytest.raises(KeyboardInterrupt):
            parcel.deliver(folder)
    began = (folder / ARRIVED).exists()
    settle(folder)
    assert contents(folder) == ({**NEW, ".lock": ""} if began else OLD)
    assert not (folder / ARRIVING).exists()


@pytest.mark.parametrize(
    "damaged",
    ["", "no list", "\xff", "[" * 100_000, '{"state": 1}', '"state"', "[1]", '["elsewhere"]',
     '["state", "../secret"]', '["state", "/etc/passwd"]', '["state", ".lock"]', '["./state"]'],
)  # fmt: skip
def test_a_damaged_list_of_what_arrived_is_refused_and_nothing_is_lost(
    tmp_path: Path, damaged: str
) -> None:
    (tmp_path / "secret").write_text("of somebody")
    folder = write(tmp_path / "folder", {**OLD, f"{ARRIVING}/best": "new"})
    before = contents(tmp_path)
    (folder / ARRIVED).write_text(damaged, encoding="latin-1")
    with pytest.raises(
        ExecutorError, match=r"\.arrived is damaged, and nothing was changed"
    ) as told:
        settle(folder)
    assert "\n" not in str(told.value)
    (folder / ARRIVED).unlink()
    assert contents(tmp_path) == before
    settle(folder)
    assert contents(folder) == OLD


def test_a_list_of_nothing_is_believed_only_where_something_arrived(tmp_path: Path) -> None:
    folder = write(tmp_path / "folder", {**OLD, ARRIVED: "[]"})
    with pytest.raises(ExecutorError, match=r"\.arrived is damaged"):
        settle(folder)
    Parcel({}).deliver(write(tmp_path / "other", OLD))
    assert contents(tmp_path / "other") == {".lock": ""}


def test_files_below_the_working_folder_travel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(tmp_path / "here", {"data/tuples.json": "[]"}))
    luggage = Luggage.pack(Path("data/tuples.json"))
    monkeypatch.chdir(write(tmp_path / "there", {"x": ""}))
    luggage.unpack()
    assert Path("data/tuples.json").read_text() == "[]"


def test_a_file_elsewhere_must_be_there_and_be_the_same(tmp_path: Path) -> None:
    (file := tmp_path / "tuples.json").write_text("[]")
    luggage = Luggage.pack(file)
    assert luggage.content is None
    luggage.unpack()
    file.write_text("[[]]")
    with pytest.raises(ExecutorError, match=r"does not have the same .*tuples\.json: name it by"):
        luggage.unpack()
    file.unlink()
    with pytest.raises(ExecutorError, match="does not have the same"):
        luggage.unpack()

"""Tuple files by name."""

from pathlib import Path

import pytest

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.tuples import create_tuples, read_tuples
from connectlab.game import STANDARD
from connectlab.lab.tuple_files import MissingTupleFileError, TupleFileError, TupleFiles

TUPLES = (((0, 0), (1, 1), (2, 2)), ((3, 4), (3, 5)))


@pytest.fixture
def files(tmp_path: Path) -> TupleFiles:
    return TupleFiles(tmp_path / "data" / "tuples")


def test_what_is_written_is_read_again_and_can_be_trained_with(files: TupleFiles) -> None:
    tuples = create_tuples("walk", 12, 6, STANDARD, 4)
    files.write("mine", tuples)
    assert files.read("mine") == tuples
    assert read_tuples(files.path("mine"), STANDARD) == tuples
    config = NTupleConfig(creation="file", tuple_file=str(files.path("mine")))
    assert Network.create(config).layout.tuples == tuples


def test_files_are_listed_by_name_with_the_board_they_need(files: TupleFiles) -> None:
    assert files.list() == []
    files.write("b", TUPLES)
    files.write("a", TUPLES[:1])
    first, second = files.list()
    assert (first.name, second.name) == ("a", "b")
    assert (second.tuples, second.longest, second.columns, second.rows) == (2, 3, 4, 6)


def test_a_damaged_file_is_listed_with_what_is_wrong(files: TupleFiles) -> None:
    files.write("good", TUPLES)
    (files.folder / "bad.json").write_text("[[1,")
    (files.folder / "notes.txt").write_text("no tuples")
    (files.folder / ".hidden.json").write_text("[]")
    bad, good = files.list()
    assert "is no tuple file" in (bad.problem or "")
    assert good.problem is None


@pytest.mark.parametrize(
    "name", ["", "../x", "a/b", ".hidden", "a" * 61, "a\n", "ä", "a b", "a\0", "-x"]
)
def test_no_name_leads_out_of_the_folder(files: TupleFiles, name: str) -> None:
    for act in (files.read, files.delete, lambda given: files.write(given, TUPLES)):
        with pytest.raises(TupleFileError, match="a tuple file is named with"):
            act(name)


def test_a_file_that_is_not_there_is_neither_read_nor_deleted(files: TupleFiles) -> None:
    for act in (files.read, files.delete):
        with pytest.raises(MissingTupleFileError, match="there is no tuple file gone"):
            act("gone")


def test_a_deleted_file_is_gone_and_the_others_stay(files: TupleFiles) -> None:
    files.write("a", TUPLES)
    files.write("b", TUPLES)
    files.delete("a")
    assert [file.name for file in files.list()] == ["b"]


def test_a_folder_named_like_a_file_is_listed_and_not_deleted(files: TupleFiles) -> None:
    files.write("a", TUPLES)
    (files.folder / "folder.json").mkdir()
    with pytest.raises(OSError, match="folder"):
        files.delete("folder")
    assert [file.problem is None for file in files.list()] == [True, False]


def test_a_failed_write_leaves_the_old_file(
    files: TupleFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write("a", TUPLES)

    def full(_self: Path, *_args: object, **_kwargs: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        files.write("a", TUPLES[:1])
    monkeypatch.undo()
    assert files.read("a") == TUPLES
    assert [path.name for path in files.folder.iterdir()] == ["a.json"]

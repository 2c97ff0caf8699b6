"""Files that are whole or not there, and things that are no files."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from connectlab.errors import UserError
from connectlab.storage.files import check_writable, is_stream, replacing, write_text
from devices import make_device


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writes_a_new_file_and_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "note.txt"
    write_text(path, "früh\n")
    assert path.read_bytes() == "früh\n".encode()
    assert names(path.parent) == ["note.txt"]


def test_replaces_an_old_file(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")
    write_text(path, "new")
    assert path.read_text() == "new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")

    def fail_half_way() -> None:
        with replacing(path) as beside:
            beside.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_half_way()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["note.txt"]


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")
    with replacing(path) as beside:
        beside.write_text("half")
        assert path.read_text() == "old"
        assert beside.parent == path.parent
        beside.write_text("new")
    assert path.read_text() == "new"


def test_the_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    plain, careful = tmp_path / "plain", tmp_path / "careful"
    before = os.umask(0o027)
    try:
        plain.write_text("x")
        write_text(careful, "x")
    finally:
        os.umask(before)
    assert careful.stat().st_mode == plain.stat().st_mode


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("old")
    path.chmod(0o604)
    write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_device_swallows_and_stays(tmp_path: Path) -> None:
    null = make_device(tmp_path, "null")
    check_writable(null)
    write_text(null, "gone")
    assert null.is_char_device()


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "note.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    check_writable(link)
    write_text(link, "through a link that leads nowhere yet")
    assert link.is_symlink()
    assert target.read_text() == "through a link that leads nowhere yet"
    write_text(link, "again")
    assert target.read_text() == "again"
    assert names(target.parent) == ["note.txt"]


def test_a_link_to_a_device_is_no_file(tmp_path: Path) -> None:
    null = make_device(tmp_path, "null")
    link = tmp_path / "link"
    link.symlink_to(null)
    write_text(link, "gone")
    assert link.is_symlink()
    assert null.is_char_device()


def test_a_fifo_gets_the_bytes_and_stays(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()), daemon=True)
    reader.start()
    check_writable(fifo)
    write_text(fifo, "passing through")
    assert fifo.is_fifo()
    reader.join(timeout=60)
    assert got == ["passing through"]


def test_a_reader_of_a_fifo_that_leaves_is_told_with_its_path(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: fifo.open("rb").close(), daemon=True)
    reader.start()
    with pytest.raises(OSError, match="Broken pipe") as raised:
        write_text(fifo, "more than a pipe holds" * 10_000)
    assert not isinstance(raised.value, BrokenPipeError), "that is what standard output raises"
    assert raised.value.filename == str(fifo)


def test_shared_memory_holds_files_and_not_streams() -> None:
    assert not is_stream(Path("/dev/shm/run/run.json"))
    assert is_stream(Path("/dev/stdout"))
    assert is_stream(Path("/dev/fd/1"))


def test_a_full_disk_is_told_with_the_path_that_was_asked_for(tmp_path: Path) -> None:
    full = make_device(tmp_path, "full")
    with pytest.raises(OSError, match="No space left") as raised:
        write_text(full, "too much")
    assert raised.value.filename == str(full)
    path = tmp_path / "below" / "note.txt"

    def fill() -> None:
        with replacing(path):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as raised:
        fill()
    assert raised.value.filename == str(path)
    assert names(path.parent) == []


def test_an_error_about_another_file_keeps_its_name(tmp_path: Path) -> None:
    def copy() -> None:
        with replacing(tmp_path / "copy") as beside:
            beside.write_bytes((tmp_path / "missing").read_bytes())

    with pytest.raises(FileNotFoundError) as raised:
        copy()
    assert raised.value.filename == str(tmp_path / "missing")


def test_what_could_not_be_written_is_known_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a folder: name a file"):
        check_writable(tmp_path)
    with pytest.raises(UserError, match=r"below cannot be written: .*file is no folder"):
        check_writable(tmp_path / "file" / "below")
    with pytest.raises(UserError, match="x cannot be written: file name too long"):
        check_writable(tmp_path / ("x" * 300))
    check_writable(tmp_path / "new" / "folder" / "note.txt")
    check_writable(tmp_path / "file")
    assert names(tmp_path) == ["file"], "asking leaves nothing behind"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_known_before(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="cannot be written"):
        check_writable(tmp_path / "note.txt")


def test_a_body_that_makes_the_file_anew_does_not_change_its_rights(tmp_path: Path) -> None:
    plain, made = tmp_path / "plain", tmp_path / "made"
    plain.touch()
    with replacing(made) as beside:
        beside.unlink()
        beside.touch(mode=0o600)
    assert made.stat().st_mode == plain.stat().st_mode


def test_a_folder_is_not_written_over() -> None:
    for folder in (Path("/"), Path(__file__).parent):
        with pytest.raises(IsADirectoryError), replacing(folder):
            pytest.fail("nothing is to be written")

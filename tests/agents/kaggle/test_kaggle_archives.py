"""A file that is not there or no Python, and an archive that means no good, are told at once."""

import gc
import io
import tarfile
from pathlib import Path

import pytest
from written import opened, written

from connectlab.agents import AgentError, make_agent
from connectlab.agents.kaggle import submission
from connectlab.game import Position

AGENT = b"import helper\ndef agent(obs):\n    return helper.number\n"


def packed(path: Path, files: dict[str, bytes | tarfile.TarInfo], mode: str = "w:gz") -> Path:
    """An archive of files, or of entries as they are."""
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            entry = data if isinstance(data, tarfile.TarInfo) else tarfile.TarInfo(name)
            if not isinstance(data, tarfile.TarInfo):
                entry.size = len(data)
            archive.addfile(entry, None if isinstance(data, tarfile.TarInfo) else io.BytesIO(data))
    return path


def entry(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


@pytest.mark.parametrize(
    ("name", "mode"), [("a.tar.gz", "w:gz"), ("a.tgz", "w:gz"), ("a.tar", "w")]
)
def test_an_archive_is_unpacked_and_cleaned_up(name: str, mode: str, tmp_path: Path) -> None:
    files = {"./": entry("./", tarfile.DIRTYPE), "./main.py": AGENT, "helper.py": b"number = 5"}
    agent = opened(packed(tmp_path / name, files, mode))
    assert agent.choose_one(Position()) == 5
    folder = agent._submission.folder
    assert folder.is_dir()
    del agent
    gc.collect()
    assert not folder.exists()


def test_a_folder_with_a_main_py_will_do(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("def agent(obs):\n    return 4")
    assert opened(tmp_path).choose_one(Position()) == 4


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("../escaped.py", b"", "would write outside its folder"),
        ("a/../../escaped.py", b"", "would write outside its folder"),
        ("/tmp/escaped.py", b"", "would write outside its folder"),
        ("link", entry("link", tarfile.SYMTYPE, "/etc/passwd"), "neither a file nor a folder"),
        ("hard", entry("hard", tarfile.LNKTYPE, "main.py"), "neither a file nor a folder"),
        ("pipe", entry("pipe", tarfile.FIFOTYPE), "neither a file nor a folder"),
        ("null", entry("null", tarfile.CHRTYPE), "neither a file nor a folder"),
        ("large", bytes(3 << 20), "is too large: at most"),
        ("main.py/x", b"", "cannot be unpacked"),
        ("main.py", b"", "cannot be unpacked"),
    ],
)
def test_an_archive_that_means_no_good_is_refused(
    name: str,
    data: bytes | tarfile.TarInfo,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(submission, "MOST_BYTES", 2 << 20)
    monkeypatch.setattr(submission.tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = tmp_path / "submission.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for each, content in (("main.py", b"def agent(obs):\n    return 1"), (name, data)):
            made = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(each)
            if isinstance(content, bytes):
                made.size = len(content)
                archive.addfile(made, io.BytesIO(content))
            else:
                archive.addfile(made)
    with pytest.raises(AgentError, match=told) as raised:
        opened(path)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)
    gc.collect()
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == [], "nothing is left of it"


def test_an_archive_of_too_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "MOST_ENTRIES", 5)
    files: dict[str, bytes | tarfile.TarInfo] = {f"{n}.py": b"" for n in range(6)}
    with pytest.raises(AgentError, match="holds more than 5 files"):
        opened(packed(tmp_path / "a.tar.gz", files))


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("main.py", b"def agent(obs:\n  pass", "is no Python, line 1: '\\(' was never closed"),
        ("main.py", b"x = 1\nreturn 2", "is no Python, line 2: 'return' outside function"),
        ("main.py", b"\xff\xfe", "cannot be read: .*utf-8"),
        ("main.py", b"x = '\0'", "null bytes"),
        ("main.py", b"(" * 5000 + b")" * 5000, "too many nested parentheses"),
        ("a.tar.gz", b"no archive", "cannot be unpacked"),
        ("a.tar", b"no archive", "cannot be unpacked"),
        ("a.tar.gz", b"", "cannot be unpacked"),
    ],
)
def test_a_file_that_is_none_is_one_line_before_anything_starts(
    name: str, data: bytes, told: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(AgentError, match=told) as raised:
        opened(tmp_path / name)
    assert "\n" not in str(raised.value)
    assert name in str(raised.value)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="there is no file nowhere"):
        make_agent("kaggle:nowhere.py")
    with pytest.raises(AgentError, match="kaggle needs a path"):
        make_agent("kaggle")
    with pytest.raises(AgentError, match=r"holds no main\.py at its top"):
        opened(tmp_path)
    with pytest.raises(AgentError, match=r"holds no main\.py at its top"):
        opened(packed(tmp_path / "a.tar.gz", {"below/main.py": AGENT}))
    with pytest.raises(AgentError, match="there is no folder /no/such/folder"):
        written(tmp_path, "agent = print", folder="/no/such/folder")


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.tar.gz", {"main.py": AGENT, "weights": bytes(range(256)) * 400})
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(AgentError, match="cannot be unpacked"):
        opened(path)

"""The cache of machine code, and the kernels as plain Python."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectlab import _jit


@pytest.fixture(autouse=True)
def _forget_what_was_read() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    for remembered in (_jit.cache_directory, _jit._read, _jit._modules_named):
        remembered.cache_clear()


def kernels_directory() -> Path:
    """The directory for the kernels of the package, or of the small one below."""
    package = Path(_jit.__file__).parent
    made_up = package / "room" / "kernels.py"
    return _jit.cache_directory(made_up if made_up.is_file() else package / "game" / "batch.py")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of our name whose kernels use a constant that another module defines."""
    files = {
        "_jit.py": "",
        "room/__init__.py": "",
        "room/kernels.py": "from connectlab._jit import kernel\nfrom connectlab.rules import ONE\n",
        "rules.py": "from connectlab.numbers import UNIT as ONE\n",
        "numbers/__init__.py": "",
        "numbers/units.py": "UNIT = 1\n",
        "page.py": "TITLE = 'nothing compiled uses this'\n",
    }
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    monkeypatch.setattr(_jit, "__file__", str(tmp_path / "_jit.py"))
    return tmp_path


@pytest.mark.parametrize("name", ["_jit.py", "room/kernels.py", "rules.py", "numbers/units.py"])
def test_a_changed_kernel_or_constant_moves_the_cache(package: Path, name: str) -> None:
    before = kernels_directory().name
    (package / name).write_text("# _jit\n" + (package / name).read_text())
    forget()
    assert kernels_directory().name != before


def test_other_changes_keep_the_cache(package: Path) -> None:
    before = kernels_directory().name
    (package / "page.py").write_text("TITLE = 'changed'\n")
    forget()
    assert kernels_directory().name == before


def test_a_file_keeps_its_kernels_when_one_it_cannot_import_changes(package: Path) -> None:
    (package / "room" / "other.py").write_text("from connectlab._jit import kernel\n")
    before = kernels_directory().name
    (package / "room" / "other.py").write_text("from connectlab._jit import kernel  # changed\n")
    forget()
    assert kernels_directory().name == before


def test_the_package_itself_is_hashed_with_the_numbers_of_outcomes() -> None:
    source = Path(_jit.__file__).with_name("game").joinpath("batch.py")
    named = _jit._modules_named(source, Path(_jit.__file__).parent)
    assert Path(_jit.__file__).parent / "game" / "position.py" in named


def test_the_variable_moves_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path / "here"))
    assert kernels_directory().parent == tmp_path / "here"
    assert kernels_directory().is_dir()


def test_the_users_cache_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONNECTLAB_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kernels_directory().parent == tmp_path / "connectlab"


def test_a_place_that_cannot_be_made_is_replaced_by_a_passing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path / "file"))
    assert usable_elsewhere(tmp_path)


def test_a_place_that_cannot_be_written_is_replaced_by_a_passing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_jit.os, "access", lambda *_: False)
    assert usable_elsewhere(tmp_path)


def usable_elsewhere(refused: Path) -> bool:
    directory = kernels_directory()
    (directory / "probe").write_text("")
    return not directory.is_relative_to(refused)


def run_python(program: str, **environment: str) -> str:
    """Run a program in a fresh interpreter where a warning is an error; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_passing_cache_is_removed_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "temporary").mkdir()
    program = (
        "from connectlab import _jit\n"
        "print(_jit.cache_directory(_jit.Path(_jit.__file__)), _jit.popcount(7))"
    )
    printed = run_python(
        program, CONNECTLAB_CACHE_DIR=str(tmp_path / "file"), TMPDIR=str(tmp_path / "temporary")
    )
    directory, count = printed.split()
    assert count == "3"
    assert Path(directory).parent == tmp_path / "temporary"
    assert not Path(directory).exists()


SMALL_GAMES = """
import numpy as np
from connectlab.game import Geometry, Position, PositionBatch, bitboard
from connectlab.game.streams import GAMMA, below, derive_seed, uniform

board = Geometry(4, 4, 3)
batch = PositionBatch.start(6, board, seed=derive_seed(2, 3), first=5)
for ply in range(16):
    batch = batch[batch.outcomes == 0]
    for position in batch.positions():
        word = bitboard.winning_cells(position.mover, position.occupied, board.shape)
        print(position.mover, position.occupied, int(word), position.legal_columns)
    columns = []
    for game in range(len(batch)):
        with np.errstate(over="ignore"):
            batch.streams[game] += GAMMA
        free = np.flatnonzero(batch.legal[game])
        columns.append(free[below(batch.streams[game], len(free))])
        print(uniform(batch.streams[game]))
    batch = batch.play(np.array(columns, dtype=np.int64))
    print(batch.outcomes.tolist(), batch.mirror().cells().ravel().tolist())
position = Position.from_moves("1212", board).play(0)
print(repr(position), position.mirror(), position.outcome, position.winning_line)
print(repr(Position(board, position.mover, position.occupied)), type(position.mover))
print(int(bitboard.pick_cell(np.uint64(0), 0)), int(bitboard.pick_cell(np.uint64(6), 1)))
print(Position.from_moves("1" * 63, Geometry(1, 63, 64)).mirror().outcome)
"""


def test_kernels_mean_the_same_as_plain_python() -> None:
    compiled = run_python(SMALL_GAMES, NUMBA_DISABLE_JIT="0")
    assert run_python(SMALL_GAMES, NUMBA_DISABLE_JIT="1") == compiled
    assert compiled.count("\n") > 50


def test_the_jit_can_be_turned_off() -> None:
    program = "from connectlab import _jit; print(_jit.JIT_ENABLED, type(_jit.popcount).__name__)"
    assert run_python(program, NUMBA_DISABLE_JIT="1").split() == ["False", "function"]
    assert run_python(program, NUMBA_DISABLE_JIT="0").split() == ["True", "CPUDispatcher"]


def test_a_kernel_with_signatures_takes_no_other_types() -> None:
    doubled = _jit.kernel("int64(int64)")(lambda n: 2 * n)
    assert doubled(4) == 8
    with pytest.raises(TypeError, match="No matching definition"):
        doubled("4")

"""The kernels: their cache of machine code, and how they run as plain Python."""

import errno
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError
from numpy.typing import NDArray

from connectlab import _cache, _jit

DAY_S = 24 * 60 * 60
KERNEL = """
from connectlab._jit import kernel

@kernel("int64(int64)")
def doubled(n):
    return 2 * n

print(doubled(21), len(doubled.stats.cache_hits), len(doubled.stats.cache_misses))
"""
COMPILED, LOADED = "42 0 1\n", "42 1 0\n"


@pytest.fixture(autouse=True)
def _forget_what_was_read() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    for remembered in (
        _cache.open_set,
        _cache.remove_unused,
        _cache.source_hash,
        _cache._read,
        _cache._modules_named,
        _cache.tell_once,
    ):
        remembered.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kernel sets in this test."""
    monkeypatch.setenv(_cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that calls a kernel of its own, and prints how it got its machine code."""
    path = tmp_path / "program.py"
    path.write_text(KERNEL)
    return path


def kernel_set() -> Path | None:
    """The kernel set of a file of the package, or of the small one below."""
    package = Path(_cache.__file__).parent
    made_up = package / "room" / "kernels.py"
    return _cache.open_set(made_up if made_up.is_file() else package / "game" / "batch.py")


def set_name() -> str:
    path = kernel_set()
    assert path is not None
    return path.name


@pytest.fixture
def package(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
    monkeypatch.setattr(_cache, "__file__", str(tmp_path / "_cache.py"))
    return tmp_path


@pytest.mark.parametrize("name", ["_jit.py", "room/kernels.py", "rules.py", "numbers/units.py"])
def test_a_changed_kernel_or_constant_leads_to_another_set(package: Path, name: str) -> None:
    before = set_name()
    (package / name).write_text("# _jit\n" + (package / name).read_text())
    forget()
    assert set_name() != before


def test_other_changes_keep_the_set(package: Path) -> None:
    before = set_name()
    (package / "page.py").write_text("TITLE = 'changed'\n")
    forget()
    assert set_name() == before


def test_a_file_keeps_its_kernels_when_one_it_cannot_import_changes(package: Path) -> None:
    (package / "room" / "other.py").write_text("from connectlab._jit import kernel\n")
    before = set_name()
    (package / "room" / "other.py").write_text("from connectlab._jit import kernel  # changed\n")
    forget()
    assert set_name() == before


def test_the_package_itself_is_hashed_with_the_numbers_of_outcomes() -> None:
    source = Path(_jit.__file__).with_name("game").joinpath("batch.py")
    named = _cache._modules_named(source, Path(_jit.__file__).parent)
    assert Path(_jit.__file__).parent / "game" / "position.py" in named


def test_the_variable_moves_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path / "here"))
    made = kernel_set()
    assert made is not None
    assert made.is_dir()
    assert made.parent == tmp_path / "here"


def test_the_users_cache_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONNECTLAB_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = kernel_set()
    assert made is not None
    assert made.parent == tmp_path / "connectlab"


def test_a_folder_that_cannot_be_made_is_told_once_and_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path / "file"))
    assert kernel_set() is None
    assert _cache.open_set(Path(_jit.__file__)) is None
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"cannot be kept in {tmp_path / 'file'} (not a directory)" in told
    assert "CONNECTLAB_CACHE_DIR" in told


def age(path: Path, days: float) -> Path:
    """Pretend that a set was last used so many days ago."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "one.nbi").write_text("x")
    then = path.stat().st_mtime - days * DAY_S
    os.utime(path, (then, then))
    return path


@pytest.mark.usefixtures("package")
def test_a_new_set_removes_old_ones_of_other_sources_and_nothing_else(folder: Path) -> None:
    unused = age(folder / "kernels-unused", _cache.KEEP_DAYS + 1)
    resting = age(folder / "kernels-resting", _cache.KEEP_DAYS - 1)
    foreign = age(folder / "somebody-elses", 1000)
    made = kernel_set()
    assert made is not None
    assert sorted(folder.iterdir()) == sorted([made, resting, foreign])
    assert not unused.exists()


@pytest.mark.usefixtures("package")
def test_sets_of_the_running_sources_are_kept_however_old(folder: Path) -> None:
    made = kernel_set()
    assert made is not None
    age(made, 1000)
    age(folder / "kernels-unused", 1000)
    _cache.remove_unused.cache_clear()
    _cache.remove_unused()
    assert list(folder.iterdir()) == [made]


@pytest.mark.usefixtures("package")
def test_use_keeps_a_set_young(folder: Path) -> None:
    made = kernel_set()
    assert made is not None
    age(made, 20)
    forget()
    kernel_set()
    (used,) = _cache.kernel_sets()
    assert used.idle_days < 1


@pytest.mark.usefixtures("package")
def test_a_removal_that_was_interrupted_is_finished_later(folder: Path) -> None:
    left = age(folder / "removed-0123", _cache.KEEP_DAYS + 1)
    kernel_set()
    assert not left.exists()


@pytest.mark.usefixtures("package")
def test_clearing_removes_every_set(folder: Path) -> None:
    kernel_set()
    age(folder / "kernels-other", 3)
    foreign = age(folder / "somebody-elses", 3)
    assert _cache.clear() == 2
    assert list(folder.iterdir()) == [foreign]


def start(program: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Run a program as if it were the first to do anything; return what it prints and tells."""
    forget()
    capsys.readouterr()
    runpy.run_path(str(program))
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.usefixtures("folder")
def test_the_second_start_compiles_nothing(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(program, capsys) == (COMPILED, "")
    assert start(program, capsys) == (LOADED, "")


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def fill_with_garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * (path.stat().st_size // 256 + 1))


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [truncate, empty, fill_with_garbage, flip_a_bit])
def test_damaged_machine_code_is_told_and_compiled_again(
    folder: Path,
    program: Path,
    suffix: str,
    damage: Callable[[Path], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    start(program, capsys)
    (damaged,) = folder.rglob(f"program.doubled*{suffix}")
    damage(damaged)
    printed, told = start(program, capsys)
    assert printed == COMPILED
    assert told == f"connectlab: damaged compiled code in {damaged.parent}; compiling it again\n"
    assert start(program, capsys) == (LOADED, "")


def test_missing_machine_code_is_compiled_again_without_a_word(
    folder: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start(program, capsys)
    (removed,) = folder.rglob("program.doubled*.nbc")
    removed.unlink()
    assert start(program, capsys) == (COMPILED, "")
    assert start(program, capsys) == (LOADED, "")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_disk_that_takes_nothing_is_told_once(
    folder: Path,
    program: Path,
    suffix: str,
    number: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real = os.replace

    def replace(source: str, target: str) -> None:
        if target.endswith(suffix):
            raise OSError(number, os.strerror(number), target)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    program.write_text(KERNEL + KERNEL.replace("doubled", "again"))
    printed, told = start(program, capsys)
    assert printed == 2 * COMPILED
    assert told.count("\n") == 1
    assert f"cannot be kept in {folder} ({os.strerror(number).lower()})" in told
    assert not list(folder.rglob("*.tmp.*"))


def test_a_mistake_in_a_kernel_is_found_by_the_import(folder: Path, program: Path) -> None:
    program.write_text(KERNEL.replace("2 * n", "n.no_such_thing").replace("print", "#"))
    for _ in ("nothing is kept", "still nothing"):
        with pytest.raises(TypingError, match="Unknown attribute 'no_such_thing'"):
            runpy.run_path(str(program))
    assert not list(folder.rglob("program.*"))


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


def test_a_folder_that_cannot_be_made_does_not_stop_a_program(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    program = "from connectlab import _jit; print(_jit.popcount(7))"
    assert run_python(program, CONNECTLAB_CACHE_DIR=str(tmp_path / "file")) == "3\n"


PARTS = """
import sys
from connectlab.game import Position
from connectlab.game.bitboard import popcount, winning_cells
from connectlab.solver import Solver
assert not popcount.overloads and not winning_cells.overloads
print(Solver(book=False, table_mb=1).score(Position.from_moves("121212")))
print("numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
print(len(winning_cells.overloads))
"""


def test_a_kept_kernel_is_loaded_when_it_is_needed_and_without_the_compiler() -> None:
    run_python("import connectlab.solver")  # compiles what is not kept yet
    assert run_python(PARTS) == "18\nFalse False\n0\n"


HASHING = """
from numba import types
from connectlab._jit import kernel

@kernel(types.int64(types.unicode_type))
def hashed(text):
    return hash(text)

print(hashed("four") == hash("four"), len(hashed.stats.cache_hits))
"""


def test_kept_machine_code_that_hashes_text_finds_the_secrets_of_this_process(
    program: Path, folder: Path
) -> None:
    program.write_text(HASHING)
    start = f"import runpy; runpy.run_path({str(program)!r})"
    printed = [run_python(start, CONNECTLAB_CACHE_DIR=str(folder)) for _ in range(2)]
    assert printed == ["True 0\n", "True 1\n"]


THREADS = """
from concurrent.futures import ThreadPoolExecutor
from connectlab.game.bitboard import column_of
from connectlab.game import STANDARD
assert not column_of.overloads
with ThreadPoolExecutor(8) as pool:
    columns = list(pool.map(lambda i: column_of(1 << i, STANDARD.shape), range(49)))
print(columns == [i // 7 for i in range(49)], len(column_of.overloads))
"""


def test_threads_that_need_a_kernel_at_once_share_one_loading() -> None:
    run_python("import connectlab.game")  # compiles what is not kept yet
    assert run_python(THREADS) == "True 1\n"


SMALL_GAMES = """
import numpy as np
from connectlab.game import Geometry, Position, PositionBatch, bitboard
from connectlab.game.streams import at_ply, below, derive_seed, uniform
from connectlab.solver import Solver

board = Geometry(4, 4, 3)
batch = PositionBatch.start(6, board, seed=derive_seed(2, 3), first=5)
for ply in range(16):
    batch = batch[batch.outcomes == 0]
    for position in batch.positions():
        word = bitboard.winning_cells(position.mover, position.occupied, board.shape)
        print(position.mover, position.occupied, int(word), position.legal_columns)
    columns = []
    for game in range(len(batch)):
        number = np.uint64(at_ply(batch.streams[game], ply))
        free = np.flatnonzero(batch.legal[game])
        columns.append(free[below(number, len(free))])
        print(uniform(number))
    batch = batch.play(np.array(columns, dtype=np.int64))
    print(batch.outcomes.tolist(), batch.mirror().cells().ravel().tolist())
position = Position.from_moves("1212", board).play(0)
print(repr(position), position.mirror(), position.outcome, position.winning_line)
print(repr(Position(board, position.mover, position.occupied)), type(position.mover))
print(int(bitboard.pick_cell(np.uint64(0), 0)), int(bitboard.pick_cell(np.uint64(6), 1)))
print(Position.from_moves("1" * 63, Geometry(1, 63, 64)).mirror().outcome)
solver = Solver(board, table_mb=1)
for moves in ("", "12", "1144"):
    position = Position.from_moves(moves, board)
    print(solver.analyse(position), solver.analyse(position, outcome_only=True))
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


def test_a_borrowing_kernel_leaves_its_arrays_as_it_found_them() -> None:
    class Pair(NamedTuple):
        one: NDArray[np.float64]
        two: NDArray[np.float64]

    @_jit.kernel(borrows=True)
    def swap_rows(pair: Pair, n: int) -> float:
        total = 0.0
        for _ in range(n):
            rows = pair.one[0], pair.two[0]
            rows[0][0], rows[1][0] = rows[1][0], rows[0][0]
            total += rows[0][0]
        return total

    pair = Pair(np.ones((1, 2)), np.zeros((1, 2)))
    before = [sys.getrefcount(array) for array in pair]
    assert swap_rows(pair, 1_001) == 500.0
    assert [sys.getrefcount(array) for array in pair] == before
    assert (pair.one[0, 0], pair.two[0, 0]) == (0.0, 1.0)

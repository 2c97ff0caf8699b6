"""Plant small faults, one at a time, and see that a test notices each: ``make faults``.

The faults are in the TOML files beside this one, a file for each room. A fault says which text of
which file becomes which other text, which tests must fail then, and why it matters::

    [[fault]]
    why = "a draw would count as nothing"
    file = "src/connectlab/arena/match.py"
    old = "self.draws / 2"
    new = "self.draws * 0"
    tests = ["tests/arena/test_matches.py"]

With ``jit = false`` the tests run as plain Python: where a test asks little of its kernels, that
saves a minute of compiling.

The tree is copied to a temporary folder, so the sources themselves are never touched; neither is
the cache of compiled kernels, so it takes some minutes to begin. All tests that are named run there
once before anything is planted: a test that fails anyway notices nothing. ``plant.py arena lab``
plants the faults of two rooms, ``plant.py --only undo`` those that say so in their reason or file.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
COPIED = ("src", "tests", "docs", "scripts", "README.md", "pyproject.toml", "CHANGELOG.md")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*_cache")
KEYS = {"why", "file", "old", "new", "tests"}
JIT_KEY = "jit"
TESTS_FAILED = 1
"""Exit code of pytest when tests ran and one failed; any other is no proof of anything."""
HUNG = -1
PATIENCE_S = 600
"""For the tests of one fault; it may take a minute to compile what depends on it."""
SHOWN = 60


class FaultError(Exception):
    """A fault that cannot be planted as it is written."""


@dataclass(frozen=True)
class Fault:
    """One small mistake, and the tests that must notice it."""

    why: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    jit: bool = True
    """Whether the tests run on compiled kernels."""

    def planted(self, text: str) -> str:
        """Return the text of the file with the mistake in it."""
        found = text.count(self.old)
        if found != 1:
            raise FaultError(f"{self.file}: {self.old!r} is there {found} times, not once")
        if self.old == self.new:
            raise FaultError(f"{self.file}: {self.old!r} would stay as it is")
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Outcome:
    """What became of a fault."""

    fault: Fault
    word: str
    seconds: float

    @property
    def is_noticed(self) -> bool:
        """Whether a test failed because of it."""
        return self.word == "noticed"


def read_faults(files: Iterable[Path]) -> list[Fault]:
    """Read the faults of some TOML files; refuse one that is not described completely."""
    faults = []
    for file in sorted(files):
        for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("fault", []):
            if entry.keys() - {JIT_KEY} != KEYS or not entry["tests"]:
                raise FaultError(f"{file.name}: a fault has {', '.join(sorted(KEYS))}: {entry}")
            faults.append(Fault(**{**entry, "tests": tuple(entry["tests"])}))
    return faults


def copy_tree(root: Path, target: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=NOT_COPIED)
        elif source.is_file():
            shutil.copyfile(source, target / name)


def try_fault(fault: Fault, root: Path) -> Outcome:
    """Plant a fault in the tree at ``root``, run its tests, and take it out again."""
    path = root / fault.file
    began = time.monotonic()
    whole = path.read_text(encoding="utf-8")
    try:
        path.write_text(fault.planted(whole), encoding="utf-8")
        code = run_tests(fault.tests, root, jit=fault.jit)
    finally:
        path.write_text(whole, encoding="utf-8")
    words = {TESTS_FAILED: "noticed", 0: "LIVED", HUNG: "HUNG"}
    return Outcome(fault, words.get(code, f"pytest ended with {code}"), time.monotonic() - began)


def run_tests(
    tests: Sequence[str], root: Path, *, jit: bool = True, patience_s: float | None = PATIENCE_S
) -> int:
    """Run tests on the copy until one fails; return the exit code of pytest, or ``HUNG``."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",  # a fault and its cure may fall into the same second
        "CONNECTLAB_CACHE_DIR": str(root / ".kernels"),
        "NUMBA_DISABLE_JIT": str(int(not jit)),
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    silent = subprocess.DEVNULL
    try:
        return subprocess.run(
            command,
            cwd=root,
            env=environment,
            stdout=silent,
            stderr=silent,
            check=False,
            timeout=patience_s,
        ).returncode
    except subprocess.TimeoutExpired:
        return HUNG


def plant_all(faults: Sequence[Fault], root: Path) -> list[Outcome]:
    """Try every fault on a copy of the tree; all are looked for before the first is planted."""
    for fault in faults:
        fault.planted((root / fault.file).read_text(encoding="utf-8"))
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy_tree(root, Path(folder))

        @cache
        def passes(tests: tuple[str, ...], jit: bool) -> bool:
            return run_tests(tests, Path(folder), jit=jit, patience_s=None) == 0

        for fault in faults:
            # If not all tests pass, those of each fault are asked for themselves.
            sound = passes(_named(faults, fault.jit), fault.jit) or passes(fault.tests, fault.jit)
            outcomes.append(
                try_fault(fault, Path(folder)) if sound else Outcome(fault, "BROKEN TEST", 0.0)
            )
            print(describe(outcomes[-1]), flush=True)
    return outcomes


def _named(faults: Sequence[Fault], jit: bool) -> tuple[str, ...]:
    """Return each test once that is to run with or without compiled kernels."""
    return tuple(dict.fromkeys(test for f in faults if f.jit == jit for test in f.tests))


def describe(outcome: Outcome) -> str:
    """Return the line of a fault in the table."""
    file = outcome.fault.file.removeprefix("src/connectlab/")
    return f"{outcome.word:<8} {outcome.seconds:5.0f} s  {file:<28} {outcome.fault.why[:SHOWN]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant the faults of the rooms named, or of all; return 1 if one lived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", help="names of the TOML files, without ending")
    parser.add_argument("--only", default="", metavar="TEXT", help="a part of reason or file")
    given = parser.parse_args(arguments)
    files = [HERE / f"{room}.toml" for room in given.rooms] or list(HERE.glob("*.toml"))
    try:
        faults = [f for f in read_faults(files) if given.only in f.why or given.only in f.file]
        if not faults:
            raise FaultError(f"no fault speaks of {given.only!r}")
        outcomes = plant_all(faults, ROOT)
    except (FaultError, OSError) as error:
        print(f"faults: {error}", file=sys.stderr)
        return 2
    noticed = sum(outcome.is_noticed for outcome in outcomes)
    print(f"{noticed} of {len(outcomes)} faults were noticed")
    return 0 if noticed == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Data flows one way: an import of the package never points upward."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"

ORDER = [
    {"_cache", "_jit", "_lazy", "_machine_code", "errors", "settings"},
    {"storage"},
    {"game"},
    {"solver"},
    {"training"},
    {"agents"},
    {"arena"},
    {"lab"},
    {"integrations"},
    {"web", "cli", "__main__"},
]
RANKS = {name: rank for rank, names in enumerate(ORDER) for name in names}

FOREIGN = {"bitbully", "pyspiel", "open_spiel"}
"""Oracles of the tests and peers of the benchmarks: no part of the package may need them."""
GUESTS = {"pyspiel": "openspiel", "open_spiel": "openspiel"}
"""The folders where some of them are welcome, for those who have them installed."""

WEB = {"fastapi", "starlette", "uvicorn"}
"""Only the room ``web`` knows them."""

HEAVY = ("numba", "torch", "matplotlib", "scipy", "ray", "fastapi", "uvicorn", "playwright")


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything imported anywhere, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def complaints(sources: Path) -> list[str]:
    """List every import of the package under ``sources`` that the design forbids."""
    package = sources / "connectlab"
    return [
        f"{path.relative_to(sources)}:{line}: {complaint}"
        for path in sorted(package.rglob("*.py"))
        for line, name in imports(ast.parse(path.read_text(encoding="utf-8")))
        if (complaint := judge(path.relative_to(package).with_suffix("").parts, name))
    ]


def judge(place: tuple[str, ...], name: str) -> str | None:
    """Say what is wrong with the module at ``place``, below the package, importing ``name``."""
    parts, importer = name.split("."), place[0]
    if parts[0] in FOREIGN and GUESTS.get(parts[0]) not in place[:-1]:
        return f"{parts[0]} is for tests and benchmarks"
    if parts[0] in WEB and importer != "web":
        return f"{parts[0]} is for web"
    if parts[0] == "":
        return f"{name}: write the full name"
    if parts[0] != "connectlab" or parts[1] == "__version__":
        return None
    if importer not in RANKS:
        return f"{importer} has no place in the order"
    if parts[1] not in RANKS:
        return f"{name} has no place in the order"
    return f"{importer} imports {name}" if RANKS[parts[1]] > RANKS[importer] else None


def test_no_import_points_upward() -> None:
    assert complaints(SOURCES) == []


def test_the_package_is_really_walked() -> None:
    seen = [
        name
        for path in (SOURCES / "connectlab").rglob("*.py")
        for _, name in imports(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert "connectlab._jit.kernel" in seen
    assert "connectlab.game.geometry.Geometry" in seen


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("game/rules.py", "from connectlab.solver.solver import Solver", "game imports connectlab"),
        (
            "solver/a.py",
            "def f():\n    import connectlab.cli.main",
            "solver imports connectlab.cli",
        ),
        ("errors.py", "from connectlab import game", "errors imports connectlab.game"),
        ("agents/ntuple/agent.py", "import connectlab.arena", "agents imports connectlab.arena"),
        ("solver/book.py", "import bitbully", "bitbully is for tests"),
        ("agents/x.py", "from open_spiel.python import games", "open_spiel is for tests"),
        ("agents/openspiel.py", "import pyspiel", "pyspiel is for tests"),
        ("agents/openspiel/agent.py", "import bitbully", "bitbully is for tests"),
        ("lab/table.py", "from fastapi import FastAPI", "fastapi is for web"),
        ("cli/serve.py", "def f():\n    import uvicorn", "uvicorn is for web"),
        ("game/rules.py", "from . import geometry", "write the full name"),
        ("game/rules.py", "from ..cli import main", "write the full name"),
        ("game/rules.py", "import connectlab.attic", "connectlab.attic has no place"),
        ("attic/old.py", "import connectlab.game", "attic has no place"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, path: str, source: str, expected: str) -> None:
    module = tmp_path / "connectlab" / path
    module.parent.mkdir(parents=True)
    module.write_text(source)
    assert [expected in complaint for complaint in complaints(tmp_path)] == [True]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("solver/a.py", "from connectlab.game import Position\nimport numpy as np"),
        ("game/a.py", "from connectlab.game.geometry import Geometry"),
        ("solver/book.py", "import bitbully_databases"),
        (
            "cli/main.py",
            "def f():\n    from connectlab.web import app\n    import connectlab.arena",
        ),
        ("cli/version.py", "from connectlab import __version__"),
        ("agents/openspiel/agent.py", "import pyspiel"),
        ("web/app.py", "from fastapi import FastAPI\nimport uvicorn"),
    ],
)
def test_an_import_that_points_downward_is_fine(tmp_path: Path, path: str, source: str) -> None:
    module = tmp_path / "connectlab" / path
    module.parent.mkdir(parents=True)
    module.write_text(source)
    assert complaints(tmp_path) == []


def loaded_by(statement: str) -> set[str]:
    """Return which heavy libraries a fresh interpreter holds after a statement."""
    program = f"{statement}\nimport sys\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_command_line_starts_without_heavy_libraries() -> None:
    assert loaded_by("import connectlab.cli") == set()


def test_the_server_itself_loads_no_kernel() -> None:
    assert loaded_by("import connectlab.web.server") <= {"fastapi", "uvicorn"}


def test_a_worker_needs_nothing_of_the_web() -> None:
    asked = "import connectlab.web.workers.worker, connectlab.web.questions.table"
    assert not loaded_by(asked) & {"fastapi", "uvicorn", "torch"}


def test_a_heavy_library_would_be_noticed() -> None:
    assert "numba" in loaded_by("from connectlab.game import Position")

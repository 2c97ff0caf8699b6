"""Questions as Kaggle asks them, and what a submission answers in a process of its own."""

import json
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.random_lines import random_lines
from connectlab.integrations.kaggle import export

LOOP = Path(__file__).with_name("only_numpy.py")
PURSE_S = 6_000.0
"""A hundred times Kaggle's, so that no search is cut short on a busy machine."""


def some_positions(n: int, geometry: Geometry = STANDARD, *, seed: int = 1) -> list[Position]:
    """Return the empty board and positions of random games, none of them over."""
    batch = random_lines(8 * n, 1, geometry.cells - 1, geometry=geometry, seed=seed).batch
    assert len(batch) >= n - 1
    return [Position(geometry), *(batch.position(i) for i in range(n - 1))]


def question(position: Position, *, act_s: float = 0.0) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return observation and configuration; without seconds nothing is searched that need not be.

    The board is flat, row by row from the top; 1 is the first player, 2 the second.
    """
    board = position.geometry
    me = 1 + position.ply % 2
    cells = [
        _mark(position, board.cell(column, row), me)
        for row in reversed(range(board.rows))
        for column in range(board.columns)
    ]
    seen = {"board": cells, "mark": me, "step": position.ply, "remainingOverageTime": PURSE_S}
    rules = {"columns": board.columns, "rows": board.rows, "inarow": board.connect}
    return seen, {**rules, "actTimeout": act_s, "timeout": 2}


def _mark(position: Position, cell: int, me: int) -> int:
    if not position.occupied & cell:
        return 0
    return me if position.mover & cell else 3 - me


def answers_of(
    spec: str, positions: Iterable[Position], folder: Path, *, act_s: float = 0.0
) -> list[int]:
    """Export a player and return what its submission plays in a process of its own."""
    positions = list(positions)
    path = export(spec, folder / "submission.tar.gz", geometry=positions[0].geometry, force=True)
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    asked = {
        "path": str(folder / "main.py"),
        "questions": [question(p, act_s=act_s) for p in positions],
    }
    done = subprocess.run(
        [sys.executable, "-I", str(LOOP)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=folder.parent,
    )
    assert done.returncode == 0, done.stderr
    answers: list[int] = json.loads(done.stdout)
    return answers

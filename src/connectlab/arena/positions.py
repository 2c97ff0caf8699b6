"""Sets of solved positions, to measure how well an agent chooses in each part of the game.

Six classes, after the sets with which Pons measures his solver; on the standard board:

========== ===================== =============================================
stage      stones on the board   difficulty: plies to the end with perfect play
========== ===================== =============================================
begin      1 to 14               easy to 14, medium to 28, hard beyond
middle     15 to 28              easy to 14, medium beyond
end        29 and more           easy
========== ===================== =============================================

The plies include the one that ends the game. On other boards the limits lie at one and two thirds
of the cells. As in Pons's sets no position is over, won with the very next stone, or lost to the
one after whatever is played.

A file has a line for each position: the moves that lead to it, the score for the side to move and
the class; ``#`` begins a comment.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab.arena.threads import thread_count
from connectlab.errors import GameError, UserError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.random_lines import RandomLines, random_lines
from connectlab.game.streams import derive_seed
from connectlab.solver import Progress, Solver, distance_of
from connectlab.storage.files import write_text

STAGES = ("begin", "middle", "end")
DIFFICULTIES = ("easy", "medium", "hard")
CLASSES = (
    "begin-easy",
    "begin-medium",
    "begin-hard",
    "middle-easy",
    "middle-medium",
    "end-easy",
)

MAX_NODES = 5_000_000
"""Where the search for a candidate's score is given up: about a second on one core."""
MAX_UNSOLVED = 50
"""A stage is given up after this many candidates that took too many nodes."""
ROUND = 64
"""Candidates that are solved together."""
DRAWS = 256
"""Lines that are played together; most of those that should be long end too early."""
MIN_DRAWS = 20_000
DRAWS_EACH = 1_000
"""A stage is given up after this many lines for each position wanted in a class."""


class PositionSetError(UserError):
    """A file of positions that cannot be used, or a set that cannot be made."""


@dataclass(frozen=True, eq=False)
class PositionSet:
    """Solved positions; the three fields have one entry a position."""

    geometry: Geometry
    positions: tuple[Position, ...]
    scores: NDArray[np.int8]
    """Exact scores for the side to move."""
    classes: tuple[str, ...]

    def __post_init__(self) -> None:
        if not len(self.positions) == len(self.scores) == len(self.classes):
            raise PositionSetError("positions, scores and classes must be of one length")

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The classes that occur, the six of this module first."""
        found = list(dict.fromkeys(self.classes))
        return tuple(sorted(found, key=lambda name: (name not in CLASSES, _place(name))))

    @property
    def counts(self) -> dict[str, int]:
        """Number of positions of each class that occurs."""
        counts = Counter(self.classes)
        return {name: counts[name] for name in self.class_names}

    def batch(self, *, seed: int = 0) -> PositionBatch:
        """Return the positions as agents take them."""
        return PositionBatch.of(self.positions, seed=seed)

    def format(self) -> str:
        """Return the text of a file that ``read_position_set`` reads back."""
        head = f"# {self.geometry}: moves, score for the side to move, class"
        rows = zip(self.positions, self.scores, self.classes, strict=True)
        return "\n".join([head, *(f"{p.moves} {score} {name}" for p, score, name in rows), ""])

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        write_text(path, self.format())


def _place(name: str) -> int:
    return CLASSES.index(name) if name in CLASSES else len(CLASSES)


def stage_of(stones: int, geometry: Geometry) -> str:
    """Return "begin", "middle" or "end" for a number of stones."""
    return STAGES[_third(stones, geometry)]


def class_of(stones: int, score: int, geometry: Geometry) -> str:
    """Return the class of a position by its number of stones and its exact score."""
    distance = distance_of(score, stones, geometry)
    return f"{stage_of(stones, geometry)}-{DIFFICULTIES[_third(distance, geometry)]}"


def _third(count: int, geometry: Geometry) -> int:
    """Return 0, 1 or 2 for a count up to one third of the cells, up to two thirds, or above."""
    return (3 * count > geometry.cells) + (3 * count > 2 * geometry.cells)


def generate_positions(
    per_class: int,
    *,
    seed: int = 0,
    geometry: Geometry = STANDARD,
    solver: Solver | None = None,
    threads: int | None = None,
    max_nodes: int | None = MAX_NODES,
    progress: Progress | None = None,
) -> PositionSet:
    """Make ``per_class`` different positions of each class by random play, and solve them.

    Each candidate is a game of random moves, cut at a number of stones drawn from the stage. One
    whose score takes more than ``max_nodes`` nodes is left out; with the opening book of the
    standard board none is. A class stays short when candidates run out, as on boards too small
    to have such positions, so look at ``PositionSet.counts``.
    """
    if per_class < 1:
        raise PositionSetError(f"per_class must be 1 or more, not {per_class}")
    chosen = Solver(geometry) if solver is None else solver
    if chosen.geometry != geometry:
        raise PositionSetError(f"the solver is for {chosen.geometry}, the set for {geometry}")
    total = per_class * len(CLASSES)
    found: dict[str, list[_Solved]] = {name: [] for name in CLASSES}
    report = progress or (lambda done, total: None)
    report(0, total)
    for stage in STAGES:
        for solved in _candidates(stage, per_class, seed, chosen, thread_count(threads), max_nodes):
            if len(found[solved.name]) < per_class:
                found[solved.name].append(solved)
                report(sum(map(len, found.values())), total)
            if all(len(found[n]) == per_class for n in CLASSES if n.startswith(stage)):
                break
    report(total, total)
    rows = [solved for name in CLASSES for solved in found[name]]
    return PositionSet(
        geometry,
        tuple(Position.from_moves(row.moves, geometry) for row in rows),
        np.array([row.score for row in rows], dtype=np.int8),
        tuple(row.name for row in rows),
    )


class _Solved(NamedTuple):
    moves: tuple[int, ...]
    score: int
    name: str


def _candidates(
    stage: str, per_class: int, seed: int, solver: Solver, threads: int, max_nodes: int | None
) -> Iterator[_Solved]:
    """Yield different solved positions of a stage until the candidates or our patience run out."""
    unsolved = 0
    for lines in _fresh_lines(stage, per_class, seed, solver.geometry):
        solved, unknown = _solve(lines, solver, threads, max_nodes)
        yield from solved
        unsolved += unknown
        if unsolved > MAX_UNSOLVED:
            return


def _fresh_lines(
    stage: str, per_class: int, seed: int, geometry: Geometry
) -> Iterator[RandomLines]:
    """Yield random lines that end in a stage, each in another position, some at a time."""
    lengths = [n for n in range(1, geometry.cells) if stage_of(n, geometry) == stage]
    if not lengths:
        return
    stage_seed = derive_seed(seed, STAGES.index(stage))
    seen: set[int] = set()
    for start in range(0, max(MIN_DRAWS, DRAWS_EACH * per_class), DRAWS):
        lines = random_lines(
            DRAWS, lengths[0], lengths[-1], geometry=geometry, seed=stage_seed, start=start
        )
        fresh = []
        for i, key in enumerate(lines.batch.keys.tolist()):
            if key not in seen:
                seen.add(key)
                fresh.append(i)
        for begin in range(0, len(fresh), ROUND):
            some = fresh[begin : begin + ROUND]
            yield RandomLines(tuple(lines.moves[i] for i in some), lines.batch[np.array(some)])


def _solve(
    lines: RandomLines, solver: Solver, threads: int, max_nodes: int | None
) -> tuple[list[_Solved], int]:
    """Solve candidates; return those that belong into a set, and how many stayed unknown."""
    found = solver.solve_many(lines.batch, threads=threads, max_nodes=max_nodes)
    solved = [
        _Solved(moves, int(score), class_of(len(moves), int(score), solver.geometry))
        for moves, score, known in zip(lines.moves, found.scores, found.known, strict=True)
        if known and not _is_decided(len(moves), int(score), solver.geometry)
    ]
    return solved, int((~found.known).sum())


def _is_decided(stones: int, score: int, geometry: Geometry) -> bool:
    """Whether the next stone wins, or the one after it whatever is played."""
    return score != 0 and distance_of(score, stones, geometry) <= 2


def read_position_set(
    path: Path,
    geometry: Geometry = STANDARD,
    *,
    solver: Solver | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> PositionSet:
    """Read lines of "moves score class"; a missing score is solved, a missing class follows it.

    The first line that cannot be used is refused with its number. Scores that are given are
    believed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PositionSetError(f"cannot read the positions in {path}: {error}") from None
    rows = [_parse(path, number, words, geometry) for number, words in _words(text)]
    if not rows:
        raise PositionSetError(f'{path} holds no positions: write lines of "moves score class"')
    positions = tuple(row.position for row in rows)
    scores = _fill_scores(rows, geometry, solver, thread_count(threads), progress)
    classes = tuple(
        row.name or class_of(row.position.ply, int(score), geometry)
        for row, score in zip(rows, scores, strict=True)
    )
    return PositionSet(geometry, positions, scores, classes)


class _Row(NamedTuple):
    position: Position
    score: int | None
    name: str | None


def _words(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the words of every line that has any."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            yield number, words


def _parse(path: Path, number: int, words: list[str], geometry: Geometry) -> _Row:
    try:
        if len(words) > 3:
            raise PositionSetError(f"{len(words)} words: write the moves, the score and the class")
        position = Position.from_moves(words[0], geometry)
        if position.is_over:
            raise PositionSetError("the game is over, so there is no move to choose")
        score = _parse_score(words[1], geometry) if len(words) > 1 else None
    except (GameError, PositionSetError) as error:
        raise PositionSetError(f"{path}, line {number}: {error}") from None
    return _Row(position, score, words[2] if len(words) > 2 else None)


def _parse_score(word: str, geometry: Geometry) -> int:
    most = geometry.cells // 2
    try:
        score = int(word)
    except ValueError:
        raise PositionSetError(f"the score must be a whole number, not {word!r}") from None
    if abs(score) > most:
        raise PositionSetError(f"the score must lie from {-most} to {most}, not at {score}")
    return score


def _fill_scores(
    rows: list[_Row],
    geometry: Geometry,
    solver: Solver | None,
    threads: int,
    progress: Progress | None,
) -> NDArray[np.int8]:
    """Return all scores; solve the positions that came without one."""
    scores = [row.score for row in rows]
    missing = [i for i, score in enumerate(scores) if score is None]
    filled = np.array([score or 0 for score in scores], dtype=np.int8)
    if missing:
        positions = [row.position for row in rows]
        batch = PositionBatch.of(positions[i] for i in missing)
        chosen = Solver(geometry) if solver is None else solver
        filled[missing] = chosen.solve_many(batch, threads=threads, progress=progress).scores
    return filled

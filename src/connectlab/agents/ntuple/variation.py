"""A set of tuples varied a little: some dropped, replaced, moved or added, all by one seed.

What a set is worth is found out by changing it: with K tuples exchanged for fresh ones a set is a
neighbour of the old one, with each tuple a cell aside it is a nearer one. Changes come in this
order, whatever the order in which they are asked for: tuples are shortened, doubles go; then some
are dropped, others replaced, others moved, none of them twice; then some are added and the mirror
images of all. A fresh tuple sees other cells than every tuple of the old set and the new one.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.tuples import (
    CREATORS,
    Tuples,
    check_tuples,
    mirrored,
    random_path,
)
from connectlab.agents.settings import AgentError
from connectlab.agents.spec import suggest
from connectlab.game.geometry import Geometry

Kind = Literal["double", "shortened", "dropped", "replaced", "moved", "added", "reflected"]

Creator = Callable[[np.random.Generator, Geometry, int], tuple[Cell, ...] | None]

FRESH: dict[str, Creator] = {**CREATORS, "path": random_path}
"""How a single tuple is drawn; a draw may come to nothing."""
MOST_TRIES = 1_000
"""Draws for one fresh tuple before it is said that there is no other."""

_NEIGHBOURS = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]


@dataclass(frozen=True)
class Wish:
    """What is to become of a set."""

    distinct: bool = False
    """Remove each tuple that sees the same cells as an earlier one."""
    shorten: int | None = None
    """Cut tuples to their first so many cells."""
    drop: int = 0
    replace: int = 0
    """Exchange so many for fresh ones of the same length."""
    move: int = 0
    """Exchange one cell of so many tuples for one of its neighbours."""
    add: int = 0
    unfold: bool = False
    """Add the mirror image of each tuple that has none in the set."""
    creation: str = "walk"
    """How fresh tuples are made."""
    length: int | None = None
    """Cells of an added tuple; None for the length that most tuples of the set have."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        asked = self.drop, self.replace, self.move, self.add, self.distinct, self.unfold
        return not any(asked) and self.shorten is None


@dataclass(frozen=True)
class Change:
    """What became of one tuple."""

    kind: Kind
    before: int | None
    """Its number in the old set, from 1; None for one that was added."""
    after: int | None
    """Its number in the new set, from 1; None for one that is gone."""


@dataclass(frozen=True)
class Varied:
    """A new set, and how it differs from the old one."""

    tuples: Tuples
    changes: tuple[Change, ...]


@dataclass
class _Piece:
    """A tuple on its way from the old set to the new one."""

    cells: tuple[Cell, ...]
    before: int | None
    kinds: list[Kind]
    gone: bool = False


def vary_tuples(
    tuples: Tuples, geometry: Geometry, wish: Wish, seed: int, *, mirror: bool = True
) -> Varied:
    """Return a set with these changes; the same seed makes the same one.

    With ``mirror``, for a network that reads every tuple in the mirrored board too, a mirror image
    sees the same as its tuple.
    """
    check_tuples(tuples, geometry)
    rng = np.random.default_rng(seed)
    work = _Work(tuples, geometry, _creator(wish.creation), rng, mirror=mirror)
    if wish.shorten is not None:
        work.shorten(wish.shorten)
    if wish.distinct:
        work.remove_doubles()
    dropped, replaced, moved = work.choose(wish.drop, wish.replace, wish.move)
    for piece in dropped:
        work.mark(piece, "dropped", gone=True)
    for piece in replaced:
        work.exchange(piece, work.fresh(len(piece.cells)), "replaced")
    for piece in moved:
        work.move(piece)
    work.add(wish.add, wish.length)
    if wish.unfold:
        work.unfold()
    return work.result()


def _creator(kind: str) -> Creator:
    if kind not in FRESH:
        raise AgentError(f"no tuple is made by {kind!r}{suggest(kind, list(FRESH))}")
    return FRESH[kind]


class _Work:
    """A set that is being varied."""

    def __init__(
        self,
        tuples: Tuples,
        geometry: Geometry,
        create: Creator,
        rng: np.random.Generator,
        *,
        mirror: bool,
    ) -> None:
        self._pieces = [_Piece(cells, number, []) for number, cells in enumerate(tuples, start=1)]
        self._geometry = geometry
        self._create = create
        self._rng = rng
        self._mirror = mirror
        self._known = {view for cells in tuples for view in self._views(cells)}
        """What the tuples of the old set and the new one see."""

    @property
    def _left(self) -> list[_Piece]:
        return [piece for piece in self._pieces if not piece.gone]

    def _views(self, cells: tuple[Cell, ...]) -> set[frozenset[Cell]]:
        """Return which cells a tuple sees, whatever their order."""
        own = frozenset(cells)
        return {own, mirrored(cells, self._geometry)} if self._mirror else {own}

    def mark(self, piece: _Piece, kind: Kind, *, gone: bool = False) -> None:
        """Note what became of a tuple."""
        piece.kinds.append(kind)
        piece.gone = gone

    def exchange(self, piece: _Piece, cells: tuple[Cell, ...], kind: Kind) -> None:
        """Let a tuple look at other cells."""
        piece.cells = cells
        self._known |= self._views(cells)
        self.mark(piece, kind)

    def remove_doubles(self) -> None:
        """Remove each tuple that sees the same cells as an earlier one."""
        seen: set[frozenset[Cell]] = set()
        for piece in self._left:
            if frozenset(piece.cells) in seen:
                self.mark(piece, "double", gone=True)
            seen |= self._views(piece.cells)

    def shorten(self, length: int) -> None:
        """Cut every tuple to its first cells."""
        for piece in self._left:
            if len(piece.cells) > length:
                self.exchange(piece, piece.cells[:length], "shortened")

    def choose(self, *counts: int) -> list[list[_Piece]]:
        """Draw tuples by lot for each purpose, none for two."""
        left = self._left
        if sum(counts) > len(left):
            raise AgentError(
                f"{sum(counts)} tuples were to be dropped, replaced or moved, each but once, and "
                f"there are {len(left)}"
            )
        drawn = self._rng.permutation(len(left))[: sum(counts)].tolist()
        ends = np.cumsum(counts).tolist()
        shares = zip([0, *ends], ends, strict=False)
        return [[left[i] for i in sorted(drawn[start:end])] for start, end in shares]

    def fresh(self, length: int) -> tuple[Cell, ...]:
        """Draw a tuple that sees other cells than all there are and were."""
        if length > self._geometry.cells:
            raise AgentError(f"a tuple of {length} cells does not fit on a {self._geometry} board")
        for _ in range(MOST_TRIES):
            cells = self._create(self._rng, self._geometry, length)
            if cells is not None and frozenset(cells) not in self._known:
                return cells
        raise AgentError(
            f"{MOST_TRIES:,} draws brought no tuple of {length} cells that the set does not have"
        )

    def move(self, piece: _Piece) -> None:
        """Exchange one cell of a tuple for a neighbour of it, in its place of the order."""
        ways = [
            (*piece.cells[:place], aside, *piece.cells[place + 1 :])
            for place, cell in enumerate(piece.cells)
            for aside in self._around(cell)
            if aside not in piece.cells
        ]
        ways = [cells for cells in ways if frozenset(cells) not in self._known]
        if not ways:
            raise AgentError(f"no cell of tuple {piece.before} can be moved to a new place")
        self.exchange(piece, ways[int(self._rng.integers(len(ways)))], "moved")

    def _around(self, cell: Cell) -> list[Cell]:
        near = [(cell[0] + dc, cell[1] + dr) for dc, dr in _NEIGHBOURS]
        columns, rows = range(self._geometry.columns), range(self._geometry.rows)
        return [(column, row) for column, row in near if column in columns and row in rows]

    def add(self, count: int, length: int | None) -> None:
        """Add fresh tuples at the end."""
        lengths = Counter(len(piece.cells) for piece in self._left or self._pieces)
        usual = max(lengths, key=lambda each: (lengths[each], each))
        for _ in range(count):
            piece = _Piece((), None, [])
            self.exchange(piece, self.fresh(length or usual), "added")
            self._pieces.append(piece)

    def unfold(self) -> None:
        """Add the mirror image of each tuple that has none, cell by cell in the same order."""
        last = self._geometry.columns - 1
        for piece in self._left:
            there = {frozenset(other.cells) for other in self._left}
            if mirrored(piece.cells, self._geometry) not in there:
                image = tuple((last - column, row) for column, row in piece.cells)
                self._pieces.append(_Piece(image, None, ["reflected"]))

    def result(self) -> Varied:
        """Return the new set, checked, with all changes by their place in the old and the new."""
        left = self._left
        tuples = tuple(piece.cells for piece in left)
        check_tuples(tuples, self._geometry)
        places = {id(piece): number for number, piece in enumerate(left, start=1)}
        changes = (
            Change(kind, piece.before, places.get(id(piece)))
            for piece in self._pieces
            for kind in piece.kinds
        )
        return Varied(tuples, tuple(changes))

"""Sets of n-tuples: files of them, where they come from, what they cover.

Cells are pairs of column and row that both count from 0 at the bottom left, as in a tuple file.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from connectlab.agents.ntuple.config import LONGEST_TUPLE, MOST_TUPLES
from connectlab.agents.ntuple.tuples import Tuples
from connectlab.web.models.position import Board, Model, SpecText

Place: TypeAlias = Annotated[int, Field(ge=0, le=63)]
CellPair: TypeAlias = Annotated[list[Place], Field(min_length=2, max_length=2, examples=[[3, 0]])]
TupleCells: TypeAlias = Annotated[list[CellPair], Field(max_length=64)]
TupleSet: TypeAlias = Annotated[
    list[TupleCells], Field(max_length=MOST_TUPLES, examples=[[[[0, 0], [1, 1], [2, 2], [3, 3]]]])
]
FileName: TypeAlias = Annotated[str, Field(min_length=1, max_length=60, examples=["mine"])]


class TuplesOut(Model):
    """A set of tuples."""

    tuples: TupleSet


class TupleFileOut(Model):
    """A tuple file in the list of all."""

    name: str
    path: str
    """What a learner takes as its tuple_file."""
    tuples: int
    longest: int
    """Cells of its longest tuple."""
    columns: int
    """Columns that a board must have at least."""
    rows: int
    problem: str | None
    """Why it cannot be used; null if it can."""


class TupleFilesOut(Model):
    """All tuple files, by name."""

    files: list[TupleFileOut]


class TupleFileIn(Model):
    """A set to be kept, for a board."""

    board: Board = Board()
    tuples: TupleSet


class DrawIn(Model):
    """How a set is to be drawn by lot."""

    board: Board = Board()
    creation: Literal["cover", "cover-any", "walk", "path", "snake", "sample"] = "cover"
    """Random walks, paths, snakes or samples; walks that cover every line, all different or not."""
    tuples: int = Field(default=70, ge=1, le=500)
    length: int = Field(default=8, ge=1, le=LONGEST_TUPLE)
    seed: int = Field(default=1, ge=0, lt=2**63)
    """The same seed draws the same set."""


class TuplesOfIn(Model):
    """A player whose tuples are wanted."""

    player: SpecText
    board: Board = Board()


class NetworkIn(Model):
    """The settings of a run of n-tuple learning."""

    settings: dict[str, JsonValue]


class NetworkOut(Model):
    """What a network needs."""

    weights: float


class CoverageIn(Model):
    """A set, finished or not, and the network it is for."""

    board: Board = Board()
    tuples: TupleSet
    states: Literal[3, 4] = 4
    """What a cell tells: empty, first and second, or also which empty cells can be reached."""
    tables: Literal[1, 2] = 2
    mirror: bool = True


class CoverageOut(Model):
    """What a set of tuples covers."""

    cells: list[list[int]]
    """How many tuples look at each cell: by column, then by row from the bottom."""
    lines: int
    """Winning lines of the board."""
    seen: int
    """Lines that some tuple or its mirror image sees whole."""
    unseen: list[TupleCells]
    """The others."""
    duplicates: list[list[int]]
    """Numbers from 1: a tuple, and an earlier one that sees the same cells or their mirror
    image."""
    states: list[float]
    """Of each tuple the states that can occur."""
    weights: float
    """Weights that training will need."""
    problem: str | None
    """Why no network can be made of the set; null if one can."""


def as_tuples(listed: Sequence[Sequence[Sequence[int]]]) -> Tuples:
    """Return what a request lists as the house has it."""
    return tuple(tuple((column, row) for column, row in cells) for cells in listed)


def tuples_out(tuples: Tuples) -> TuplesOut:
    """Return a set as an answer lists it."""
    return TuplesOut(tuples=[[list(cell) for cell in cells] for cells in tuples])

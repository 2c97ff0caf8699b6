"""A position as the page sends it: the whole game so far, so that any worker can answer."""

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

MOST_MOVES = 20_000
"""Letters of a game with falling rows: as many moves as it can have, and a fall after each."""

ColumnName: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=1, pattern=r"^[1-9a-w]$", examples=["4"])
]
"""A column as people type it: 1 to 9, then a to w."""
SpecText: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=500, examples=["ntuple:champion"])
]
"""A player by its spec string."""


class Model(BaseModel):
    """The ground of all requests and answers: frozen, strict, documented."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )


class Board(Model):
    """The size of a board, and how the game differs from the plain one."""

    columns: int = Field(default=7, ge=1, le=32)
    rows: int = Field(default=6, ge=1, le=63)
    connect: int = Field(default=4, ge=3, le=64)
    variant: str = Field(default="", max_length=80, examples=["", "slip:0.1"])
    """Parts such as slip:0.1, drop-row:0.05 and counts, with + between; blank is the plain game."""


class PositionIn(Board):
    """A position by the moves that led to it, with the lots of its game."""

    start_drawing: str | None = Field(default=None, max_length=1_000)
    """The board on which the game began, in X, O and dots; null for the empty one."""
    moves: str = Field(default="", max_length=MOST_MOVES, examples=["4453"])
    """The moves from there on, 1-based; "_" after a move with which the bottom row fell."""
    seed: int = Field(default=0, ge=0, lt=2**63)
    """Seed of the lots."""
    game: int = Field(default=0, ge=0, lt=2**62)
    """Number of the game among those of its seed; both together give the lots."""

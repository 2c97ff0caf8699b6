"""One position of a game, for people: immutable, checked, and easy to read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from connectlab.errors import GameError
from connectlab.game import bitboard, chance
from connectlab.game.geometry import STANDARD, Geometry
from connectlab.game.notation import (
    FALL,
    column_name,
    format_drawing,
    format_moves,
    kaggle_to_stones,
    no_column,
    parse_array,
    parse_drawing,
    parse_moves,
    stones_to_array,
    stones_to_kaggle,
)
from connectlab.game.soundness import check_counts, check_stones, name_cell
from connectlab.game.variants import DROP_ROW, LONGEST_GAME


class Outcome(IntEnum):
    """How a game stands. The numbers are those of ``PositionBatch.outcomes``."""

    ONGOING = bitboard.ONGOING
    FIRST_WINS = bitboard.FIRST_WINS
    SECOND_WINS = bitboard.SECOND_WINS
    DRAW = bitboard.DRAW

    @property
    def first_player_value(self) -> int:
        """1, 0 or -1 for a win, draw or loss of the first player; 0 while the game goes on."""
        return {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1}.get(self, 0)

    @property
    def mirrored(self) -> "Outcome":
        """The same with the players exchanged."""
        other = {Outcome.FIRST_WINS: Outcome.SECOND_WINS, Outcome.SECOND_WINS: Outcome.FIRST_WINS}
        return other.get(self, self)


@dataclass(frozen=True, repr=False)
class Position:
    """A position: who has stones where, on which board, and (if known) by which moves.

    ``mover`` are the stones of the side to move and ``occupied`` those of both, as bits (see
    :mod:`connectlab.game.geometry`). Positions with equal stones, and as many fallen ones, are
    equal, whatever their history.

    In a variant with chance a position is still exact: ``play`` puts a stone where it came to rest,
    ``fall`` drops the bottom row, and ``attempt`` lets the chances of a game decide on both.
    """

    geometry: Geometry = STANDARD
    mover: int = 0
    occupied: int = 0
    history: tuple[int, ...] | None = field(default=None, compare=False)
    """The columns where stones landed so far, 0-based, and -1 where the bottom row fell after one;
    None when the position was not reached by moves."""
    fallen: int = 0
    """Stones that have left the board with fallen rows."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mover", int(self.mover))
        object.__setattr__(self, "occupied", int(self.occupied))
        if self.occupied == 0 and self.history is None and self.fallen == 0:
            object.__setattr__(self, "history", ())
        check_stones(self.geometry, self.mover, self.occupied, self.fallen)
        if self.history is not None and self != Position.from_moves(self.history, self.geometry):
            raise GameError(f"the moves {self.moves} lead to other stones than those given")

    @classmethod
    def _unchecked(
        cls,
        geometry: Geometry,
        mover: int,
        occupied: int,
        history: tuple[int, ...] | None,
        fallen: int = 0,
    ) -> "Position":
        position = object.__new__(cls)
        for name, value in (
            ("geometry", geometry),
            ("mover", mover),
            ("occupied", occupied),
            ("history", history),
            ("fallen", fallen),
        ):
            object.__setattr__(position, name, value)
        return position

    @classmethod
    def from_moves(cls, moves: str | Iterable[int], geometry: Geometry = STANDARD) -> "Position":
        """Play moves from the empty board: a string such as "4453", or 0-based columns.

        Where rows fall, "_" or -1 after a move tells that one did.
        """
        columns = parse_moves(moves, geometry) if isinstance(moves, str) else tuple(moves)
        position = cls._unchecked(geometry, 0, 0, ())
        falls = geometry.variant.drop_row > 0
        for number, column in enumerate(columns, start=1):
            try:
                position = position.fall() if falls and column == FALL else position.play(column)
            except GameError as error:
                raise GameError(f"move {number}: {error}") from None
        return position

    @classmethod
    def from_drawing(cls, text: str, connect: int = STANDARD.connect) -> "Position":
        """Read a drawing as :meth:`drawing` makes it; its size is the board's."""
        geometry, first, second = parse_drawing(text, connect)
        return cls.from_stones(first, second, geometry)

    @classmethod
    def from_stones(cls, first: int, second: int, geometry: Geometry = STANDARD) -> "Position":
        """Build a position from the stones of the first and of the second player."""
        if first & second:
            raise GameError(f"{name_cell(first & second, geometry)} holds stones of both sides")
        check_counts(first.bit_count(), second.bit_count())
        first_moves = first.bit_count() == second.bit_count()
        return cls(geometry, first if first_moves else second, first | second)

    @classmethod
    def from_array(cls, array: ArrayLike, connect: int = STANDARD.connect) -> "Position":
        """Read a 2-D array, top row first, of 0/1/-1 or 0/1/2; its shape is the board's."""
        geometry, first, second = parse_array(array, connect)
        return cls.from_stones(first, second, geometry)

    @classmethod
    def from_kaggle(cls, board: Sequence[int], geometry: Geometry = STANDARD) -> "Position":
        """Read the flat list of 0, 1 and 2 that Kaggle's ConnectX hands to its agents."""
        return cls.from_stones(*kaggle_to_stones(board, geometry), geometry)

    @property
    def ply(self) -> int:
        """Number of stones on the board."""
        return self.occupied.bit_count()

    @property
    def n_moves(self) -> int:
        """Number of moves made: the stones on the board and the fallen ones."""
        return self.ply + self.fallen

    @property
    def first_to_move(self) -> bool:
        """Whether the first player is the side to move."""
        return self.n_moves % 2 == 0

    @property
    def opponent(self) -> int:
        """Stones of the side that moved last."""
        return self.mover ^ self.occupied

    @property
    def first_stones(self) -> int:
        """Stones of the first player."""
        return self.mover if self.first_to_move else self.opponent

    @property
    def second_stones(self) -> int:
        """Stones of the second player."""
        return self.opponent if self.first_to_move else self.mover

    @property
    def outcome(self) -> Outcome:
        """How the game stands."""
        stands = Outcome(bitboard.outcome_of(self.mover, self.occupied, self.geometry.shape))
        if stands is Outcome.ONGOING and self.n_moves >= LONGEST_GAME:
            return Outcome.DRAW
        return stands.mirrored if self.fallen % 2 else stands

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not Outcome.ONGOING

    @property
    def legal_columns(self) -> tuple[int, ...]:
        """The columns that can be played, 0-based; none once the game is over."""
        if self.is_over:
            return ()
        return tuple(c for c in range(self.geometry.columns) if not self._is_full(c))

    @property
    def winning_line(self) -> tuple[tuple[int, int], ...]:
        """The (column, row) cells of all winning lines, 0-based from the bottom left."""
        cells = bitboard.line_cells(self.opponent, self.geometry.shape)
        return tuple(
            (column, row)
            for column in range(self.geometry.columns)
            for row in range(self.geometry.rows)
            if cells & self.geometry.cell(column, row)
        )

    def holds(self, column: int, row: int) -> str | None:
        """Return "first" or "second" for the stone on a cell, 0-based from the bottom left."""
        cell = self.geometry.cell(column, row)
        if not self.occupied & cell:
            return None
        return "first" if self.first_stones & cell else "second"

    @property
    def moves(self) -> str:
        """The history as a move string such as "4453"."""
        if self.history is None:
            raise GameError("this position was not reached by moves, so it has no move string")
        return format_moves(self.history, self.geometry)

    def play(self, column: int) -> "Position":
        """Return the position after a stone of the side to move falls into ``column``."""
        self._check_playable(column)
        history = None if self.history is None else (*self.history, int(column))
        mover, occupied, _ = bitboard.step(
            self.mover, self.occupied, int(column), self.geometry.shape
        )
        return self._unchecked(self.geometry, int(mover), int(occupied), history, self.fallen)

    def fall(self) -> "Position":
        """Return the position after the bottom row has fallen out, once after a move at most."""
        self._check_fall()
        history = None if self.history is None else (*self.history, FALL)
        mover, occupied = (
            int(chance.drop_bottom(bits, self.geometry.shape))
            for bits in (self.mover, self.occupied)
        )
        gone = self.ply - occupied.bit_count()
        return self._unchecked(self.geometry, mover, occupied, history, self.fallen + gone)

    def attempt(self, column: int, *, stream: int = 0) -> "Position":
        """Return the position after the side to move chose ``column`` in the game of this stream.

        Where stones slip or rows fall, the chances of that game decide where the stone lands and if
        a row falls; in all other games this is ``play``.
        """
        landed, fell = self.chances(column, stream=stream)
        after = self.play(landed)
        return after.fall() if fell else after

    def chances(self, column: int, *, stream: int = 0) -> tuple[int, bool]:
        """Return where a stone lands that is meant for ``column``, and if a row falls then."""
        self._check_playable(column)
        state = chance.chance_state(self.stream_now(stream), self.ply)
        *_, landed, fell = chance.chance_move(
            self.mover,
            self.occupied,
            int(column),
            state,
            self.geometry.shape,
            self.geometry.variant.odds,
        )
        return int(landed), bool(fell)

    @property
    def row_fell(self) -> bool:
        """Whether the bottom row fell after the last move."""
        return self.history is not None and self.history[-1:] == (FALL,)

    @property
    def last_column(self) -> int | None:
        """Where the last stone landed; None if there was none or it is not known."""
        if not self.history:
            return None
        return self.history[-2] if self.row_fell else self.history[-1]

    def stream_now(self, stream: int) -> int:
        """Return what has become of the stream of a game, which moves on with every fallen row."""
        for _ in range((self.history or ()).count(FALL)):
            stream = int(chance.next_stream(stream % 2**64))
        return stream

    def undo(self) -> "Position":
        """Return the position before the last move, and before the row fell that fell after it."""
        if not self.history:
            raise GameError("there is no move to take back")
        return Position.from_moves(self.history[: -2 if self.row_fell else -1], self.geometry)

    def mirror(self) -> "Position":
        """Return the position with left and right exchanged."""
        last = self.geometry.columns - 1
        history = (
            None
            if self.history is None
            else tuple(c if c == FALL else last - c for c in self.history)
        )
        mover, occupied = (
            int(bitboard.mirror(bits, self.geometry.shape)) for bits in (self.mover, self.occupied)
        )
        return self._unchecked(self.geometry, mover, occupied, history, self.fallen)

    def drawing(self) -> str:
        """Draw the board: X for the first player, O for the second, columns named below."""
        return format_drawing(self.geometry, self.first_stones, self.second_stones)

    def _is_full(self, column: int) -> bool:
        return bool(self.occupied & self.geometry.cell(column, self.geometry.rows - 1))

    def _check_playable(self, column: int) -> None:
        whole = isinstance(column, int | np.integer) and not isinstance(column, bool)
        if not whole or not 0 <= column < self.geometry.columns:
            name = str(int(column) + 1) if whole else repr(column)
            raise GameError(no_column(name, self.geometry))
        if self.is_over:
            raise GameError(f"the game is over ({self.outcome.name.replace('_', ' ').lower()})")
        if self._is_full(int(column)):
            raise GameError(f"column {column_name(column, self.geometry)} is full")

    def _check_fall(self) -> None:
        if not self.geometry.variant.drop_row:
            raise GameError(f"no row can fall on {self.geometry}: that is the variant {DROP_ROW}")
        if self.occupied == 0 or self.row_fell:
            raise GameError("a row falls after a move, and not twice")
        if bitboard.has_line(self.opponent, self.geometry.shape):
            raise GameError("no row falls after the move that wins")

    def __str__(self) -> str:
        return self.drawing()

    def __repr__(self) -> str:
        board = "" if self.geometry == STANDARD else f", {self.geometry!r}"
        if self.history is not None:
            return f"Position.from_moves({self.moves!r}{board})"
        fallen = f", fallen={self.fallen}" if self.fallen else ""
        stones = f"mover={self.mover:#x}, occupied={self.occupied:#x}{fallen}"
        return f"Position({self.geometry!r}, {stones})"

    def to_array(self, *, signed: bool = True) -> "np.ndarray[tuple[int, int], np.dtype[np.int8]]":
        """Return int8[rows, columns], top row first: 0 empty, 1 first, and -1 (or 2) second."""
        return stones_to_array(
            self.geometry, self.first_stones, self.second_stones, -1 if signed else 2
        )

    def to_kaggle(self) -> list[int]:
        """Return the flat list of 0, 1 and 2 that Kaggle's ConnectX uses."""
        return stones_to_kaggle(self.geometry, self.first_stones, self.second_stones)

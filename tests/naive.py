"""Slow, obviously right versions of the rules: a grid of lists and sets of (column, row) cells.

Nothing here is shared with the package but the names of things. Row 0 is at the bottom, players are
1 and 2, an empty cell is 0.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

Cell = tuple[int, int]
Number = Fraction | float
Chance = tuple[Fraction, "NaiveGame"]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@cache
def all_lines(columns: int, rows: int, connect: int) -> list[list[Cell]]:
    """Every row of ``connect`` cells that fits on the board."""
    lines = []
    for column in range(columns):
        for row in range(rows):
            for right, up in DIRECTIONS:
                line = [(column + i * right, row + i * up) for i in range(min(connect, 64))]
                if all(0 <= c < columns and 0 <= r < rows for c, r in line):
                    lines.append(line)
    return lines


def line_cells(stones: set[Cell], columns: int, rows: int, connect: int) -> set[Cell]:
    """The stones that are part of a finished line."""
    lines = all_lines(columns, rows, connect)
    return {cell for line in lines if stones.issuperset(line) for cell in line}


def winning_cells(
    stones: set[Cell], others: set[Cell], columns: int, rows: int, connect: int
) -> set[Cell]:
    """The empty cells, reachable or not, where one more stone finishes a line."""
    return {
        cell
        for line in all_lines(columns, rows, connect)
        for cell in line
        if cell not in stones | others and (stones | {cell}).issuperset(line)
    }


@dataclass
class NaiveGame:
    """A game of Connect-N; ``grid[row][column]`` holds 0, 1 or 2."""

    columns: int
    rows: int
    connect: int
    history: list[int] = field(default_factory=list)
    grid: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.grid = [[0] * self.columns for _ in range(self.rows)]
        moves, self.history = self.history, []
        for column in moves:
            self.play(column)

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return 1 if len(self.history) % 2 == 0 else 2

    def height(self, column: int) -> int:
        return sum(1 for row in self.grid if row[column] != 0)

    def play(self, column: int) -> None:
        assert column in self.legal_columns(), f"column {column} after {self.history}"
        self.grid[self.height(column)][column] = self.player
        self.history.append(column)

    def slip(self, column: int, side: int) -> int:
        """Where a stone lands that slips from a column to the left (-1) or right (1)."""
        there = [c for c in range(self.columns) if self.height(c) < self.rows]
        return column + side if column + side in there else column

    def fall(self) -> None:
        """Take the bottom row out, so that everything above sinks by one."""
        self.grid = [*self.grid[1:], [0] * self.columns]

    def legal_columns(self) -> list[int]:
        if self.winner() != 0:
            return []
        return [column for column in range(self.columns) if self.height(column) < self.rows]

    def stones(self, player: int) -> set[Cell]:
        return {
            (column, row)
            for row in range(self.rows)
            for column in range(self.columns)
            if self.grid[row][column] == player
        }

    def winner(self) -> int:
        """The player who has a line, or 0."""
        for player in (1, 2):
            if self.line_cells(player):
                return player
        return 0

    def line_cells(self, player: int) -> set[Cell]:
        return line_cells(self.stones(player), self.columns, self.rows, self.connect)

    def winning_cells(self, player: int) -> set[Cell]:
        own, others = self.stones(player), self.stones(3 - player)
        return winning_cells(own, others, self.columns, self.rows, self.connect)

    def is_full(self) -> bool:
        return all(value != 0 for row in self.grid for value in row)

    def outcome(self) -> str:
        """ "first wins", "second wins", "draw" or "ongoing"."""
        if self.winner() != 0:
            return ("first wins", "second wins")[self.winner() - 1]
        return "draw" if self.is_full() else "ongoing"

    def landing_cells(self) -> set[Cell]:
        """Where a stone would come to rest in each column with room."""
        heights = [self.height(column) for column in range(self.columns)]
        return {(column, row) for column, row in enumerate(heights) if row < self.rows}

    def mirror(self) -> "NaiveGame":
        moves = [self.columns - 1 - column for column in self.history]
        return NaiveGame(self.columns, self.rows, self.connect, moves)

    def drawing(self) -> str:
        names = "123456789abcdefghijklmnopqrstuvw"[: self.columns]
        rows = [" ".join(".XO"[value] for value in row) for row in reversed(self.grid)]
        return "\n".join([*rows, " ".join(names)])

    def array(self, second: int) -> list[list[int]]:
        """The grid top row first, with ``second`` for the second player."""
        return [[(0, 1, second)[value] for value in row] for row in reversed(self.grid)]


def streaks(stones: set[Cell]) -> list[int]:
    """The lengths of all rows of stones without a gap; a stone that touches none counts once."""
    lengths = []
    for right, up in DIRECTIONS:
        for column, row in stones:
            length = 1
            if (column - right, row - up) in stones:
                continue
            while (column + length * right, row + length * up) in stones:
                length += 1
            lengths += [length] if length > 1 else []
    near = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    lone = [
        cell for cell in stones if not any((cell[0] + a, cell[1] + b) in stones for a, b in near)
    ]
    return lengths + [1] * len(lone)


def chances(game: NaiveGame, column: int, slip: Fraction, drop: Fraction) -> list[Chance]:
    """All that can come of choosing a column, with how likely it is: the rules once more."""
    ends = []
    for side, odds in ((0, 1 - slip), (-1, slip / 2), (1, slip / 2)):
        after = deepcopy(game)
        after.play(game.slip(column, side) if side else column)
        if after.winner() or not drop:
            ends.append((odds, after))
            continue
        fallen = deepcopy(after)
        fallen.fall()
        ends += [(odds * (1 - drop), after), (odds * drop, fallen)]
    return [(odds, after) for odds, after in ends if odds]


def backup(
    game: NaiveGame, slip: Fraction, drop: Fraction, value: Callable[[NaiveGame], Number]
) -> list[Number]:
    """What each column that can be played is worth, if ``value`` tells what comes after it."""
    worth = []
    for column in game.legal_columns():
        ends = chances(game, column, slip, drop)
        worth.append(sum(odds * (-value(after)) for odds, after in ends))
    return worth


def expectimax(game: NaiveGame, slip: Fraction, known: dict[str, Fraction]) -> Fraction:
    """The expected value of a slippery game for the side to move, by trying everything."""
    name = f"{game.player} {game.grid}"
    if name not in known:
        if game.winner():
            known[name] = Fraction(-1)
        elif game.is_full():
            known[name] = Fraction(0)
        else:
            worth = backup(game, slip, Fraction(0), lambda after: expectimax(after, slip, known))
            known[name] = max(worth)
    return known[name]


def perft(columns: int, rows: int, connect: int, depth: int) -> list[int]:
    """Count the ways to play 1, 2, ... ``depth`` moves; a finished game cannot go on.

    Orders of moves that meet in one position are expanded once and counted together.
    """
    layer = {"": (1, NaiveGame(columns, rows, connect))}
    counts = []
    for _ in range(depth):
        following: dict[str, tuple[int, NaiveGame]] = {}
        for ways, game in layer.values():
            for column in game.legal_columns():
                child = deepcopy(game)
                child.play(column)
                known, _same = following.get(child.drawing(), (0, child))
                following[child.drawing()] = (known + ways, child)
        layer = following
        counts.append(sum(ways for ways, _game in layer.values()))
    return counts


def to_bits(cells: set[Cell], rows: int) -> int:
    """Cells as a number: one bit a cell, columns of rows + 1 bits, from the bottom left."""
    return sum(2 ** (column * (rows + 1) + row) for column, row in cells)


def to_cells(bits: int, columns: int, rows: int) -> set[Cell]:
    """The cells of a number; every bit must be a cell of the board."""
    cells = {
        (column, row)
        for column in range(columns)
        for row in range(rows)
        if bits // 2 ** (column * (rows + 1) + row) % 2 == 1
    }
    assert to_bits(cells, rows) == bits, "a bit outside the board"
    return cells

"""Plain minimax with a memory: slow, obviously right, and sharing nothing with the solver.

Cells are numbered row by row here (the package counts column by column, with a spare bit), lines
are found by walking the board, and a score is counted from the definition: half the stones still
to place when the game ends.
"""

from collections.abc import Iterator

from connectlab.game import Geometry


class Oracle:
    """The scores of one small board."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.lines = self._all_lines()
        self.scores: dict[tuple[int, int], int] = {}

    def score(self, mover: int, other: int) -> int:
        """Return the score for ``mover``, whose turn it is (stones as row-by-row bits)."""
        known = self.scores.get((mover, other))
        if known is None:
            known = self.scores[mover, other] = self._search(mover, other)
        return known

    def reachable(self) -> Iterator[tuple[int, int]]:
        """Yield (mover, other) of every position of the game, finished ones too."""
        seen = {(0, 0)}
        todo = [(0, 0)]
        while todo:
            mover, other = todo.pop()
            yield mover, other
            if not self.has_line(other):
                for cell in self.landings(mover | other):
                    child = (other, mover | cell)
                    if child not in seen:
                        seen.add(child)
                        todo.append(child)

    def has_line(self, stones: int) -> bool:
        return any(line & stones == line for line in self.lines)

    def landings(self, occupied: int) -> list[int]:
        """Return the lowest empty cell of every column with room."""
        width = self.geometry.columns
        cells = []
        for column in range(width):
            for row in range(self.geometry.rows):
                cell = 1 << (row * width + column)
                if not occupied & cell:
                    cells.append(cell)
                    break
        return cells

    def bits(self, stones: int) -> int:
        """Translate row-by-row stones into the package's bits."""
        width = self.geometry.columns
        return sum(
            self.geometry.cell(i % width, i // width)
            for i in range(self.geometry.cells)
            if stones >> i & 1
        )

    def _search(self, mover: int, other: int) -> int:
        n_left = self.geometry.cells - (mover | other).bit_count()
        if self.has_line(other):
            return -(1 + n_left // 2)
        cells = self.landings(mover | other)
        return max((-self.score(other, mover | cell) for cell in cells), default=0)

    def _all_lines(self) -> list[int]:
        width, height, connect = (
            self.geometry.columns,
            self.geometry.rows,
            self.geometry.connect,
        )
        lines = []
        for x in range(width):
            for y in range(height):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    cells = [(x + i * dx, y + i * dy) for i in range(connect)]
                    if all(0 <= cx < width and 0 <= cy < height for cx, cy in cells):
                        lines.append(sum(1 << (cy * width + cx) for cx, cy in cells))
        return lines

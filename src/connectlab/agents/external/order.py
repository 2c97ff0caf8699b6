"""Some order of moves that leads to a position.

Engines are told moves, but a batch of positions has stones and no history. Whatever order is found
leads to the same stones; an engine that judges a position by its stones does not see the
difference. A position always gets the same order, however it was reached.

No move of the order can end the game: stones that lie in no line at the end lay in none before. So
all that is asked for is that sides alternate and that every stone rests on another. The columns are
piles, and moves take from their bottoms, now a stone of one side and now one of the other. The
search tries the longest pile first and never looks at the same rest of the piles twice.
"""

from connectlab.game import Position

MOST_STEPS = 200_000
"""Piles looked at before a position is given up; those of played games take as many as stones, or
a few times that."""

Piles = list[list[int]]


def find_moves(position: Position) -> tuple[int, ...] | None:
    """Return columns, 0-based, whose moves lead to a position that is not over; None if none do.

    None also stands for a position that was given up, which no position of a played game was yet.
    """
    piles = _piles(position)
    moves: list[int] = []
    dead_ends: set[tuple[int, ...]] = set()
    return tuple(moves) if _complete(piles, moves, dead_ends) else None


def _piles(position: Position) -> Piles:
    """Return the stones of each column from the top down: 0 for the first player, 1 the second."""
    geometry, second = position.geometry, position.second_stones
    return [
        [
            int(bool(geometry.cell(column, row) & second))
            for row in reversed(range(geometry.rows))
            if geometry.cell(column, row) & position.occupied
        ]
        for column in range(geometry.columns)
    ]


def _complete(piles: Piles, moves: list[int], dead_ends: set[tuple[int, ...]]) -> bool:
    """Take all stones that are left and note their columns; leave everything as it was if stuck."""
    side = len(moves) % 2
    open_columns = [column for column, pile in enumerate(piles) if pile]
    if not open_columns:
        return True
    heights = tuple(map(len, piles))
    if heights in dead_ends or len(dead_ends) > MOST_STEPS:
        return False
    for column in sorted(open_columns, key=lambda column: -heights[column]):
        if piles[column][-1] == side:
            piles[column].pop()
            moves.append(column)
            if _complete(piles, moves, dead_ends):
                return True
            piles[column].append(side)
            moves.pop()
    dead_ends.add(heights)
    return False

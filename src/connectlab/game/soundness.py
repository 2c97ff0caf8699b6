"""Whether stones on a board can be those of a game: gravity, the turns and the end of the game."""

from connectlab.errors import GameError
from connectlab.game import bitboard
from connectlab.game.geometry import Geometry
from connectlab.game.notation import cell_name


def check_stones(geometry: Geometry, mover: int, occupied: int, fallen: int = 0) -> None:
    """Raise ``GameError`` unless the stones obey gravity, the turns and the end of the game.

    This is cheap, and not the whole truth: some stones that pass cannot be reached by any moves.
    """
    board = int(geometry.shape.board)
    if not 0 <= occupied <= board or occupied & ~board:
        raise GameError(f"occupied={occupied:#x} has stones outside the {geometry} board")
    if mover & ~occupied:
        raise GameError(f"mover={mover:#x} has stones where occupied={occupied:#x} has none")
    _check_gravity(geometry, occupied)
    counts = mover.bit_count(), (mover ^ occupied).bit_count()
    if fallen:
        _check_fallen(geometry, *counts, fallen)
    else:
        first_moves = occupied.bit_count() % 2 == 0
        check_counts(*(counts if first_moves else counts[::-1]))
    _check_winner(geometry, mover, occupied)


def _check_gravity(geometry: Geometry, occupied: int) -> None:
    for column in range(geometry.columns):
        for row in range(1, geometry.rows):
            below = geometry.cell(column, row - 1)
            if occupied & geometry.cell(column, row) and not occupied & below:
                cell = name_cell(geometry.cell(column, row), geometry)
                raise GameError(f"the stone at {cell} floats: the cell below it is empty")


def check_counts(first: int, second: int) -> None:
    """Raise ``GameError`` unless both sides have as many stones as their turns allow."""
    if first - second not in (0, 1):
        raise GameError(
            f"{first} stones of the first player and {second} of the second cannot be: "
            "the first has as many as the second, or one more"
        )


def _check_fallen(geometry: Geometry, mover: int, other: int, fallen: int) -> None:
    """Check the stones of the side to move and of the other when some have left the board."""
    if not geometry.variant.drop_row or fallen < 0:
        raise GameError(f"{fallen} stones cannot have fallen from {geometry}")
    made = mover + other + fallen
    if mover > made // 2 or other > (made + 1) // 2:
        raise GameError(
            f"{mover} stones of the side to move and {other} of the other cannot be after {made} "
            "moves"
        )


def _check_winner(geometry: Geometry, mover: int, occupied: int) -> None:
    shape = geometry.shape
    opponent = mover ^ occupied
    if bitboard.has_line(mover, shape):
        if bitboard.has_line(opponent, shape):
            raise GameError("both sides have a winning line: the game ends with the first")
        raise GameError("the side to move has a winning line already: the other side moved last")
    if bitboard.has_line(opponent, shape) and not _last_stone_won(geometry, opponent, occupied):
        raise GameError("no single last stone completes all winning lines: the game ended earlier")


def _last_stone_won(geometry: Geometry, winner: int, occupied: int) -> bool:
    """Whether lifting some topmost stone of the winner leaves no line."""
    tops = occupied & ~(occupied >> 1)
    candidates = [1 << i for i in range(tops.bit_length()) if tops & winner & (1 << i)]
    return any(not bitboard.has_line(winner ^ cell, geometry.shape) for cell in candidates)


def name_cell(cells: int, geometry: Geometry) -> str:
    """Name the lowest cell of a set for people, 1-based."""
    column, row = divmod((cells & -cells).bit_length() - 1, geometry.rows + 1)
    return cell_name(column, row, geometry)

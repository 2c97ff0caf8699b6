"""Positions as requests write them, as the rules have them."""

from connectlab.game import Position
from connectlab.game.streams import make_streams
from connectlab.lab.records import GameRecord, geometry_record
from connectlab.web.boards import board_of
from connectlab.web.models.position import PositionIn


def game_of(asked: PositionIn) -> GameRecord:
    """Return the game of a request as a record, of which only start and moves are known."""
    drawn = asked.start_drawing is not None
    return GameRecord(
        geometry=geometry_record(board_of(asked)),
        start_moves=None if drawn else "",
        start_drawing=asked.start_drawing,
        moves=asked.moves,
    )


def position_of(asked: PositionIn) -> Position:
    """Return the position of a request, played by our rules."""
    return game_of(asked).end


def stream_of(asked: PositionIn) -> int:
    """Return the random stream of the game, as a table gives it to the same seed and number."""
    return int(make_streams(asked.seed, 1, asked.game)[0])

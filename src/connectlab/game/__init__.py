"""The rules of Connect-N: boards, positions, batches and notation."""

from connectlab.errors import GameError
from connectlab.game.batch import PositionBatch
from connectlab.game.geometry import STANDARD, Geometry, Shape
from connectlab.game.position import Outcome, Position

__all__ = ["STANDARD", "GameError", "Geometry", "Outcome", "Position", "PositionBatch", "Shape"]

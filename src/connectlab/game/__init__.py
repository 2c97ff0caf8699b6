"""The rules of Connect-N: boards, positions, batches and notation."""

from typing import TYPE_CHECKING

from connectlab._lazy import lazy

if TYPE_CHECKING:
    from connectlab.errors import GameError
    from connectlab.game.batch import PositionBatch
    from connectlab.game.geometry import STANDARD, Geometry, Shape
    from connectlab.game.position import Outcome, Position

__all__ = ["STANDARD", "GameError", "Geometry", "Outcome", "Position", "PositionBatch", "Shape"]

__getattr__ = lazy(
    __name__,
    {
        "STANDARD": "connectlab.game.geometry",
        "GameError": "connectlab.errors",
        "Geometry": "connectlab.game.geometry",
        "Outcome": "connectlab.game.position",
        "Position": "connectlab.game.position",
        "PositionBatch": "connectlab.game.batch",
        "Shape": "connectlab.game.geometry",
    },
)

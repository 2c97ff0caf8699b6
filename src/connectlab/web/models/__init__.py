"""What requests and answers look like; pydantic models that need no kernel."""

from connectlab.web.models.position import Board, Model, PositionIn

__all__ = ["Board", "Model", "PositionIn"]

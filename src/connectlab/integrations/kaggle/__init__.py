"""Kaggle's ConnectX: players of the laboratory as submissions."""

from typing import TYPE_CHECKING

from connectlab._lazy import lazy

if TYPE_CHECKING:
    from connectlab.integrations.kaggle.export import export
    from connectlab.integrations.kaggle.players import ExportError

__all__ = ["ExportError", "export"]

__getattr__ = lazy(
    __name__,
    {
        "ExportError": "connectlab.integrations.kaggle.players",
        "export": "connectlab.integrations.kaggle.export",
    },
)

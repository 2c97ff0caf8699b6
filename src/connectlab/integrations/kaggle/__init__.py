"""Kaggle's ConnectX: players of the laboratory as submissions, and episodes played there."""

from typing import TYPE_CHECKING

from connectlab._lazy import lazy

if TYPE_CHECKING:
    from connectlab.integrations.kaggle.export import export
    from connectlab.integrations.kaggle.players import ExportError
    from connectlab.integrations.kaggle.replays import (
        Replay,
        ReplayError,
        count_replays,
        read_replay,
    )

__all__ = ["ExportError", "Replay", "ReplayError", "count_replays", "export", "read_replay"]

__getattr__ = lazy(
    __name__,
    {
        "ExportError": "connectlab.integrations.kaggle.players",
        "Replay": "connectlab.integrations.kaggle.replays",
        "ReplayError": "connectlab.integrations.kaggle.replays",
        "count_replays": "connectlab.integrations.kaggle.replays",
        "export": "connectlab.integrations.kaggle.export",
        "read_replay": "connectlab.integrations.kaggle.replays",
    },
)

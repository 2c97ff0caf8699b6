"""What every learner checks before it goes on from a saved state or learns from given games."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from connectlab.game.geometry import Geometry
from connectlab.game.position import Position
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.config import LearnerConfig
from connectlab.training.learner import LearnerError


def check_state(state: Checkpoint, kind: str, config: LearnerConfig) -> int:
    """Refuse a state of another learner, of other settings, or of more games than ``config`` has.

    ``games`` may differ. Returns the games that the state has learned.
    """
    check_kind(state, kind)
    check_same_settings(state.header.get("config"), config.plain())
    games = saved_count(state.header, "games_done")
    if games > config.games:
        raise LearnerError(
            f"the saved run has learned {games:,} games already: games={config.games} "
            "would end before that"
        )
    return games


def check_kind(checkpoint: Checkpoint, kind: str) -> None:
    """Refuse what another learner wrote."""
    if checkpoint.kind != kind:
        raise CheckpointError(f"this was written by {checkpoint.kind!r}, not by {kind!r}")


def check_beginning(
    games_done: int, own: Mapping[str, object], other: Mapping[str, object], unsaid: str = ""
) -> None:
    """Refuse to begin from what was learned with other settings, or in the midst of a run.

    ``own`` and ``other`` are the settings that must agree; the values of ``unsaid`` are too long
    to be told.
    """
    if games_done:
        raise LearnerError(f"the run has learned {games_done:,} games already")
    for name, value in own.items():
        if other.get(name) != value:
            theirs, ours = (each if each != "" else "none" for each in (other.get(name), value))
            told = "" if name == unsaid else f" ({theirs}, and here {ours})"
            raise LearnerError(
                f"the player to begin from has other {name}{told}: take the settings that it "
                "was trained with"
            )


def check_same_settings(saved: object, own: Mapping[str, object]) -> None:
    """Refuse a state that was saved with other settings than these, ``games`` aside."""
    if not isinstance(saved, Mapping) or saved.keys() != own.keys():
        raise LearnerError(
            "the state was saved by another version of connectlab, which has other settings: it "
            "cannot go on here"
        )
    for name, value in own.items():
        if name != "games" and saved[name] != value:
            raise LearnerError(
                f"the state was saved with {name}={saved[name]}, and this run has {name}={value}: "
                "only games may differ"
            )


def saved_count(header: Mapping[str, object], name: str) -> int:
    """Read a number of things from the header of a saved state."""
    value = header.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise CheckpointError(f"the saved state is damaged: {name} is {value!r}")
    return value


def copy_arrays(
    saved: Mapping[str, NDArray[np.generic]], own: Mapping[str, NDArray[np.generic]]
) -> None:
    """Overwrite the numbers of a learner by saved ones; those of other shapes are refused."""
    if any(name not in saved or saved[name].shape != a.shape for name, a in own.items()):
        raise CheckpointError("the saved state is damaged: its arrays do not fit its settings")
    for name, array in own.items():
        array[:] = saved[name]


def moves_of_games(games: Sequence[Position], geometry: Geometry) -> list[NDArray[np.int64]]:
    """Return the columns played in finished games on this board, at least one; refuse others.

    Where rows fall, -1 after a column says that one did.
    """
    if not games:
        raise LearnerError("there are no games to learn from")
    return [_moves_of(number, game, geometry) for number, game in enumerate(games, start=1)]


def _moves_of(number: int, game: Position, geometry: Geometry) -> NDArray[np.int64]:
    if game.geometry != geometry:
        raise LearnerError(
            f"game {number} was played on a {game.geometry} board, and this learner learns "
            f"{geometry}"
        )
    if game.history is None:
        raise LearnerError(f"game {number} comes without its moves, so nothing can be learned")
    if not game.is_over:
        raise LearnerError(f"game {number} is not over: only finished games are learned from")
    return np.array(game.history, dtype=np.int64)

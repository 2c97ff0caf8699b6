"""What happened in an episode of Kaggle's ConnectX: its moves, who won, and who forfeited.

Kaggle writes an episode as JSON: ``steps`` are pairs of states, one for each side, after each move.
Whoever makes what is no move gets the status ERROR, INVALID or TIMEOUT and the reward None, and the
other side the reward 0, not 1: who only adds up rewards counts a lost game as a draw. Here it is
lost for the offender.

Such a file comes from anywhere, so nothing in it is believed: the moves are played by our rules,
and the boards, rewards and statuses must agree with them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from connectlab.arena.match import Tally, count_outcomes
from connectlab.errors import GameError, UserError
from connectlab.game import Geometry, Outcome, Position

MOST_BYTES = 16 << 20
"""Of a file; an episode of a standard game takes some 20 kB."""
MOST_STEPS = 1_001
MOST_LETTERS = 80
"""Of a name that is passed on."""
FAULTS = {
    "ERROR": "raised an error",
    "INVALID": "made an invalid move",
    "TIMEOUT": "ran out of time",
}
"""Statuses that lose a game, and what they say."""
OVER = "DONE"


class ReplayError(UserError):
    """A document that is no episode of ConnectX, or one that contradicts itself."""


@dataclass(frozen=True)
class Forfeit:
    """Why a side lost without a move."""

    first: bool
    """Whether it was the first player."""
    status: str
    """ERROR, INVALID or TIMEOUT."""

    @property
    def reason(self) -> str:
        """The status in words after a player's name."""
        return FAULTS[self.status]


@dataclass(frozen=True)
class Replay:
    """An episode, played again by our rules."""

    position: Position
    """After the last move, with its history."""
    outcome: Outcome
    """Who won, by a line or because the other side forfeited; ONGOING if it was broken off.

    An episode that ended by its limit of steps is a draw, as it is for Kaggle.
    """
    forfeit: Forfeit | None = None
    names: tuple[str, str] | None = None
    """The teams, first player first, if they are told."""

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return self.position.geometry

    @property
    def columns(self) -> tuple[int, ...]:
        """The moves, 0-based."""
        return self.position.history or ()

    @property
    def moves(self) -> str:
        """The moves as a string such as "4453"."""
        return self.position.moves

    def to_json(self) -> dict[str, object]:
        """Return the episode as plain data."""
        lost = self.forfeit
        return {
            "geometry": self.geometry.to_json(),
            "moves": self.moves,
            "outcome": self.outcome.name.lower(),
            "forfeited_by": None if lost is None else "first" if lost.first else "second",
            "forfeit_reason": None if lost is None else lost.reason,
            "names": None if self.names is None else list(self.names),
        }


def read_replay(source: Path | str | bytes | dict[str, object]) -> Replay:
    """Read an episode from a file (a ``Path``), from JSON text, or as ``toJSON`` gave it."""
    if not isinstance(source, Path | str | bytes | dict):
        raise ReplayError(f"a replay is a Path, JSON text or a dict, not {source!r:.60}")
    episode = _parse(source)
    position = Position(_board(episode.configuration))
    _check_board(position, episode.steps[0][0].observation.board or None, 0)
    forfeit = None
    for number, states in enumerate(episode.steps[1:], start=1):
        if forfeit is not None or position.is_over:
            raise ReplayError(f"step {number} comes after the end of the game")
        mover = states[0 if position.first_to_move else 1]
        if mover.status in FAULTS:
            forfeit = Forfeit(position.first_to_move, mover.status)
        else:
            position = _after(position, mover.action, number)
        _check_board(position, states[0].observation.board, number)
    outcome = _outcome(position, forfeit, episode.steps[-1])
    _check_rewards(outcome, forfeit, episode.steps[-1])
    return Replay(position, outcome, forfeit, episode.info.names)


def count_replays(replays: Iterable[Replay], *, first: bool) -> Tally:
    """Count the games of the side that moved first, or of the other; not those broken off."""
    win = Outcome.FIRST_WINS if first else Outcome.SECOND_WINS
    return count_outcomes(np.array([replay.outcome for replay in replays], dtype=np.int8), win)


class _Part(BaseModel):
    """Some of what Kaggle writes; what is not needed here may be anything."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)


class _Configuration(_Part):
    columns: int = 7
    rows: int = 6
    inarow: int = 4


class _Observation(_Part):
    board: list[int] | None = Field(default=None, max_length=64)


class _State(_Part):
    action: int | None = None
    reward: float | None
    status: Literal["ACTIVE", "INACTIVE", "DONE", "ERROR", "INVALID", "TIMEOUT"]
    observation: _Observation = _Observation()


class _Info(_Part):
    team_names: object = Field(default=None, alias="TeamNames")

    @property
    def names(self) -> tuple[str, str] | None:
        """Two names of some letters on one line; None if there is anything else."""
        told = self.team_names
        if not isinstance(told, list) or len(told) != 2:
            return None
        first, second = (_name(name) for name in told)
        return (first, second) if first and second else None


class _Episode(_Part):
    name: Literal["connectx"]
    configuration: _Configuration = _Configuration()
    steps: list[list[_State]] = Field(min_length=1, max_length=MOST_STEPS)
    info: _Info = _Info()


def _name(text: object) -> str:
    if not isinstance(text, str):
        return ""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())[
        :MOST_LETTERS
    ]


def _parse(source: Path | str | bytes | dict[str, object]) -> _Episode:
    data = _read(source) if isinstance(source, Path) else source
    try:
        if isinstance(data, dict):
            episode = _Episode.model_validate(data)
        else:
            episode = _Episode.model_validate_json(_checked(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        reason = first["msg"][:1].lower() + first["msg"][1:]
        told = f"{where}: {reason}" if where else reason
        raise ReplayError(f"this is no episode of Kaggle's ConnectX: {told}") from None
    if any(len(states) != 2 for states in episode.steps):
        raise ReplayError("an episode of ConnectX has two sides in each step")
    return episode


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {error.strerror}") from None


def _checked(text: str | bytes) -> str | bytes:
    if len(text) > MOST_BYTES:
        raise ReplayError(f"an episode has at most {MOST_BYTES >> 20} MB")
    return text


def _board(configuration: _Configuration) -> Geometry:
    try:
        return Geometry(configuration.columns, configuration.rows, configuration.inarow)
    except GameError as error:
        raise ReplayError(f"connectlab has no such board: {error}") from None


def _after(position: Position, action: int | None, number: int) -> Position:
    if action is None:
        raise ReplayError(f"step {number} has no action")
    try:
        return position.play(action)
    except GameError as error:
        raise ReplayError(f"step {number}: {error}") from None


def _check_board(position: Position, board: list[int] | None, number: int) -> None:
    if board is not None and board != position.to_kaggle():
        raise ReplayError(f"step {number} shows another board than its moves lead to")


def _outcome(position: Position, forfeit: Forfeit | None, last: list[_State]) -> Outcome:
    """Return who won; a game that stands but is DONE has met its limit of steps."""
    if forfeit is not None:
        return Outcome.SECOND_WINS if forfeit.first else Outcome.FIRST_WINS
    if not position.is_over and all(state.status == OVER for state in last):
        return Outcome.DRAW
    return position.outcome


def _check_rewards(outcome: Outcome, forfeit: Forfeit | None, last: list[_State]) -> None:
    """Refuse an episode whose end tells another story than its moves."""
    value = outcome.first_player_value
    expected: list[float | None] = [value, -value]
    statuses = [OVER, OVER]
    if forfeit is not None:
        offender = 0 if forfeit.first else 1
        expected, statuses[offender] = [0, 0], forfeit.status
        expected[offender] = None
    told = [state.reward for state in last]
    over = outcome is not Outcome.ONGOING
    if told != expected or (over and [state.status for state in last] != statuses):
        raise ReplayError(
            f"the rewards {told} and statuses {[state.status for state in last]} do not fit the "
            f"moves, which end in {outcome.name.lower().replace('_', ' ')}"
        )

"""Variants of the game: a move may slip, the bottom row may fall, a board may be told in counts.

They are two of the questions that Cheng et al., "Connect-N", leave to others (section 6: a board
with chance in it, and a board that is not seen). The paper gives no rules; these are ours:

- ``slip:P``: with probability P the stone goes to the left or the right neighbour of the column
  that was chosen (half each). Where that neighbour is full or not there, it stays in the column.
- ``drop-row:P``: a stone that has come to rest without winning may shake the bottom row out: with
  probability P the lowest cell of every column leaves the board and everything above sinks by one.
  All stones keep their places to each other, so no new line can arise. Only then is it looked at
  whether the board is full. A game of ``LONGEST_GAME`` moves is a draw.
- ``counts``: players do not see the board but how many streaks of which length it holds (see
  :func:`connectlab.game.counts.count_runs`).

A variant is written as its parts with ``+`` between them: ``slip:0.1+drop-row:0.05``. This module
needs no kernel; those of the rules are in :mod:`connectlab.game.chance`, those of the counts in
:mod:`connectlab.game.counts`, and the names of both can be had from here.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from connectlab._lazy import lazy
from connectlab.errors import GameError

if TYPE_CHECKING:
    from connectlab.game.chance import (
        ODDS,
        WON,
        chance_move,
        chance_state,
        chance_step,
        drop_bottom,
        next_stream,
    )
    from connectlab.game.counts import count_runs

__all__ = [
    "COUNTS",
    "DROP_ROW",
    "LONGEST_GAME",
    "ODDS",
    "PLAIN",
    "SLIP",
    "WON",
    "Odds",
    "Variant",
    "chance_move",
    "chance_state",
    "chance_step",
    "count_runs",
    "drop_bottom",
    "next_stream",
]

SLIP, DROP_ROW, COUNTS = "slip", "drop-row", "counts"
NAMES = (SLIP, DROP_ROW, COUNTS)

LONGEST_GAME = 10_000
"""Moves after which a game with falling rows is a draw: a board that empties need never fill up."""

_CHANCE = "connectlab.game.chance"
__getattr__ = lazy(
    __name__,
    {
        "ODDS": _CHANCE,
        "WON": _CHANCE,
        "chance_move": _CHANCE,
        "chance_state": _CHANCE,
        "chance_step": _CHANCE,
        "drop_bottom": _CHANCE,
        "next_stream": _CHANCE,
        "count_runs": "connectlab.game.counts",
    },
)


class Odds(NamedTuple):
    """What a kernel needs to know of the chances in a game."""

    slip: float
    """How likely a stone leaves the column that was chosen."""
    drop_row: float
    """How likely the bottom row falls after a move that does not win."""


@dataclass(frozen=True)
class Variant:
    """How a game differs from the plain one; ``str()`` and :meth:`parse` undo each other."""

    slip: float = 0.0
    drop_row: float = 0.0
    counts: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "slip", _probability(SLIP, self.slip))
        object.__setattr__(self, "drop_row", _probability(DROP_ROW, self.drop_row))
        if not isinstance(self.counts, bool):
            raise GameError(f"{COUNTS} is true or false, not {self.counts!r}")

    @classmethod
    def parse(cls, text: str) -> "Variant":
        """Read a variant such as "slip:0.1+drop-row:0.05"; an empty text is the plain game."""
        if not text.strip():
            return PLAIN
        given: dict[str, str] = {}
        for part in text.split("+"):
            name, _, number = (piece.strip() for piece in part.partition(":"))
            _check_name(name, text)
            if name in given:
                raise GameError(f"the variant {text!r} has {name} twice")
            if name == COUNTS and ":" in part:
                raise GameError(f"{COUNTS} takes no number: write {COUNTS}, not {part.strip()}")
            given[name] = number
        return cls(
            _parse_number(SLIP, given.get(SLIP)),
            _parse_number(DROP_ROW, given.get(DROP_ROW)),
            COUNTS in given,
        )

    def __str__(self) -> str:
        parts = [f"{SLIP}:{self.slip!r}"] if self.slip else []
        parts += [f"{DROP_ROW}:{self.drop_row!r}"] if self.drop_row else []
        return "+".join([*parts, COUNTS] if self.counts else parts)

    @property
    def names(self) -> tuple[str, ...]:
        """What is other than in the plain game: some of "slip", "drop-row" and "counts"."""
        present = (self.slip, self.drop_row, self.counts)
        return tuple(name for name, there in zip(NAMES, present, strict=True) if there)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is other than usual."""
        return not self.names

    @property
    def by_chance(self) -> bool:
        """Whether something in the game happens by chance."""
        return bool(self.slip or self.drop_row)

    @property
    def odds(self) -> Odds:
        """The chances as the kernels take them."""
        return Odds(self.slip, self.drop_row)

    def beyond(self, able: frozenset[str]) -> str | None:
        """Return the first name that is not among ``able``, what somebody can play; None if all."""
        return next((name for name in self.names if name not in able), None)


def _probability(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        raise GameError(f"{name} is a probability from 0 to below 1, not {value!r}")
    if not 0.0 <= value < 1.0:
        raise GameError(f"{name} is a probability from 0 to below 1, not {value}")
    return float(value)


def _parse_number(name: str, text: str | None) -> float:
    if text is None:
        return 0.0
    if not text:
        raise GameError(f"{name} needs a probability, as in {name}:0.1")
    try:
        return float(text)
    except ValueError:
        raise GameError(f"{name} is a probability from 0 to below 1, not {text!r}") from None


def _check_name(name: str, text: str) -> None:
    if name in NAMES:
        return
    close = get_close_matches(name, NAMES, n=1)
    known = f"{SLIP}:0.1, {DROP_ROW}:0.05, {COUNTS}"
    hint = f"did you mean {close[0]!r}?" if close else f"write some of {known} with + between them"
    raise GameError(f"there is no variant {name or text!r}: {hint}")


PLAIN = Variant()
"""The game as everybody knows it."""

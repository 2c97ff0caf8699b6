"""What a judge says of a player: figures, each with its interval, and what they rest on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Plain: TypeAlias = str | int | float | bool | None
"""What a fact can be."""
Bounds: TypeAlias = tuple[float, float | None]
"""A 95 % interval; None as its upper end says that nothing bounds it."""
DIGITS = 3
"""Digits of a figure for people to read."""


@dataclass(frozen=True)
class Figure:
    """One measured number under its name."""

    key: str
    """Its name in JSON, such as ``success_rate``."""
    value: float | None
    """None where it is beyond all numbers, as won by lost of nothing lost."""
    interval: Bounds | None = None
    """None for a figure that was not sampled."""

    def to_json(self) -> dict[str, object]:
        """Return the value under its key, and the interval beside it."""
        plain: dict[str, object] = {self.key: self.value}
        if self.interval is not None:
            plain[f"{self.key}_interval"] = list(self.interval)
        return plain

    @classmethod
    def of(cls, key: str, plain: Mapping[str, object]) -> "Figure":
        """Read what ``to_json`` gave; raise ``ValueError`` or ``KeyError`` for anything else."""
        value = plain[key]
        interval = plain.get(f"{key}_interval")
        return cls(
            key,
            None if value is None else number(value),
            None if interval is None else _bounds(interval),
        )

    def __str__(self) -> str:
        digits = _digits(self.value)
        text = "beyond all" if self.value is None else f"{self.value:.{digits}f}"
        if self.interval is None:
            return text
        low, high = self.interval
        return f"{text} [{low:.{digits}f}, {'…' if high is None else f'{high:.{digits}f}'}]"


def _digits(value: float | None) -> int:
    """Return how many digits tell a value: more where it is nearly, but not, 0 or 1."""
    if value is None or value in (0, 1) or round(value, DIGITS) not in (0, 1):
        return DIGITS
    return 2 * DIGITS


@dataclass(frozen=True)
class Part:
    """The same figures for a part of what was measured, such as a class of positions."""

    figures: tuple[Figure, ...]
    counts: Mapping[str, int]

    def to_json(self) -> dict[str, object]:
        """Return counts and figures side by side."""
        return {**self.counts, **_flat(self.figures)}


@dataclass(frozen=True)
class Measurement:
    """What one measure says of one player. The first figure is the one that counts."""

    name: str
    """The spec string of the measure, such as ``success:games=200``."""
    figures: tuple[Figure, ...]
    opponent: str | None = None
    """The spec string of who was played against."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What the figures rest on: games, wins, positions."""
    facts: Mapping[str, Plain] = field(default_factory=dict)
    """Whatever else is worth knowing."""
    parts: Mapping[str, Part] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def figure(self) -> Figure:
        """The figure that counts."""
        return self.figures[0]

    @property
    def key(self) -> str:
        """The name of the figure that counts."""
        return self.figure.key

    @property
    def value(self) -> float | None:
        """The value of the figure that counts."""
        return self.figure.value

    @property
    def interval(self) -> Bounds | None:
        """The interval of the figure that counts; None if it was not sampled."""
        return self.figure.interval

    @property
    def word(self) -> str:
        """The measure in one word, without its settings."""
        return self.name.partition(":")[0]

    @property
    def label(self) -> str:
        """The figure that counts in a word or two: "success", or "win rate" for a quota."""
        return self.word if self.word in self.key else self.key.replace("_", " ")

    @property
    def rank(self) -> float:
        """The value as a number to compare by."""
        return math.inf if self.value is None else self.value

    def find(self, key: str) -> Figure | None:
        """Return the figure of a name."""
        return next((figure for figure in self.figures if figure.key == key), None)

    def to_json(self) -> dict[str, object]:
        """Return plain data; docs/training.md explains the keys."""
        plain: dict[str, object] = {
            "measure": self.name,
            "keys": [figure.key for figure in self.figures],
            **_flat(self.figures),
            "opponent": self.opponent,
            "counts": dict(self.counts),
            "facts": dict(self.facts),
            "seconds": round(self.seconds, 3),
        }
        if self.parts:
            plain["classes"] = {name: part.to_json() for name, part in self.parts.items()}
        return plain

    @classmethod
    def of(cls, plain: object) -> "Measurement":
        """Read what ``to_json`` gave, all but the parts; raise ``ValueError`` or ``KeyError``."""
        given = mapping(plain)
        keys = given["keys"]
        if not isinstance(keys, list) or not keys:
            raise ValueError("a measurement needs a figure")
        opponent = given["opponent"]
        return cls(
            str(given["measure"]),
            tuple(Figure.of(str(key), given) for key in keys),
            None if opponent is None else str(opponent),
            {name: whole(count) for name, count in mapping(given["counts"]).items()},
            {name: _fact(fact) for name, fact in mapping(given["facts"]).items()},
            seconds=number(given["seconds"]),
        )


def mapping(value: object) -> Mapping[str, object]:
    """Return a JSON object, or raise ``ValueError``."""
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no object")
    return value


def number(value: object) -> float:
    """Return a finite number, or raise ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no number")
    if not abs(value) <= 1e300:  # nor is what is no number at all
        raise ValueError(f"{value!r} is out of range")
    return float(value)


def whole(value: object, most: int = 10**15) -> int:
    """Return a whole number from 0 up to ``most``, or raise ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError("no whole number, or out of range")
    return value


def _flat(figures: tuple[Figure, ...]) -> dict[str, object]:
    return {key: value for figure in figures for key, value in figure.to_json().items()}


def _bounds(value: object) -> Bounds:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{value!r} is no interval")
    low, high = value
    return number(low), None if high is None else number(high)


def _fact(value: object) -> Plain:
    if value is None or isinstance(value, str | bool):
        return value
    finite = number(value)
    return value if isinstance(value, int) else finite

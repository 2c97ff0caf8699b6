"""How a rate changes over a run: constant, linear, exponential, sigmoid, stepwise or by halves.

A schedule is written as one word: ``0.1`` stays, ``0.004->0.002`` falls exponentially over the
whole run, ``0.95->0.1:sigmoid`` along a sigmoid, ``0.1->0.01:linear@0.5`` over its first half;
``0.1->0.025:halving`` is 0.1, then 0.05, then 0.025, each for twice as long as the one before.

``0.95->0.1:sigmoid(10@0.2)`` is the sigmoid of Thill's and Konen's framework with slope 10 and its
inflection after a fifth of the run. No comma is in any word: lists of schedules are parted by them.
"""

import math
import re
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    model_serializer,
    model_validator,
)

Shape = Literal["constant", "linear", "exponential", "sigmoid", "steps", "halving"]

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_WRITTEN = re.compile(
    rf"\s*(?P<start>{_NUMBER})\s*(?:->\s*(?P<end>{_NUMBER})\s*(?::\s*(?P<shape>[a-z]+)\s*"
    rf"(?:\(\s*(?P<slope>{_NUMBER})\s*@\s*(?P<inflection>{_NUMBER})\s*\)\s*)?)?"
    rf"(?:@\s*(?P<share>{_NUMBER})\s*)?)?"
)
STEPS = 10
"""Levels of a stepwise schedule."""
SIGMOID_STEEPNESS = 12.0
"""A sigmoid runs over the logistic function from minus to plus half of this."""

STEEPEST = 1_000.0
"""The greatest slope of a sigmoid; there it is a step."""
MOST_HALVINGS = 1_000
"""More than anybody needs, and few enough for the parts of a run to be counted in float64."""


class Schedule(BaseModel):
    """A rate as a function of the share of the run that is done."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    start: float
    """Value at the beginning."""
    end: float
    """Value at the end."""
    shape: Shape = "constant"
    """The way from the one to the other."""
    share: float = Field(default=1.0, gt=0, le=1)
    """Share of the run after which the end is reached."""
    slope: float | None = None
    """How steeply a sigmoid falls: 10 in Thill's and Konen's framework; None for ours."""
    inflection: float | None = None
    """Where a sigmoid of this slope is half-way, as a share of its run."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        return _read_word(value) if isinstance(value, int | float | str) else value

    @model_validator(mode="after")
    def _check(self) -> "Schedule":
        if self.shape == "exponential" and (self.start <= 0 or self.end <= 0):
            raise ValueError("an exponential schedule needs values above 0: try ':linear'")
        if self.shape == "exponential" and not 0 < self.end / self.start < math.inf:
            raise ValueError("the ends of an exponential schedule are too far apart")
        if self.shape == "halving" and not _halvings(self.start, self.end):
            raise ValueError(
                "a halving schedule falls from a value above 0 by halves, "
                f"{MOST_HALVINGS:,} at most, as in 0.1->0.025:halving"
            )
        if self.slope is not None or self.inflection is not None:
            _check_sigmoid(self.shape, self.slope, self.inflection)
        return self

    @model_serializer
    def _write(self) -> str:
        return str(self)

    def values(self, first: int, n: int, total: int) -> NDArray[np.float64]:
        """Return the values for items ``first`` to ``first + n - 1`` of ``total``."""
        done = np.arange(first, first + n) / max(1, total)
        return self._at(np.clip(done, 0.0, self.share) / self.share)

    def _at(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.shape == "exponential":
            return self.start * (self.end / self.start) ** x
        if self.shape == "halving":
            return self.start * 0.5 ** _level(x, _halvings(self.start, self.end))
        if self.shape == "sigmoid":
            x = _sigmoid(x) if self.slope is None else _tanh(x, self.slope, self.inflection or 0.0)
        elif self.shape == "steps":
            x = np.minimum(np.floor(x * STEPS), STEPS - 1) / (STEPS - 1)
        elif self.shape == "constant":
            x = np.zeros_like(x)
        return self.start + (self.end - self.start) * x

    def __str__(self) -> str:
        if self.shape == "constant":
            return _number(self.start)
        shape = "" if self.shape == "exponential" else f":{self.shape}"
        if self.slope is not None and self.inflection is not None:
            shape += f"({_number(self.slope)}@{_number(self.inflection)})"
        share = "" if self.share == 1.0 else f"@{_number(self.share)}"
        return f"{_number(self.start)}->{_number(self.end)}{shape}{share}"


def _number(value: float) -> str:
    """Write a number so that reading it gives the same bits."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Map [0, 1] onto [0, 1] along a logistic curve whose ends are exact."""
    low = 1 / (1 + math.exp(SIGMOID_STEEPNESS / 2))
    raw = 1 / (1 + np.exp(-SIGMOID_STEEPNESS * (x - 0.5)))
    curve: NDArray[np.float64] = (raw - low) / (1 - 2 * low)
    return curve


def _tanh(x: NDArray[np.float64], slope: float, inflection: float) -> NDArray[np.float64]:
    """Map [0, 1] into [0, 1] as the framework of Thill and Konen does; the ends are never reached.

    Its epsilon after g of N games is (e0 - e1)/2 * (1 - tanh(slope (g - wp)/N)) + e1 with slope 10
    and the inflection wp in games: here ``x`` is g/N and ``inflection`` wp/N.
    """
    curve: NDArray[np.float64] = (1 + np.tanh(slope * (x - inflection))) / 2
    return curve


def _check_sigmoid(shape: Shape, slope: float | None, inflection: float | None) -> None:
    """Refuse a slope or an inflection that no sigmoid has."""
    written = "as in 0.95->0.1:sigmoid(10@0.2)"
    if shape != "sigmoid" or slope is None or inflection is None:
        raise ValueError(f"only a sigmoid has a slope and an inflection, and has both, {written}")
    if not 0 < slope <= STEEPEST:
        raise ValueError(f"the slope of a sigmoid lies above 0 and up to {STEEPEST:g}, {written}")
    if not 0 <= inflection <= 1:
        raise ValueError(f"the inflection of a sigmoid is a share from 0 to 1, {written}")


def _halvings(start: float, end: float) -> int:
    """Return how many times a value is halved on its way; 0 if not evenly, or too often."""
    if not (0 < end < start < math.inf):
        return 0
    halvings = round(math.log2(start) - math.log2(end))
    if halvings > MOST_HALVINGS:
        return 0
    return halvings if math.isclose(end * 2.0**halvings, start, rel_tol=1e-9) else 0


def _level(x: NDArray[np.float64], halvings: int) -> NDArray[np.float64]:
    """Return how often the value was halved at each share of the run, float64 of whole numbers.

    Level k takes 2^k of the 2^(halvings + 1) - 1 parts of the run.
    """
    parts = x * (2.0 ** (halvings + 1) - 1) + 1
    return np.minimum(np.floor(np.log2(parts * (1 + 1e-12))), halvings)


def _read_word(value: float | str) -> dict[str, object]:
    found = _WRITTEN.fullmatch(str(value))
    if found is None:
        hint = " (in quotes: the shell takes > for a file)" if str(value).endswith("-") else ""
        raise ValueError(
            f"{value!r} is no schedule: write 0.1, 0.004->0.002, 0.9->0.1:linear or "
            f"0.9->0.1:sigmoid(10@0.2){hint}"
        )
    start = float(found["start"])
    if found["end"] is None:
        return {"start": start, "end": start}
    shape = found["shape"] or "exponential"
    share = float(found["share"] or 1.0)
    read: dict[str, object] = {
        "start": start,
        "end": float(found["end"]),
        "shape": shape,
        "share": share,
    }
    bend = {key: float(found[key]) for key in ("slope", "inflection") if found[key] is not None}
    return read | bend


def _check_share(rate: Schedule) -> Schedule:
    if not all(math.isfinite(value) and 0 <= value <= 1 for value in (rate.start, rate.end)):
        raise ValueError("values must lie from 0 to 1")
    return rate


Rate: TypeAlias = Annotated[Schedule, AfterValidator(_check_share)]
"""A schedule whose values lie from 0 to 1."""

"""What came out of a cell, and when, where and with what it was computed."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from connectlab.arena.results import Tally
from connectlab.lab.compare_plot import SHARE_ENDINGS
from connectlab.lab.papers.cells import Cell, MatchCell, Plain, TrainingCell
from connectlab.training.measurement import Measurement, mapping, number, whole
from connectlab.training.metrics import Evaluation
from connectlab.training.provenance import commit, versions

PLAYED = ("score", "quota")
"""Measures, in a word, of which reports show wins, draws and losses."""


@dataclass(frozen=True)
class CellResult:
    """What came out, as plain data, and its provenance."""

    data: Plain
    made: str
    """When it was finished, as ISO 8601 in UTC."""
    commit: str | None
    versions: Mapping[str, str]
    machine: str
    seconds: float
    """Time of one core that it took, judgements included."""
    source: str | None = None
    """Where it was taken over from, in a sentence; None if it was computed as a cell."""

    @classmethod
    def now(cls, data: Plain, seconds: float) -> "CellResult":
        """Return what was computed just now, here."""
        made = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return cls(data, made, commit(), versions(), platform.machine(), round(seconds, 3))

    def to_json(self) -> Plain:
        """Return it as plain data."""
        return {
            "data": self.data,
            "made": self.made,
            "commit": self.commit,
            "versions": dict(self.versions),
            "machine": self.machine,
            "seconds": self.seconds,
            **({} if self.source is None else {"source": self.source}),
        }

    @classmethod
    def of(cls, plain: Mapping[str, object]) -> "CellResult":
        """Read what ``to_json`` gave; raise ``ValueError`` or ``KeyError`` for anything else."""
        known, source = plain["commit"], plain.get("source")
        return cls(
            dict(mapping(plain["data"])),
            str(plain["made"]),
            None if known is None else str(known),
            {key: str(value) for key, value in mapping(plain["versions"]).items()},
            str(plain["machine"]),
            number(plain["seconds"]),
            None if source is None else str(source),
        )


@dataclass(frozen=True)
class Trained:
    """A run that was made."""

    games: int
    seconds: float
    """Time of learning, without that of judging."""
    evaluations: tuple[Evaluation, ...]
    final: tuple[Measurement, ...] = ()
    """What the player at the end was measured by."""
    weights: Mapping[str, int] = field(default_factory=dict)
    checkpoint_bytes: int = 0
    """Size of the player in a file."""
    broke_down: str = ""
    """Why it ended early, if it did: its values were worth nothing any more."""
    final_as: Mapping[str, tuple[Measurement, ...]] = field(default_factory=dict)
    """The same with some settings of the player changed, by those."""
    kept: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    """What the learner reported, by name: games, and the mean since the judgement before."""

    @classmethod
    def of(cls, result: CellResult) -> "Trained":
        """Read the result of a training cell."""
        data = result.data
        counted = data.get("weights")
        return cls(
            whole(data["games"]),
            number(data["seconds"]),
            _evaluations(data["evaluations"]),
            _measurements(data["final"]),
            {key: whole(value) for key, value in mapping(counted).items()} if counted else {},
            whole(data.get("checkpoint_bytes", 0)),
            str(data.get("broke_down", "")),
            {key: _measurements(each) for key, each in mapping(data.get("final_as", {})).items()},
            {key: _points(each) for key, each in mapping(data.get("kept", {})).items()},
        )


@dataclass(frozen=True)
class Played:
    """A match that was played; the tally is that of the player who moved first."""

    tally: Tally
    distinct_games: int
    mean_plies: float
    seconds: float

    @classmethod
    def of(cls, result: CellResult) -> "Played":
        """Read the result of a match cell."""
        data = result.data
        wins, draws, losses = (whole(data[key]) for key in ("wins", "draws", "losses"))
        return cls(
            Tally(wins, draws, losses),
            whole(data["distinct_games"]),
            number(data["mean_plies"]),
            number(data["seconds"]),
        )


def measured_of(result: CellResult) -> tuple[Measurement, ...]:
    """Return the measurements of the player, whichever cell they come from."""
    return _measurements(result.data.get("final"))


@dataclass(frozen=True)
class Found:
    """The results of the cells of an experiment, as far as they are there."""

    cells: tuple[Cell, ...]
    results: Mapping[str, CellResult]
    """By the key of the cell."""

    @property
    def missing(self) -> int:
        """Cells without a result."""
        return sum(cell.key not in self.results for cell in self.cells)

    @property
    def there(self) -> tuple[CellResult, ...]:
        """The results that are there, in the order of the cells."""
        return tuple(self.results[cell.key] for cell in self.cells if cell.key in self.results)

    def get(self, cell: Cell) -> CellResult | None:
        """Return the result of a cell."""
        return self.results.get(cell.key)


def check_result(cell: Cell, result: CellResult) -> None:
    """Raise ``ValueError``, ``KeyError`` or ``TypeError`` for what no such cell can have given."""
    if isinstance(cell, TrainingCell):
        trained = Trained.of(result)
        measured = [each for row in trained.evaluations for each in row.measurements]
        measured += [*trained.final, *(each for some in trained.final_as.values() for each in some)]
    elif isinstance(cell, MatchCell):
        tally = Played.of(result).tally
        measured = []
        if tally.games != cell.games:
            raise ValueError(f"{tally.games} games of {cell.games}")
    else:
        measured = [*measured_of(result)]
    for each in measured:
        _check_games(each, taken_over=result.source is not None)
        _check_shares(each)


def _check_games(each: Measurement, *, taken_over: bool) -> None:
    """Refuse games that do not add up; a quota that was taken over may count only its wins."""
    counts = each.counts
    is_old = taken_over and each.word == "quota"
    if "losses" in counts or (each.word in PLAYED and not is_old):
        played = counts["wins"] + counts["draws"] + counts["losses"]
        if not 0 < played == counts["games"] >= counts["distinct_games"]:
            raise ValueError(f"{played} games of {counts['games']}")


def _check_shares(each: Measurement) -> None:
    """Refuse shares that are none."""
    for figure in each.figures:
        if figure.key.endswith(SHARE_ENDINGS) and not 0 <= (figure.value or 0) <= 1:
            raise ValueError(f"{figure.key} is {figure.value}")


def _listed(plain: object) -> list[object]:
    if plain is None:
        return []
    if not isinstance(plain, list):
        raise ValueError("no list")
    return plain


def unknown_version(found: Found) -> str:
    """Say of how many results it is not known which version of connectlab made them."""
    unknown = sum("connectlab" not in result.versions for result in found.there)
    if not unknown:
        return ""
    which = "them" if unknown == len(found.there) else f"{unknown} of {len(found.there)} cells"
    return f" Which version of connectlab made {which} is unknown."


def _evaluations(plain: object) -> tuple[Evaluation, ...]:
    return tuple(Evaluation.of(mapping(row)) for row in _listed(plain))


def _points(plain: object) -> tuple[tuple[float, float], ...]:
    pairs = (_listed(row) for row in _listed(plain))
    return tuple((number(games), number(value)) for games, value in pairs)


def _measurements(plain: object) -> tuple[Measurement, ...]:
    return tuple(Measurement.of(row) for row in _listed(plain))

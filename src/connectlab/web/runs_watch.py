"""What a stream tells of runs: the list of all when it changes, and rows as they come."""

from collections.abc import Iterator

from pydantic import JsonValue

from connectlab.lab.live_rows import LiveRows
from connectlab.lab.runs import Runs
from connectlab.training.metrics import RunError
from connectlab.web.events import Event
from connectlab.web.models.runs import RunsOut
from connectlab.web.training import Training


def all_runs(training: Training) -> RunsOut:
    """Return all runs and plans of the folder."""
    found, plans = training.look()
    return RunsOut(runs=found, plans=plans, at_once=training.keeper.at_once)


class RunsWatch:
    """What one stream has told, and what there is to tell now."""

    def __init__(self, training: Training, names: list[str]) -> None:
        self._training = training
        self._names = list(dict.fromkeys(names))
        self._told: RunsOut | None = None
        self._rows: dict[str, tuple[int, int]] = {}
        self._live: dict[str, LiveRows] = {}

    def look(self) -> Iterator[Event]:
        """Tell the list if it has changed, and rows that have come."""
        now = all_runs(self._training)
        if now != self._told:
            self._told = now
            yield "runs", now.model_dump(mode="json")
        for name in self._names:
            yield from self._new_rows(name)

    def _new_rows(self, name: str) -> Iterator[Event]:
        live = self._find(name, self._training.runs)
        if live is None:
            return
        live.look()
        version, told = self._rows.get(name, (-1, 0))
        first = told if version == live.version else 0
        if version == live.version and told == len(live.rows):
            return
        rows: list[JsonValue] = [_plain(row.to_json()) for row in live.rows[first:]]
        self._rows[name] = live.version, len(live.rows)
        yield "rows", {"run": name, "version": live.version, "first": first, "rows": rows}

    def _find(self, name: str, runs: Runs) -> LiveRows | None:
        """Read the rows of a run for this stream alone; None until it has begun."""
        if name not in self._live:
            try:
                self._live[name] = LiveRows(runs.find(name).live.path)
            except RunError:
                return None
        return self._live[name]


def _plain(row: dict[str, object]) -> JsonValue:
    """Leave out what a plot does not need: the counts and facts of measurements."""
    kept: dict[str, JsonValue] = {}
    for key, value in row.items():
        if key != "measures" and (value is None or isinstance(value, int | float | list)):
            kept[key] = value
    if "measures" in row:
        kept["evaluation"] = True
    return kept

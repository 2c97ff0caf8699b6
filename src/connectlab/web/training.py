"""What the server keeps going: runs and tournaments, with the folders they lie in."""

import json
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from connectlab.lab.keeper import Keeper
from connectlab.lab.ordered_runs import OrderedRun, join
from connectlab.lab.orders import Orders
from connectlab.lab.runs import PlanView, Runs
from connectlab.lab.tournaments import Tournaments
from connectlab.web.limits import Limits
from connectlab.web.models.runs import PlanOut, RunOut
from connectlab.web.options import WebError

FRESH_SECONDS = 0.3
"""How long one look at the runs serves everybody who asks."""
TOURNAMENTS = "tournaments"
TOURNAMENT_NICENESS = 12
BUSY = 503


class Training:
    """Runs, tournaments and the keepers that see to both."""

    def __init__(self, runs: Path, data: Path, limits: Limits) -> None:
        self.runs = Runs(runs)
        self.orders = Orders(runs)
        self.keeper = Keeper(self.orders, at_once=limits.runs_at_once)
        self.tournaments = Tournaments(data / TOURNAMENTS)
        self.tournament_keeper = Keeper(self.tournaments, niceness=TOURNAMENT_NICENESS)
        self.closing = threading.Event()
        """Set when the server is about to end: streams end then."""
        self._limits = limits
        self._streams: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._looked_at = -1.0
        self._seen: tuple[list[RunOut], list[PlanOut]] = ([], [])

    def open(self) -> None:
        """Go on with all that shall be going on."""
        self.keeper.open()
        self.tournament_keeper.open()

    def close(self) -> None:
        """Let everything save and stop; it goes on when the next server opens."""
        self.closing.set()
        ends = [
            threading.Thread(target=each.close) for each in (self.keeper, self.tournament_keeper)
        ]
        for end in ends:
            end.start()
        for end in ends:
            end.join()

    def look(self, *, fresh: bool = False) -> tuple[list[RunOut], list[PlanOut]]:
        """Return all runs and plans; several who ask at once share one look."""
        with self._lock:
            if fresh or time.monotonic() - self._looked_at > FRESH_SECONDS:
                self._seen = self._look()
                self._looked_at = time.monotonic()
            return self._seen

    def find(self, name: str) -> RunOut:
        """Return one run as it stands now."""
        found = next((run for run in self.look(fresh=True)[0] if run.name == name), None)
        if found is None:
            raise WebError(f"there is no run {name[:80]}", 404)
        return found

    def check_room(self) -> None:
        """Refuse to make one run more than are kept; all are counted anew."""
        if len(self._look()[0]) >= self._limits.runs:
            raise WebError(f"{self._limits.runs:,} runs are kept, and no more: remove some of them")

    def enter_stream(self, visitor: str) -> None:
        """Count a stream of events; refuse one too many, of all or of one visitor."""
        with self._lock:
            full = self._streams.total() >= self._limits.streams
            if full or self._streams[visitor] >= self._limits.streams_share:
                raise WebError("too many pages watch already: close one of them", BUSY)
            self._streams[visitor] += 1

    def leave_stream(self, visitor: str) -> None:
        """Count a stream that has ended."""
        with self._lock:
            self._streams -= Counter([visitor])

    def _look(self) -> tuple[list[RunOut], list[PlanOut]]:
        orders, standings = self.orders.read(), self.keeper.standings()
        views, plans = self.runs.look()
        found: list[RunOut] = []
        told: list[PlanOut] = []
        for run in join(views, orders, standings):
            with suppress(ValidationError):  # such as a name that no text can hold
                found.append(_run_out(run))
        for plan in plans:
            with suppress(ValidationError):
                told.append(_plan_out(plan))
        return found, told


def _run_out(run: OrderedRun) -> RunOut:
    """Return a run for the page; where it began is told without the folders of this machine."""
    plain = run.to_json()
    began = plain["began_from"]
    short = None if began is None else "/".join(Path(str(began)).parts[-2:])
    return RunOut.model_validate_json(json.dumps({**plain, "began_from": short}))


def _plan_out(plan: PlanView) -> PlanOut:
    return PlanOut.model_validate(plan.to_json())

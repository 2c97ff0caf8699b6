"""What the server keeps going: runs and tournaments, with the folders they lie in."""

import json
import threading
import time
from contextlib import suppress
from pathlib import Path

from connectlab.errors import UserError
from connectlab.lab.keeper import Keeper
from connectlab.lab.orders import Order, Orders
from connectlab.lab.runs import PlanView, Runs, RunView, tuple_set
from connectlab.lab.tournaments import Tournaments
from connectlab.web.limits import Limits
from connectlab.web.models.runs import PlanOut, RunOut, RunState
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
        self._streams = 0
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

    def enter_stream(self) -> None:
        """Count a stream of events; refuse one too many."""
        with self._lock:
            if self._streams >= self._limits.streams:
                raise WebError("too many pages watch already: close one of them", BUSY)
            self._streams += 1

    def leave_stream(self) -> None:
        """Count a stream that has ended."""
        with self._lock:
            self._streams -= 1

    def _look(self) -> tuple[list[RunOut], list[PlanOut]]:
        orders, standings = self.orders.read(), self.keeper.standings()
        views, plans = self.runs.look()
        known = {view.name for view in views}
        found = [_run_out(view, orders.get(view.name), standings.get(view.name)) for view in views]
        found += [
            _order_out(name, order, standings.get(name))
            for name, order in orders.items()
            if name not in known
        ]
        found.sort(key=lambda run: run.started or "~", reverse=True)
        return found, [_plan_out(plan) for plan in plans]


def _run_out(view: RunView, order: Order | None, standing: tuple[str, int] | None) -> RunOut:
    """Put together what the folder says and what the keeper says."""
    state, place = _state(view.state, order, standing)
    problem = order.problem if order is not None and order.problem else view.problem
    return _read(
        {
            **view.to_json(),
            "state": state,
            "place": place,
            "problem": problem,
            "can_stop": order is not None and order.problem is None,
            "can_resume": state in ("stopped", "failed", "finished"),
        }
    )


def _read(plain: dict[str, object]) -> RunOut:
    """Check plain data; where a run began is told without the folders of this machine."""
    began = plain["began_from"]
    short = None if began is None else "/".join(Path(str(began)).parts[-2:])
    return RunOut.model_validate_json(json.dumps({**plain, "began_from": short}))


def _state(
    state: RunState, order: Order | None, standing: tuple[str, int] | None
) -> tuple[RunState, int]:
    if order is not None and order.problem is not None and state != "running":
        return "failed", 0
    if standing is not None and standing[0] == "stopping":
        return "stopping", 0
    if standing is not None and standing[0] in ("starting", "waiting") and state != "running":
        return ("starting", 0) if standing[0] == "starting" else ("waiting", standing[1])
    return state, 0


def _order_out(name: str, order: Order, standing: tuple[str, int] | None) -> RunOut:
    """Return a run that has not begun, as far as its order tells."""
    state, place = _state("stopped", order, standing)
    board: dict[str, object] | None = None
    total = 0
    with suppress(UserError):
        config = order.request().config()
        board, total = dict(config.geometry.to_json()), config.games
    return _read(
        {
            **RunView(name, "stopped").to_json(),
            "title": f"{order.learner} {order.preset or ''}".strip() or name,
            "state": state,
            "place": place,
            "problem": order.problem,
            "learner": order.learner or None,
            "preset": order.preset,
            "tuple_file": tuple_set(order.settings.get("tuple_file")),
            "board": board,
            "total": total,
            "can_stop": True,
            "can_resume": order.problem is not None,
        }
    )


def _plan_out(plan: PlanView) -> PlanOut:
    return PlanOut.model_validate(plan.to_json())

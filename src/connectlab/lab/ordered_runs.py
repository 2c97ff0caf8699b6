"""Runs as their folders, their orders and their keeper tell them together."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

from connectlab.errors import UserError
from connectlab.lab.keeper import Standing
from connectlab.lab.orders import Order
from connectlab.lab.runs import RunView, tuple_set

OrderedState: TypeAlias = Literal[
    "starting", "running", "waiting", "stopping", "stopped", "finished", "failed", "damaged"
]
Standings: TypeAlias = Mapping[str, tuple[Standing, int]]
"""What a keeper says of each run: how it stands, and its place in line."""


@dataclass(frozen=True)
class OrderedRun:
    """A run with the order for it, if there is one."""

    view: RunView
    """What its folder says; of one that has not begun little more than the name."""
    order: Order | None = None
    standing: tuple[Standing, int] | None = None
    has_begun: bool = True

    @property
    def state(self) -> OrderedState:
        """How it stands, in a word."""
        found = self.view.state
        word = None if self.standing is None else self.standing[0]
        if self.order is not None and self.order.problem is not None and found != "running":
            return "failed"
        if word == "stopping":
            return "stopping"
        if word in ("starting", "waiting") and found != "running":
            return word
        return found

    @property
    def place(self) -> int:
        """Its place in line if it waits, from 1; else 0."""
        return self.standing[1] if self.standing is not None and self.state == "waiting" else 0

    @property
    def problem(self) -> str | None:
        """Why it does not go on, or what is wrong with its folder."""
        return (self.order and self.order.problem) or self.view.problem

    @property
    def can_stop(self) -> bool:
        """Whether there is an order to be taken away."""
        return self.order is not None and (self.order.problem is None or not self.has_begun)

    @property
    def can_resume(self) -> bool:
        """Whether it could go on."""
        if not self.has_begun:
            return self.problem is not None
        return self.state in ("stopped", "failed", "finished")

    def to_json(self) -> dict[str, object]:
        """Return the run as plain data, all but its rows."""
        return {
            **self.view.to_json(),
            **({} if self.has_begun or self.order is None else _of_order(self.order)),
            "state": self.state,
            "place": self.place,
            "problem": self.problem,
            "can_stop": self.can_stop,
            "can_resume": self.can_resume,
        }


def join(
    views: list[RunView], orders: Mapping[str, Order], standings: Standings
) -> list[OrderedRun]:
    """Return all runs, the newest first; those that have not begun are the newest of all."""
    found = [OrderedRun(view, orders.get(view.name), standings.get(view.name)) for view in views]
    known = {view.name for view in views}
    found += [
        OrderedRun(RunView(name, "stopped"), order, standings.get(name), has_begun=False)
        for name, order in orders.items()
        if name not in known
    ]
    return sorted(found, key=_started, reverse=True)


def _started(run: OrderedRun) -> str:
    return "~" if run.view.record is None else run.view.record.started or "~"


def _of_order(order: Order) -> dict[str, object]:
    """Return what an order tells of a run that has not begun."""
    told: dict[str, object] = {
        "learner": order.learner or None,
        "preset": order.preset,
        "tuple_file": tuple_set(order.settings.get("tuple_file")),
    }
    title = f"{order.learner} {order.preset or ''}".strip()
    if title:
        told["title"] = title
    with suppress(UserError):
        config = order.request().config()
        told |= {"board": config.geometry.to_json(), "total": config.games}
    return told

"""What a folder, an order and a keeper say of a run, put together."""

import pytest

from connectlab.lab.keeper import Standing
from connectlab.lab.ordered_runs import OrderedRun, OrderedState, join
from connectlab.lab.orders import Order
from connectlab.lab.runs import RunState, RunView

ORDER = Order(learner="ntuple", preset="quick", placed=1)
FAILED = ORDER.model_copy(update={"problem": "the disk is full"})


@pytest.mark.parametrize(
    ("found", "order", "standing", "state", "place"),
    [
        ("finished", None, None, "finished", 0),
        ("damaged", None, None, "damaged", 0),
        ("stopped", None, None, "stopped", 0),
        ("running", None, None, "running", 0),
        ("stopped", ORDER, ("waiting", 3), "waiting", 3),
        ("stopped", ORDER, ("starting", 0), "starting", 0),
        ("running", ORDER, ("starting", 0), "running", 0),
        ("running", ORDER, ("running", 0), "running", 0),
        ("running", ORDER, ("waiting", 1), "running", 0),
        ("running", None, ("stopping", 0), "stopping", 0),
        ("running", ORDER, ("elsewhere", 0), "running", 0),
        ("stopped", FAILED, None, "failed", 0),
        ("running", FAILED, None, "running", 0),
    ],
)
def test_the_state_of_a_run_is_one_word(
    found: RunState,
    order: Order | None,
    standing: tuple[Standing, int] | None,
    state: OrderedState,
    place: int,
) -> None:
    run = OrderedRun(RunView("first", found), order, standing)
    assert (run.state, run.place) == (state, place)


def test_what_can_be_done_follows_from_order_and_state() -> None:
    stopped, failed = RunView("first", "stopped"), OrderedRun(RunView("first", "stopped"), FAILED)
    going = OrderedRun(RunView("first", "running"), ORDER, ("running", 0))
    assert (going.can_stop, going.can_resume) == (True, False)
    assert (failed.can_stop, failed.can_resume) == (False, True)
    assert failed.problem == "the disk is full"
    assert (OrderedRun(stopped).can_stop, OrderedRun(stopped).can_resume) == (False, True)
    damaged = OrderedRun(RunView("first", "damaged", "no run"))
    assert (damaged.can_stop, damaged.can_resume, damaged.problem) == (False, False, "no run")


def test_a_run_that_has_not_begun_is_told_from_its_order() -> None:
    (run,) = join([], {"first": ORDER}, {"first": ("waiting", 2)})
    told = run.to_json()
    assert (told["name"], told["state"], told["place"]) == ("first", "waiting", 2)
    assert (told["title"], told["learner"], told["preset"]) == ("ntuple quick", "ntuple", "quick")
    assert told["board"] == {"columns": 7, "rows": 6, "connect": 4}
    assert told["total"] == 750_000
    assert (told["can_stop"], told["can_resume"]) == (True, False)
    (run,) = join([], {"first": Order(learner="", problem="damaged")}, {})
    told = run.to_json()
    assert (told["title"], told["state"], told["learner"]) == ("first", "failed", None)
    assert (told["can_stop"], told["can_resume"]) == (True, True)


def test_a_run_that_has_begun_is_listed_once() -> None:
    runs = join([RunView("first", "running")], {"first": ORDER, "second": ORDER}, {})
    assert sorted(run.view.name for run in runs) == ["first", "second"]
    assert {run.view.name: run.has_begun for run in runs} == {"first": True, "second": False}

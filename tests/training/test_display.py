"""What is seen of a run."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from connectlab.training import display
from connectlab.training.display import PlainDisplay, Snapshot, duration, panel, sparkline
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation


def evaluation(games: int, rate: float) -> Evaluation:
    interval = max(0.0, rate - 0.1), min(1.0, rate + 0.1)
    figure = Figure("success_rate", rate, interval)
    return Evaluation(games, (Measurement("success:games=100", (figure,), "perfect"),))


def snapshot(games: int = 2500, *rates: float, outstanding: int = 0) -> Snapshot:
    found = [evaluation(100 * (number + 1), rate) for number, rate in enumerate(rates)]
    metrics = {"alpha": 0.004, "td_error": 0.25}
    return Snapshot(games, 10_000, 5.0, 500.0, metrics, found, outstanding, "success")


def drawn(shown: Snapshot) -> str:
    console = Console(file=io.StringIO(), width=100, color_system=None)
    with console.capture() as captured:
        console.print(panel("title", shown))
    return captured.get()


def test_sparkline() -> None:
    assert sparkline([0, 0.5, 1.0]) == "▁▅█"
    assert sparkline([-1, 2]) == "▁█"
    assert sparkline([]) == ""
    assert len(sparkline([0.5] * 100)) == display.SPARKS


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.1, "1:00"), (249, "4:09"), (3849, "1:04:09")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_panel_says_it_all() -> None:
    text = drawn(snapshot(2500, 0.25, 0.75, 0.5))
    for part in (
        "2,500 of 10,000",
        "500 games/s",
        "0:15 left",
        "alpha 0.004, td_error 0.25",
        "▃▆▅",
    ):
        assert part in text
    assert "0.500 [0.400, 0.600] after 300, best 0.750 after 200" in text


def test_the_panel_before_and_after() -> None:
    assert "not evaluated yet" in drawn(snapshot())
    assert "evaluating …" in drawn(snapshot(outstanding=1))
    assert "2 evaluations to come" in drawn(snapshot(10_000, outstanding=2))
    assert "done" in drawn(snapshot(10_000, 1.0))


def test_plain_lines_tell_each_evaluation_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "LINE_SECONDS", 1e9)
    file = io.StringIO()
    plain = PlainDisplay("run-1", file)
    for shown in (snapshot(1), snapshot(200, 0.25), snapshot(300, 0.25), snapshot(400, 0.25, 0.5)):
        plain.show(shown)
    assert file.getvalue().splitlines() == [
        "run-1: 1 of 10,000 games, 500 games/s, 0:20 left, alpha 0.004, td_error 0.25",
        "run-1: after 100 games: success 0.250 [0.150, 0.350]",
        "run-1: after 200 games: success 0.500 [0.400, 0.600]",
    ]


def test_what_an_earlier_session_measured_is_no_news() -> None:
    file = io.StringIO()
    PlainDisplay(file=file).show(snapshot(300, 0.25))
    assert "success" not in file.getvalue()


def test_a_run_that_was_done_before_has_no_speed() -> None:
    file = io.StringIO()
    done = Snapshot(10, 10, 5.0, 0.0, {"alpha": 0.004}, [evaluation(10, 0.5)], 0, "success")
    PlainDisplay(file=file).show(done)
    assert file.getvalue() == ""
    assert "games/s" not in drawn(done)
    PlainDisplay(file=file).show(replace(done, outstanding=1))
    assert file.getvalue() == "10 of 10 games, 1 evaluation to come, alpha 0.004\n"


def test_the_panel_names_the_first_measure_whatever_it_is() -> None:
    figures = (Figure("win_rate", 0.875, (0.8, 0.95)), Figure("winning_quota", None, (9.0, None)))
    found = [Evaluation(100, (Measurement("quota:games=50", figures, "random"),))]
    text = drawn(Snapshot(200, 10_000, 5.0, 500.0, {}, found, 0, "quota"))
    assert "win rate" in text
    assert "0.875 [0.800, 0.950] after 100" in text
    assert "success" not in text


def test_a_run_without_evaluations_shows_none() -> None:
    text = drawn(Snapshot(200, 10_000, 5.0, 500.0, {"loss": float("nan")}, [], 0))
    assert "evaluated" not in text
    assert "loss nan" in text


def test_no_speed_no_time_left() -> None:
    assert Snapshot(0, 10, 0.0, 0.0, {}, [], 0).seconds_left is None

"""Pictures of learning curves."""

from pathlib import Path

import pytest

from connectlab.training.curve import curve_label, draw_curve, save_curve
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation

SUCCESS = Measurement(
    "success",
    (Figure("success_rate", 0.5, (0.4, 0.6)),),
    "perfect",
    {"games": 200},
    {"perfect_success_rate": 0.5},
)
QUOTA = Measurement(
    "quota",
    (Figure("win_rate", 0.9, (0.8, 0.95)), Figure("winning_quota", None, (9.0, None))),
    "random",
)
EXACT = Measurement("exact", (Figure("exact_success_rate", 0.75),), "perfect")


@pytest.mark.parametrize("n", [1, 30])
@pytest.mark.parametrize("measures", [(SUCCESS,), (QUOTA, SUCCESS), (EXACT,)])
@pytest.mark.parametrize("key", [None, "by key"])
def test_a_curve_is_drawn(
    tmp_path: Path, n: int, measures: tuple[Measurement, ...], key: str | None
) -> None:
    evaluations = [Evaluation(1000 * (number + 1), measures) for number in range(n)]
    chosen = None if key is None else measures[-1].figures[-1].key
    save_curve(evaluations, "ntuple quick", tmp_path / "curve.png", key=chosen)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_figure_that_nothing_bounds_can_be_drawn(tmp_path: Path) -> None:
    save_curve([Evaluation(5, (QUOTA,))], "title", tmp_path / "c.png", key="winning_quota")
    assert (tmp_path / "c.png").exists()


def test_the_axis_names_the_opponent() -> None:
    assert curve_label("score_rate", "minimax") == "mean score against minimax"
    assert curve_label("success_rate", "perfect") == "success against perfect play"
    assert curve_label("my_own_figure") == "my own figure"


def test_the_line_breaks_where_the_measure_changed() -> None:
    judged = [EXACT, EXACT, SUCCESS, SUCCESS, SUCCESS, EXACT]
    evaluations = [Evaluation(100 * n, (each,)) for n, each in enumerate(judged, start=1)]
    (axes,) = draw_curve(evaluations, "title").axes
    stretches = [list(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "-"]
    assert stretches[:3] == [[100, 200], [300, 400, 500], [600]]
    names = axes.get_legend_handles_labels()[1]
    assert names.count("exact success") == 1
    assert names.count("success over 200 games") == 1
    assert names.count("95 % interval") == 1
    assert axes.get_ylabel() == "exact success against perfect play"

"""Pictures of curves: labels that can be read, arrows that mean something, true captions."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from made_up_runs import made_up, number, report_on
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from connectlab.lab.compare import Comparison, Curve, RunGroup
from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.konen_runs import SIZES
from connectlab.lab.papers.lines import draw_lines
from connectlab.lab.papers.panels import draw_times
from connectlab.lab.papers.registry import find_experiments
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.thill_runs import SIZES as THILL_SIZES
from connectlab.training.measurement import Figure as Measured

QUICK = replace(SIZES["quick"], repeats=6)


def rise(cell: TrainingCell, done: float) -> float:
    """Return a success that rises all the way."""
    return 0.9 * done


def boxes(drawing: Figure, texts: list[Annotation]) -> list[tuple[float, float]]:
    """Return where texts begin and end, from below."""
    canvas = FigureCanvasAgg(drawing)
    canvas.draw()
    found = [text.get_window_extent(canvas.get_renderer()) for text in texts]
    return sorted((box.y0, box.y1) for box in found)


def annotations(axes: Axes) -> list[Annotation]:
    return [each for each in axes.get_children() if isinstance(each, Annotation)]


@pytest.mark.parametrize("levels", [(0.90, 0.92), (0.84, 0.90), (0.58,)])
def test_labels_of_levels_do_not_overprint(levels: tuple[float, ...]) -> None:
    empty = Comparison("success_rate", None, ())
    drawing = draw_lines(empty, "a title", {f"{level} published": level for level in levels})
    drawing.axes[0].set_ylim(-0.02, 1.04)
    labels = annotations(drawing.axes[0])
    assert len(labels) == len(levels)
    found = boxes(drawing, labels)
    for (_, top), (bottom, _) in pairwise(found):
        assert top < bottom


def test_levels_of_the_tuned_alpha_can_be_read() -> None:
    report = report_on("thill-fig3b", THILL_SIZES["mini"], rise)
    drawing = report.pictures[0].drawing
    below, above = boxes(drawing, annotations(drawing.axes[0]))
    assert below[1] < above[0]


def group(name: str, runs: int, reached: int) -> RunGroup:
    """Return runs of which some reach 80 % in the middle."""
    curves = [
        Curve(
            Path(str(run)), "success_rate", "perfect", run, (50, 100),
            (Measured("success_rate", 0.85 if run < reached else 0.1),) * 2, 100, 1.0, "7x6",
        )
        for run in range(runs)
    ]  # fmt: skip
    return RunGroup(name, tuple(curves))


@pytest.mark.parametrize(
    ("runs", "reached", "arrows"), [(2, 0, 0), (2, 2, 0), (10, 0, 1), (10, 10, 0), (4, 1, 0)]
)
def test_an_arrow_is_drawn_only_where_an_interval_is_open(
    runs: int, reached: int, arrows: int
) -> None:
    drawing = draw_times([group("a", runs, reached)], {0.8: "#000000"}, 100.0)
    axes = drawing.axes[0]
    assert sum(line.get_marker() == ">" for line in axes.lines) == arrows
    assert [each.get_text() for each in annotations(axes)] == [f"{reached} of {runs}"]
    has_line = any(len(list(line.get_xdata())) == 2 for line in axes.lines)
    assert has_line == (runs >= 5)


@pytest.mark.parametrize(
    ("runs", "drawn"),
    [
        (1, "one run each"),
        (3, "mean, and from the lowest to the highest of the runs"),
        (6, "mean and 95 % interval over the runs"),
    ],
)
def test_the_caption_says_what_is_drawn_over_lambda(runs: int, drawn: str) -> None:
    report = report_on("konen-lambda", QUICK, rise, runs=runs)
    captions = {each.file: each.caption for each in report.pictures}
    assert captions["lambda.png"].startswith(f"Success late in the runs against lambda, {drawn}; ")
    assert captions["curves.png"].startswith("One run" if runs == 1 else "Mean over the runs")


@pytest.mark.parametrize(("name", "told"), [("thill-fig2b", True), ("thill-fig3a", False)])
def test_the_caption_tells_of_single_runs_where_they_are_drawn(name: str, told: bool) -> None:
    picture = report_on(name, THILL_SIZES["mini"], rise).pictures[0]
    curves = len(picture.drawing.axes[0].get_lines())
    lines = 2 if told else 3
    assert (curves > 2 * lines) == told  # more than a mean and a level for each
    assert ("every run (thin)" in picture.caption) == told


def test_the_caption_tells_of_lines_with_fewer_runs_than_others() -> None:
    (experiment,) = find_experiments(["konen-lambda"])
    cells = [
        cell
        for cell in experiment.cells(QUICK)
        if isinstance(cell, TrainingCell)
        and (number(cell, "trace_lambda") < 0.9 or number(cell, "seed") <= 2)
    ]
    results = {cell.key: made_up(cell, rise) for cell in cells}
    report = experiment.report(Found(tuple(cells), results), QUICK)
    assert (
        "where there are fewer than five runs, from lowest to highest" in report.pictures[0].caption
    )


@pytest.mark.parametrize(
    "name", ["konen-lambda", "konen-traces", "konen-rules", "thill-fig2b", "thill-fig3b"]
)
def test_legends_stand_below_what_is_drawn(name: str) -> None:
    size = QUICK if name.startswith("konen") else THILL_SIZES["mini"]
    report = report_on(name, size, rise, runs=1)
    for picture in report.pictures:
        if picture.file == "times.png":
            continue
        canvas = FigureCanvasAgg(picture.drawing)
        canvas.draw()
        for axes in picture.drawing.axes:
            legend = axes.get_legend()
            assert legend is not None
            box = legend.get_window_extent(canvas.get_renderer())
            assert box.y1 < axes.get_window_extent().y0
            assert box.y0 >= 0


@pytest.mark.parametrize(
    "name", ["thill-opponents", "thill-sigmoid", "konen-lambda", "konen-traces", "konen-rules"]
)
def test_panels_and_their_legends_stay_apart(name: str) -> None:
    size = QUICK if name.startswith("konen") else THILL_SIZES["quick"]
    pictures = report_on(name, size, rise).pictures
    drawing = next(each.drawing for each in pictures if each.file == "curves.png")
    canvas = FigureCanvasAgg(drawing)
    canvas.draw()
    for axes, after in pairwise(drawing.axes):
        if after.bbox.y1 < axes.bbox.y0:
            continue  # the next row
        ends = [axes.get_tightbbox(canvas.get_renderer()), after.get_tightbbox()]
        assert ends[0] is not None
        assert ends[1] is not None
        assert ends[0].x1 <= ends[1].x0 + 1
        assert axes.bbox.width == pytest.approx(after.bbox.width, rel=0.01)


def test_a_legend_leaves_out_what_the_title_of_its_panel_says() -> None:
    (_, curves) = report_on("konen-lambda", QUICK, rise).pictures
    legends = [axes.get_legend() for axes in curves.drawing.axes]
    texts = [[] if each is None else [text.get_text() for text in each.get_texts()]
             for each in legends]  # fmt: skip
    assert texts[0][0] == "lambda 0 (6 runs)"
    assert texts[2] == [f"lambda {value} (6 runs)" for value in (0.8, 0.9, 0.95)]

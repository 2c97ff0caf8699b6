"""``compare``: runs side by side, for people, as a document and as a picture."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.training.folder import RunFolder, RunRecord
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation, MetricsLog, ProgressRow

Cli = Callable[..., Any]

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Two runs with known curves."""
    curves = ((1, [0.5, 0.85, 0.95]), (2, [0.25, 0.5, 0.75]))
    return [write(tmp_path / f"run-{seed}", rates, seed) for seed, rates in curves]


def write(path: Path, rates: list[float], seed: int, games: int = 300) -> str:
    """Write a run with a known curve."""
    config = NTupleConfig(seed=seed, games=games)
    with RunFolder.create(path, RunRecord.make(config)) as folder:
        log = MetricsLog(folder.metrics)
        for number, rate in enumerate(rates, start=1):
            log.add(ProgressRow(100 * number, float(number), 100.0, {}))
            figure = Figure("success_rate", rate, (rate / 2, 1.0))
            found = Measurement("success", (figure,), "perfect", {"games": 200})
            log.add(Evaluation(100 * number, (found,), float(number)))
    return str(path)


def test_a_comparison_for_people(cli: Cli, runs: list[str], tmp_path: Path) -> None:
    ran = cli("compare", *runs, "--plot", str(tmp_path / "curves.png"))
    assert ran.code == 0
    assert "2 runs on 7x6 connect-4, success rate against perfect" in ran.out
    assert "at the end   0.850 +- 0.141, from 0.750 to 0.950" in ran.out
    assert "to 80 %      no median, 1 of 2 runs never" in ran.out
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_written_loses_no_table(
    cli: Cli, runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "curves.png")

    monkeypatch.setattr("connectlab.lab.compare_plot.save_plot", fail)
    ran = cli("compare", *runs, "--plot", str(tmp_path / "curves.png"))
    assert ran.code == 2
    assert "at the end   0.850" in ran.out


def test_one_run_has_no_spread(cli: Cli, runs: list[str]) -> None:
    out = cli("compare", runs[0]).out
    assert "  at the end   0.950\n" in out
    assert "  to 80 %      200 games\n" in out
    assert "+-" not in out
    assert "group" not in out.splitlines()[0]


def test_groups_are_named_by_what_sets_them_apart(
    cli: Cli, runs: list[str], tmp_path: Path
) -> None:
    other = write(tmp_path / "other", [0.1, 0.2], 1, games=600)
    out = cli("compare", *runs, other).out
    assert out.split()[:3] == ["run", "group", "seed"]
    assert "\ngames=300: 2 runs on 7x6 connect-4" in out
    assert "\ngames=600: 1 run on 7x6 connect-4" in out


def test_a_run_without_evaluations_is_not_measured(
    cli: Cli, runs: list[str], tmp_path: Path
) -> None:
    quiet = write(tmp_path / "quiet", [], 3)
    out = cli("compare", *runs, quiet).out
    (row,) = [line for line in out.splitlines() if line.startswith(quiet)]
    assert "not measured" in row
    assert "never" not in row
    assert "success rate against perfect, 1 not measured" in out
    assert "to 80 %      no median, 1 of 2 runs never" in out
    assert "1 run on 7x6 connect-4, not measured" in cli("compare", quiet).out


def test_the_document_has_the_documented_keys(cli: Cli, runs: list[str]) -> None:
    document = cli("compare", *runs, "--json").document
    (group,) = document["groups"]
    section = PAGE.split("\n## compare\n")[1].split("\n## ")[0]
    for key in (*document, *group, *group["last"], *group["runs"][0], "mean_interval"):
        assert f"`{key}`" in section, key
    assert group["last"]["mean"] == pytest.approx(0.85)
    assert [run["games_to"]["0.9"] for run in group["runs"]] == [300, None]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["nowhere"], "nowhere holds no run, and no folder with one"),
        ([], "RUN..."),
    ],
)
def test_mistakes_are_one_line(
    cli: Cli,
    arguments: list[str],
    part: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("compare", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert ran.err.count("\n") == 1


def test_a_figure_nobody_measured_is_one_line(cli: Cli, runs: list[str]) -> None:
    ran = cli("compare", *runs, "--key", "win_rate")
    assert ran.code == 2
    assert "has no figure 'win_rate': choose from success_rate" in ran.err

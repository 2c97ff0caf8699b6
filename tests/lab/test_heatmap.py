"""The cross table of a tournament as a picture."""

from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.arena.tournament import TournamentResult, play_tournament
from connectlab.lab.heatmap import _percent, _wrap, save_heatmap

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return play_tournament([make_agent("random"), make_agent("extend")], 10, seed=2)


def test_the_heat_map_is_a_picture(result: TournamentResult, tmp_path: Path) -> None:
    path = tmp_path / "new" / "heat.png"
    save_heatmap(result, path)
    assert path.read_bytes().startswith(PNG)
    assert list(path.parent.iterdir()) == [path]


def test_a_heat_map_that_fails_leaves_the_old_one(
    result: TournamentResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "heat.png"
    path.write_bytes(b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("matplotlib.backends.backend_agg.FigureCanvasAgg.print_figure", fail)
    with pytest.raises(OSError, match="disk is full"):
        save_heatmap(result, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("rate", "text"),
    [(0.0, "0"), (1.0, "100"), (0.0001, "<0.1"), (0.99999, ">99.9"), (0.5, "50.0")],
)
def test_only_nothing_and_everything_round_to_0_and_100(rate: float, text: str) -> None:
    assert _percent(rate) == text


def test_long_names_break_at_a_comma() -> None:
    assert _wrap("minimax:depth=1,force_center=true") == "minimax:depth=1,\nforce_center=true"
    assert _wrap("random") == "random"

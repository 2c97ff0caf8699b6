"""The picture of an analysis has all its parts, for every player and on every board."""

from collections import Counter
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from connectlab.agents import Analysis, Group, make_agent
from connectlab.agents.contents import Page
from connectlab.game import Geometry, Position
from connectlab.lab.bars import bar_heights
from connectlab.lab.picture import draw_analysis, draw_part, save_picture
from connectlab.lab.verdicts import Verdicts

BOARDS = [
    Geometry(),
    Geometry(5, 4),
    Geometry(12, 4),
    Geometry(2, 20),
    Geometry(1, 5),
    Geometry(21, 2),
]


def parts(figure: Figure) -> Counter[str]:
    """Count the named parts of a figure."""
    return Counter(p.get_gid() for p in figure.axes[0].patches if p.get_gid())


def words(figure: Figure) -> str:
    """All that is written, with single blanks."""
    return " ".join(text.get_text() for text in figure.axes[0].texts)


def indexed(found: Counter[str], name: str) -> set[int]:
    """The columns of the parts of one name, such as "value 3"."""
    return {int(key.split()[1]) for key in found if key.startswith(f"{name} ")}


def test_a_network_is_drawn_with_values_chances_sentences_and_groups() -> None:
    position = Position.from_moves("57267654256")
    analysis = make_agent("ntuple:champion").analyse(position)
    figure = draw_analysis(analysis, "ntuple:champion")
    found = parts(figure)
    assert found["stone"] == position.ply
    assert found["move"] == len(analysis.best)
    assert indexed(found, "policy") == set(analysis.best)
    assert indexed(found, "value") == set(range(7))
    assert not indexed(found, "verdict")
    assert found["group"] == len(analysis.groups) == 25
    assert found["group cell"] == sum(len(group.cells) for group in analysis.groups)
    written = words(figure)
    assert all(text in written for text in (*analysis.value_texts, *analysis.sentences))
    assert analysis.legend[1:] in written
    assert "second player to move" in written


def test_verdicts_are_drawn_and_wrong_columns_marked() -> None:
    position = Position.from_moves("444444")
    values = (0.5, 0.1, 0.2, None, 0.3, 0.4, 0.0)
    analysis = Analysis(position, (1.0, 0, 0, 0, 0, 0, 0), values)
    verdicts = Verdicts(position, (-3, 2, 2, None, -1, None, 2))
    figure = draw_analysis(analysis, "someone", verdicts)
    assert indexed(parts(figure), "verdict") == {0, 1, 2, 4, 5, 6}
    marked = {t.get_gid() for t in figure.axes[0].texts if "disagreement" in (t.get_gid() or "")}
    assert marked == {"disagreement 0", "disagreement 4"}
    written = words(figure)
    assert "It plays 1, which loses in" in written
    assert "full" in written
    assert "?" in written


def test_a_player_with_only_chances_is_drawn() -> None:
    analysis = make_agent("random").analyse(Position.from_moves("444444"))
    figure = draw_analysis(analysis, "random")
    assert indexed(parts(figure), "policy") == {0, 1, 2, 4, 5, 6}
    assert not indexed(parts(figure), "value")


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
@pytest.mark.parametrize("spec", ["random", "minimax:depth=2", "grouped"])
def test_everything_lies_on_the_sheet_whatever_the_board(geometry: Geometry, spec: str) -> None:
    position = Position(geometry).play(0)
    if spec == "grouped":
        n = geometry.columns
        group = Group("a group with a rather long title", ((0, 0), (n - 1, 1)), ("X", "?"), -1.5)
        analysis = Analysis(
            position,
            (1 / n,) * n,
            tuple(1e6 * (-1) ** c for c in range(n)),
            column_notes=dict.fromkeys(range(n), "loses in 12 plies"),
            sentences=("A long sentence. " * 20,),
            groups=(group,) * 7,
            legend="groups",
        )
        verdicts = Verdicts(position, (-1,) * n)
    else:
        analysis, verdicts = make_agent(spec, geometry).analyse(position), None
    figure = draw_analysis(analysis, "a player with quite a long name, depth=3", verdicts)
    assert indexed(parts(figure), "policy") == set(analysis.best)
    renderer = FigureCanvasAgg(figure).get_renderer()
    sheet = figure.bbox
    for artist in (*figure.axes[0].texts, *figure.axes[0].patches):
        box = artist.get_window_extent(renderer)
        inside = (
            box.x0 >= sheet.x0 - 1
            and box.x1 <= sheet.x1 + 1
            and box.y0 >= sheet.y0 - 1
            and box.y1 <= sheet.y1 + 1
        )
        assert inside, artist.get_text() if isinstance(artist, Text) else artist


def test_the_file_is_a_png(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    geometry = Geometry(5, 4)
    save_picture(make_agent("extend", geometry).analyse(Position(geometry)), path, "extend")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 10_000


def test_a_part_of_a_player_is_drawn_for_both_sides() -> None:
    contents = make_agent("ntuple:champion").contents()
    assert contents is not None
    figure = draw_part(contents, 12, "ntuple:champion", Page(7))
    assert parts(figure)["group"] == 14
    assert parts(figure)["group cell"] == 14 * len(contents.part(12).cells)
    assert "First player to move" in words(figure)
    assert "Second player to move" in words(figure)


def test_bars_keep_order_and_sign_on_both_scales() -> None:
    for values in ({0: 1.0, 1: -0.5, 2: 0.25, 3: 0.0}, {0: 2e6, 1: -3.0, 2: 1.5, 4: 0.0}):
        heights, _ = bar_heights(values)
        assert sorted(values, key=values.__getitem__) == sorted(heights, key=heights.__getitem__)
        assert all((heights[c] > 0) == (v > 0) for c, v in values.items())
        assert max(map(abs, heights.values())) == 1
    assert not bar_heights({0: 1.0, 1: 0.001})[1]
    assert bar_heights({0: 2e6, 1: 3.0})[1]
    assert bar_heights({0: 0.0}) == ({0: 0.0}, False)

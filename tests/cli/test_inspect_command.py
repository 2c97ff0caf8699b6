"""``inspect``: what a player sees, beside perfect play, and what it is made of."""

import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from connectlab.agents import Analysis, Group, make_agent
from connectlab.agents.contents import Page
from connectlab.cli.contents import print_contents, print_part
from connectlab.cli.explain import print_analysis
from connectlab.game import Geometry, Position
from connectlab.lab.verdicts import Verdicts, ask_solver
from connectlab.solver import Solver

Cli = Callable[..., Any]
WIDE = 1000


def screen(width: int) -> Console:
    """A terminal without colours that keeps what is printed."""
    return Console(
        file=io.StringIO(), width=width, force_terminal=True, color_system=None,
        highlight=False, markup=False, emoji=False,
    )  # fmt: skip


def printed(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def characters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def an_analysis() -> tuple[Analysis, Verdicts]:
    """An analysis with everything there is, and long words in every place."""
    position = Position.from_moves("444444")
    group = Group("tuple 12, mirrored", ((0, 0), (6, 5)), ("X", "+"), -0.123, "-4.2 %")
    analysis = Analysis(
        position,
        (0.5, 0.005, 0, 0, 0.495, 0, 0),
        (2_000_021.25, -1.5, 0.0, None, 2_000_021.25, 3.0, 4.0),
        "streak value so many plies ahead, and more",
        column_notes={0: "wins in 7 plies by a long and winding road", 5: "loses in 2 plies"},
        sentences=("The first sentence is as long as it needs to be.", "The second is short."),
        facts={"depth": 3, "static_value": 0.25, "wins_at_once": False},
        groups=(group,) * 5,
        legend="five groups (X first, + empty)",
    )
    return analysis, Verdicts(position, (-3, 2, 2, None, -1, None, 2))


@pytest.mark.parametrize("width", [40, 52, 80, 120])
def test_no_width_loses_anything_of_an_explanation(width: int) -> None:
    analysis, verdicts = an_analysis()
    for scores in (None, verdicts):
        wide, narrow = screen(WIDE), screen(width)
        for out in (wide, narrow):
            print_analysis("minimax:depth=3", analysis, scores, out=out)
        assert max(map(len, printed(narrow).splitlines())) <= width
        assert not characters(printed(wide)) - characters(printed(narrow))


@pytest.mark.parametrize("width", [40, 80])
def test_every_column_keeps_its_row_on_a_narrow_screen(width: int) -> None:
    analysis, verdicts = an_analysis()
    out = screen(width)
    print_analysis("minimax", analysis, verdicts, out=out)
    table = printed(out).split("\n\n")[1].splitlines()
    rows = {line.split()[0]: line.split() for line in table if line[:1].isdigit()}
    assert rows["1"][1:5] == ["50", "%", "+2,000,021.25", "-3"]
    assert rows["2"][1:5] == ["<1", "%", "-1.50", "+2"]
    assert rows["6"][1:3] == ["+3.00", "?"]
    assert set(rows) == set("1234567")


def test_groups_stand_side_by_side_as_far_as_the_width_goes() -> None:
    analysis, _ = an_analysis()
    for width, across in ((40, 2), (80, 4), (20, 1)):
        out = screen(width)
        print_analysis("x", analysis, out=out)
        titles = [line for line in printed(out).splitlines() if line.startswith("tuple 12,")]
        assert titles[0].count("tuple 12, mirrored") == across
        assert sum(line.count("tuple 12, mirrored") for line in titles) == 5
        assert "X......" in printed(out)
        assert "......+" in printed(out)


def test_colours_change_no_word() -> None:
    analysis, verdicts = an_analysis()
    plain, coloured = screen(80), screen(80)
    coloured = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    for out in (plain, coloured):
        print_analysis("x", analysis, verdicts, out=out)
    assert "\x1b[" not in printed(plain)
    assert "\x1b[" in printed(coloured)


@pytest.mark.parametrize("width", [40, 80, 160])
def test_no_width_loses_anything_of_the_contents(width: int) -> None:
    contents = make_agent("ntuple:champion").contents()
    assert contents is not None
    wide, narrow = screen(WIDE), screen(width)
    for out in (wide, narrow):
        print_contents("ntuple:champion", contents, sort="mean", top=5, out=out)
        print_part("ntuple:champion", contents, 3, Page(4), out=out)
    assert max(map(len, printed(narrow).splitlines())) <= width
    assert not characters(printed(wide)) - characters(printed(narrow))


def test_pipes_get_plain_text_of_readable_width(cli: Cli) -> None:
    out = cli("inspect", "ntuple:champion", "4453").out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 100
    assert not any(line != line.rstrip() for line in out.splitlines())


def erring_position() -> Position:
    """A position in which minimax of depth 2 gives a win or a draw away."""
    solver, agent = Solver(), make_agent("minimax:depth=2")
    for moves in ("5777131", "311165", "465172", "76117", "431717"):
        position = Position.from_moves(moves)
        scores = solver.analyse(position)
        best = max(score for score in scores if score is not None)
        played = [scores[c] or 0 for c in agent.analyse(position).best]
        if (best > 0 > min(played)) or (best >= 0 > min(played)):
            return position
    raise AssertionError("minimax plays better than it did")


def test_scores_stand_beside_values_and_mistakes_are_told(cli: Cli) -> None:
    position = erring_position()
    document = cli("inspect", "minimax:depth=2", position.moves, "--json").document
    scores = Solver().analyse(position)
    assert list(document["column_scores"].values()) == list(scores)
    assert document["unsolved"] == []
    best = max(score for score in scores if score is not None)
    assert all(document["column_scores"][name] == best for name in document["perfect"])
    (grave, *_) = [d for d in document["disagreements"] if d["kind"] == "outcome"]
    assert set(grave["columns"]) <= set(document["best"])
    text = cli("inspect", "minimax:depth=2", position.moves).out
    assert f"Disagreement: {grave['sentence']}" in " ".join(text.split())
    assert "Perfect play: " in text


def test_agreement_is_said_too(cli: Cli) -> None:
    text = cli("inspect", "perfect", "121212").out
    assert "The player agrees." in text
    assert "wins in 1 ply" in text


def test_the_solver_can_be_left_out(cli: Cli) -> None:
    document = cli("inspect", "extend", "44", "--no-solver", "--json").document
    assert "column_scores" not in document
    assert "score" not in cli("inspect", "extend", "44", "--no-solver").out


def test_a_board_too_hard_says_so_and_shows_the_rest(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def impatient(solver: Solver, position: Position, **_: object) -> Verdicts:
        return ask_solver(solver, position, max_nodes=50)

    monkeypatch.setattr("connectlab.lab.verdicts.ask_solver", impatient)
    ran = cli("inspect", "minimax:depth=2", "44", "--columns", "8", "--rows", "7")
    assert ran.code == 0
    assert "Too hard to solve within the limits: 1 2 3 4 5 6 7 8." in ran.out
    assert "<- would play" in ran.out
    assert "agrees" not in ran.out


def test_a_player_with_only_chances_is_shown(cli: Cli) -> None:
    ran = cli("inspect", "random", "44", "--no-solver")
    assert ran.code == 0
    assert ran.out.count("14.3 %") == 7
    document = cli("inspect", "random", "44", "--json").document
    assert document["values"] is None
    assert sum(document["policy"].values()) == pytest.approx(1)


@pytest.mark.parametrize("spec", ["random", "minimax:depth=2", "ntuple:champion"])
def test_a_plot_is_written_and_said(cli: Cli, tmp_path: Path, spec: str) -> None:
    picture = tmp_path / "seen.png"
    ran = cli("inspect", spec, "4453", "--plot", str(picture), "--json")
    assert ran.code == 0
    assert ran.document["moves"] == "4453"
    assert ran.err == f"wrote {picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_plot_on_another_board(cli: Cli, tmp_path: Path) -> None:
    picture = tmp_path / "seen.png"
    ran = cli("inspect", "negamax", "3", "--columns", "5", "--rows", "4", "--plot", str(picture))
    assert ran.code == 0
    assert picture.is_file()


def test_a_plot_that_cannot_be_written_is_refused_before_the_work(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectlab.agents.make_agent", lambda *_: pytest.fail("it began to work"))
    (tmp_path / "file").touch()
    ran = cli("inspect", "random", "--plot", str(tmp_path / "file" / "seen.png"))
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert "seen.png" in ran.err


def test_contents_are_sorted_and_cut_as_asked(cli: Cli) -> None:
    document = cli("inspect", "ntuple:champion", "--contents", "--sort", "mean", "--json").document
    means = [part["mean"] for part in document["parts"]]
    assert means == sorted(means, reverse=True)
    assert len(means) == document["facts"]["tuples"]
    assert document["facts"]["realisable_weights"] < document["facts"]["weights"]
    few = cli("inspect", "ntuple:champion", "--contents", "--sort", "mean", "--top", "3")
    rows = [line.split()[0] for line in few.out.splitlines() if line[:1].isdigit()][:3]
    assert rows == [str(part["number"]) for part in document["parts"][:3]]


def test_one_part_shows_its_heaviest_states(cli: Cli, tmp_path: Path) -> None:
    picture = tmp_path / "part.png"
    arguments = ("inspect", "ntuple:champion", "--part", "12", "--top", "3")
    document = cli(*arguments, "--json").document
    assert document["part"]["number"] == 12
    assert [len(entries["groups"]) for entries in document["entries"]] == [3, 3]
    ran = cli(*arguments, "--plot", str(picture))
    assert picture.is_file()
    for entries in document["entries"]:
        assert entries["title"] in ran.out
        for group in entries["groups"]:
            assert f"{group['weight']:+.3f}" in ran.out


def test_entries_of_a_part_are_listed_page_by_page(cli: Cli) -> None:
    part = ("inspect", "ntuple:champion", "--part", "12", "--order", "lowest")
    whole = cli(*part, "--top", "5", "--json").document["entries"][0]
    page = cli(*part, "--top", "2", "--skip", "3", "--json").document["entries"][0]
    assert page["groups"] == whole["groups"][3:]
    assert whole["groups"][0]["weight"] < 0
    ran = cli(*part, "--top", "2", "--skip", "3")
    assert f"{page['title']}, 4 to 5 of {page['total']:,}:" in ran.out
    assert "none of" in cli(*part, "--skip", str(page["total"])).out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ntuple:champion", "--contents", "--sort", "weight"], "no column 'weight'"),
        (["ntuple:champion", "--part", "71"], "there is no tuple 71: choose from 1 to 70"),
        (["ntuple:champion", "4453", "--contents"], "leave 4453 out"),
        (["ntuple:champion", "--contents", "--plot", "x.png"], "add --part N"),
        (
            ["ntuple:champion", "--contents", "--skip", "3"],
            "--skip and --order list the entries of one part",
        ),
        (["ntuple:champion", "--part", "3", "--order", "size"], "try heaviest, highest, lowest"),
        (["minimax", "--contents"], "minimax has learned nothing that could be listed"),
        (["minimax", "1212121"], "is over"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(
    cli: Cli, arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("inspect", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert says in ran.err
    assert not list(tmp_path.iterdir())


def test_a_wide_board_fits_a_narrow_screen() -> None:
    geometry = Geometry(12, 4)
    out = screen(40)
    print_analysis("negamax", make_agent("negamax", geometry).analyse(Position(geometry)), out=out)
    assert max(map(len, printed(out).splitlines())) <= 40


@pytest.mark.parametrize("option", [("--sort", "mean"), ("--top", "3")])
def test_an_option_that_would_do_nothing_is_refused(cli: Cli, option: tuple[str, str]) -> None:
    ran = cli("inspect", "random", "44", *option)
    assert ran.code == 2
    assert f"{option[0]} " in ran.err
    assert "add --contents" in ran.err


def test_a_picture_that_cannot_be_written_loses_no_words(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "board.png")

    monkeypatch.setattr("connectlab.lab.picture.save_picture", fail)
    ran = cli("inspect", "minimax", "44", "--no-solver", "--plot", str(tmp_path / "board.png"))
    assert ran.code == 2
    assert "minimax" in ran.out

"""Tournaments of everyone: who is invited, what each costs, and what the report says."""

import json
from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.agents.registry import players, settings_class
from connectlab.agents.settings import AgentError
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.game.variants import Variant
from connectlab.lab import cost
from connectlab.lab.roster import default_spec, invite_everyone
from connectlab.lab.standings import Standings, find_standings
from connectlab.lab.standings_report import check_folder, page, write_standings

TINY = Geometry(4, 4, 3)
POSITIONS = [Position.from_moves(moves, TINY) for moves in ("", "1", "23", "414")]


@pytest.fixture(scope="module")
def standings() -> Standings:
    agents = [make_agent(spec, TINY) for spec in ("random", "perfect")]
    return find_standings(agents, 20, per_class=3, left_out={"nobody": "it is ill"}, seed=3)


def test_everyone_is_invited_or_told_why_not() -> None:
    roster = invite_everyone(Geometry())
    assert {agent.settings.name for agent in roster.agents} | set(roster.left_out) == set(players())
    assert roster.left_out["external"] == "it needs command=…"
    assert "ntuple:champion" in [agent.spec for agent in roster.agents]


def test_a_player_of_another_board_stays_at_home() -> None:
    roster = invite_everyone(TINY)
    assert "cannot play on 4x4 connect-3" in roster.left_out["ntuple"]
    assert "perfect" in [agent.spec for agent in roster.agents]


def test_every_source_that_comes_along_can_be_played() -> None:
    for name in players():
        for source in settings_class(name).shipped:
            assert make_agent(f"{name}:{source}").policy_of(Position())


def test_a_name_that_needs_more_says_what() -> None:
    assert default_spec("mcts") == "mcts"
    with pytest.raises(AgentError, match="needs command=…"):
        default_spec("external")


def test_moves_are_timed_until_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "_memory_elsewhere", lambda *_: 1.0)
    agent = make_agent("random", TINY)
    measured = cost.measure_cost(agent, POSITIONS)
    assert measured.moves == len(POSITIONS) - cost.WARM_UP
    assert cost.measure_cost(agent, POSITIONS[:1]).moves == 1
    low, high = measured.move_ms_range
    assert 0 < low <= measured.move_ms <= high
    monkeypatch.setattr(cost, "MOST_SECONDS", 0.0)
    assert cost.measure_cost(agent, POSITIONS).moves == 1


@pytest.mark.slow
def test_memory_is_that_of_a_process_which_holds_the_player_alone() -> None:
    """The perfect player has a table and an opening book; what this process held is no matter."""
    ballast = b"x" * (512 << 20)
    del ballast
    light, heavy = (cost.measure_cost(make_agent(s), [Position()]) for s in ("random", "perfect"))
    assert light.memory_mb is not None
    assert heavy.memory_mb is not None
    assert light.memory_mb + 20 < heavy.memory_mb


def test_standings_name_everyone_everywhere(standings: Standings) -> None:
    document = standings.to_json()
    assert json.loads(json.dumps(document)) == document
    assert set(standings.costs) == {"random", "perfect"}
    assert [each["agent"] for each in document["move_accuracies"]] == ["random", "perfect"]  # type: ignore[index, attr-defined]
    text = page(standings)
    assert "nobody (it is ill)" in text
    assert (
        "connectlab tournament random perfect --columns 4 --rows 4 --connect 3 --games 20" in text
    )


def test_the_perfect_player_keeps_every_outcome(standings: Standings) -> None:
    assert standings.accuracies is not None
    for stage, accuracy in standings.accuracies["perfect"].stages.items():
        assert accuracy.kept == accuracy.positions > 0, stage
    row = next(line for line in page(standings).splitlines() if line.startswith("| perfect | "))
    measured = row.split(" | ")[3:6]
    assert [cell.split()[0] for cell in measured] == ["100", "100", "100"]


def test_stages_add_up_to_the_whole(standings: Standings) -> None:
    assert standings.accuracies is not None
    found = standings.accuracies["random"]
    for place in range(3):
        assert sum(each[place] for each in found.stages.values()) == found.total[place]


def test_a_cross_table_reads_from_row_to_column(standings: Standings) -> None:
    rows = [line for line in page(standings).splitlines() if line.startswith("| perfect | - |")]
    score = 100 * standings.tournament.score_rates[1, 0]
    assert rows == [f"| perfect | - | {score:.1f} |"]
    assert score > 50


def test_a_report_is_a_page_a_picture_and_the_data(standings: Standings, tmp_path: Path) -> None:
    write_standings(tmp_path / "new", standings)
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["heatmap.png", "report.md", "standings.json"]
    document = json.loads((tmp_path / "new" / "standings.json").read_text(encoding="utf-8"))
    assert document == standings.to_json()


def test_a_report_replaces_another_and_nothing_else(standings: Standings, tmp_path: Path) -> None:
    write_standings(tmp_path, standings)
    check_folder(tmp_path)
    (tmp_path / "standings.json").write_text('{"my": "thesis"}')
    with pytest.raises(UserError, match=r"report\.md is no report of a tournament"):
        check_folder(tmp_path)


@pytest.mark.parametrize("variant", ["slip:0.1", "drop-row:0.05", "counts"])
def test_a_variant_has_costs_and_is_named_in_the_line_that_plays_it_again(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "_memory_elsewhere", lambda *_: None)
    board = Geometry(4, 4, 3, Variant.parse(variant))
    agents = [make_agent("random", board), make_agent("mcts:iterations=5", board)]
    found = find_standings(agents, 2, per_class=1)
    assert found.accuracies is None
    assert f"--connect 3 --variant {variant} --games 2" in page(found)


def test_a_board_that_nobody_can_solve_has_costs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectlab.lab.standings.perfect_success", lambda _: None)
    monkeypatch.setattr(cost, "_memory_elsewhere", lambda *_: None)
    agents = [make_agent(spec, TINY) for spec in ("random", "extend")]
    found = find_standings(agents, 2, per_class=1)
    assert found.accuracies is None
    assert found.costs["extend"].moves > 1
    text = page(found)
    assert "Perfect play cannot judge this game" in text
    assert "| - | - | - |" in text

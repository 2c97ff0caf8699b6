"""The table learns and plays where moves slip, rows fall and boards are told in counts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from connectlab.agents import AgentError, make_agent
from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.model import ModelHeader
from connectlab.agents.qtable.states import observation_key
from connectlab.agents.qtable.training import QTableLearner
from connectlab.arena.match import play_match
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.variants import Variant
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.learner import LearnerError

BOARD = Geometry(4, 4, 3)
VARIANTS = ["slip:0.2", "drop-row:0.1", "slip:0.1+drop-row:0.1", "counts", "slip:0.2+counts"]


def trained(**changes: object) -> QTableLearner:
    settings = {"columns": 4, "rows": 4, "connect": 3, "games": 300, **changes}
    learner = QTableLearner(QTableConfig.model_validate(settings))
    while learner.games_done < learner.config.games:
        learner.step()
    return learner


def same_tables(one: QTableLearner, two: QTableLearner) -> bool:
    first, second = one.table.entries(), two.table.entries()
    return all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("variant", VARIANTS)
def test_asked_or_compiled_the_random_player_teaches_the_same(variant: str) -> None:
    settings = {"variant": variant, "side": "first"}
    compiled = trained(opponents="random", **settings)
    asked = trained(opponents="random + random", parallel=1, **settings)
    assert same_tables(compiled, asked)
    assert len(compiled.table) > 20


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_run_may_be_cut_and_saved_after_any_step(tmp_path: Path, variant: str) -> None:
    whole = trained(variant=variant)
    parts = QTableLearner(whole.config)
    while parts.games_done < parts.config.games:
        parts.step()
        parts.state().save(tmp_path / "state")
        parts = QTableLearner(whole.config)
        parts.restore(Checkpoint.load(tmp_path / "state"))
    assert same_tables(whole, parts)


@pytest.mark.parametrize("variant", ["slip:0.2", "drop-row:0.1", "counts"])
def test_what_it_learns_there_helps_there(tmp_path: Path, variant: str) -> None:
    """First player against random: a trained table scores more than one of a single game."""
    scores = []
    geometry = replace(BOARD, variant=Variant.parse(variant))
    for games in (1, 5_000):
        learner = trained(variant=variant, opponents="random", side="first", games=games)
        path = tmp_path / f"{games}.safetensors"
        learner.checkpoint().save(path)
        agent = make_agent(f"qtable:{path}", geometry)
        match = play_match(agent, make_agent("random", geometry), games=600, sides="fixed")
        scores.append(match.tally.wins / 600)
    assert scores[1] > scores[0] + 0.1


def test_games_of_falling_rows_may_outgrow_the_table_on_the_way() -> None:
    """One game meets more states than the smallest table holds."""
    learner = trained(variant="drop-row:0.4", columns=7, rows=6, connect=5, games=5, epsilon=1.0)
    assert learner.plies_done > 5 * 700
    assert len(learner.table) > 700


def test_counts_are_all_that_is_seen() -> None:
    geometry = replace(Geometry(), variant=Variant(counts=True))
    one, other, third = (Position.from_moves(moves, geometry) for moves in ("1122", "6677", "1357"))
    keys = [
        observation_key(np.uint64(p.mover), np.uint64(p.occupied), geometry.shape)
        for p in (one, other, third)
    ]
    assert keys[0] == keys[1] != keys[2]
    learner = trained(variant="counts", columns=7, rows=6, connect=4, games=1)
    learner.learn_from([Position.from_moves("1122334", geometry)])
    batch = PositionBatch.of([one, other])
    entries = learner.model.find(batch).tolist()
    assert entries[0] == entries[1] >= 0
    assert np.array_equal(*learner.model.action_values(batch))


def test_a_full_column_is_seen_in_the_counts() -> None:
    """The same streaks and stones with other columns full are another state."""
    geometry = replace(Geometry(4, 2, 4), variant=Variant(counts=True))
    batch = PositionBatch.of([Position.from_moves(moves, geometry) for moves in ("11", "22")])
    keys = [
        observation_key(mover, occupied, geometry.shape)
        for mover, occupied in zip(batch.mover, batch.occupied, strict=True)
    ]
    assert keys[0] != keys[1]


def test_contents_of_counts_name_no_boards(tmp_path: Path) -> None:
    trained(variant="counts").checkpoint().save(tmp_path / "t.safetensors")
    geometry = replace(BOARD, variant=Variant(counts=True))
    contents = make_agent(f"qtable:{tmp_path / 't.safetensors'}", geometry).contents()
    assert contents is not None
    assert contents.parts == ()
    assert contents.facts["learned"] > 0


def test_counts_and_boards_are_not_mixed(tmp_path: Path) -> None:
    trained(variant="counts").checkpoint().save(tmp_path / "t.safetensors")
    with pytest.raises(AgentError, match="cannot play"):
        make_agent(f"qtable:{tmp_path / 't.safetensors'}", BOARD)


def test_what_is_said_of_counts_draws_no_stone(tmp_path: Path) -> None:
    """The cells where stones would land would tell how high the hidden columns are."""
    trained(variant="counts").checkpoint().save(tmp_path / "t.safetensors")
    geometry = replace(BOARD, variant=Variant(counts=True))
    agent = make_agent(f"qtable:{tmp_path / 't.safetensors'}", geometry)
    analysis = agent.analyse(Position.from_moves("1123", geometry))
    assert analysis.groups == ()
    assert analysis.legend == ""
    assert len([value for value in analysis.values if value is not None]) == 4


@pytest.mark.parametrize("name", ["known", "shaping", "mirror"])
def test_who_sees_only_counts_cannot_look_at_stones(name: str) -> None:
    with pytest.raises(ValueError, match="known, shaping and mirror must be false"):
        QTableConfig.model_validate({"variant": "counts", name: True})


def test_games_by_chance_are_not_learned_from() -> None:
    learner = trained(variant="slip:0.2", games=10)
    geometry = learner.config.geometry
    with pytest.raises(LearnerError, match="not which columns were chosen"):
        learner.learn_from([Position.from_moves("12131", geometry)])


def test_a_header_says_nothing_of_a_variant_that_is_not_there() -> None:
    plain, slippery = (
        trained(games=2).checkpoint(),
        trained(games=2, variant="slip:0.2").checkpoint(),
    )
    assert "variant" not in plain.header["model"]
    assert ModelHeader.model_validate(slippery.header["model"]).variant == "slip:0.2"

"""How a table plays, explains itself and says what it is made of."""

from pathlib import Path

import numpy as np
import pytest

from connectlab.agents import AgentError, make_agent
from connectlab.agents.contents import Page
from connectlab.agents.qtable.agent import QTableAgent
from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.training import QTableLearner
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.storage.checkpoint import Checkpoint

BOARD = Geometry(4, 4, 3)


def learner(**changes: object) -> QTableLearner:
    settings = {"columns": 4, "rows": 4, "connect": 3, "games": 500, **changes}
    made = QTableLearner(QTableConfig.model_validate(settings))
    while made.games_done < made.config.games:
        made.step()
    return made


def player(folder: Path, **changes: object) -> QTableAgent:
    path = folder / "table.safetensors"
    learner(**changes).checkpoint().save(path)
    agent = make_agent(f"qtable:{path}", BOARD)
    assert isinstance(agent, QTableAgent)
    return agent


def positions() -> PositionBatch:
    """Unfinished positions after random moves."""
    batch = PositionBatch.start(200, BOARD, seed=4)
    found = [batch]
    random = make_agent("random", BOARD)
    for _ in range(6):
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
        found.append(batch)
    return PositionBatch.joined(found)


def test_it_plays_what_the_learner_values_most(tmp_path: Path) -> None:
    agent, batch = player(tmp_path), positions()
    values = learner().model.action_values(batch)
    assert np.array_equal(agent.model.action_values(batch), values)
    best = values == values.max(axis=1, keepdims=True)
    assert np.array_equal(agent.policy(batch), best / best.sum(axis=1, keepdims=True))


def test_ties_go_to_the_first_column_if_it_learned_so(tmp_path: Path) -> None:
    agent, batch = player(tmp_path, ties="first"), positions()
    values = agent.model.action_values(batch)
    assert np.array_equal(agent.policy(batch).argmax(axis=1), values.argmax(axis=1))
    assert (agent.policy(batch).max(axis=1) == 1).all()


def test_what_it_never_met_it_plays_by_known_states(tmp_path: Path) -> None:
    agent = player(tmp_path, known=True, games=1, opponents="random", ties="first")
    wins, blocks = Position.from_moves("343", BOARD), Position.from_moves("4342", BOARD)
    assert agent.model.find(PositionBatch.of([wins, blocks])).tolist() == [-1, -1]
    assert agent.choose_one(Position.from_moves("3434", BOARD)) == 2
    assert agent.choose_one(wins) == 2, "it blocks"
    plain = player(tmp_path, games=1, opponents="random", ties="first")
    assert plain.choose_one(wins) == 0


def test_a_mirrored_position_is_played_in_the_mirror(tmp_path: Path) -> None:
    agent, batch = player(tmp_path, mirror=True, games=3_000), positions()
    symmetric = batch.keys == batch.mirror().keys
    policy = agent.policy(batch)[~symmetric]
    assert np.array_equal(agent.policy(batch.mirror())[~symmetric], policy[:, ::-1])
    assert (agent.model.find(batch) >= 0).mean() > 0.9


def test_values_are_shares_of_a_win(tmp_path: Path) -> None:
    agent, batch = player(tmp_path, games=5_000, alpha=1.0, gamma=1.0), positions()
    values = agent.values(batch)
    assert np.abs(values).max() <= 1
    wins = Position.from_moves("1414", BOARD)
    assert agent.values(PositionBatch.of([wins]))[0] == 1
    lost = Position.from_moves("2", BOARD)  # the first player wins this board from the start
    assert agent.values(PositionBatch.of([lost]))[0] < 0


def test_a_table_of_another_board_is_refused(tmp_path: Path) -> None:
    player(tmp_path)
    with pytest.raises(AgentError, match="was trained on a 4x4 connect-3 board"):
        make_agent(f"qtable:{tmp_path / 'table.safetensors'}", STANDARD)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ({"model": None}, "its header is damaged"),
        ({"model": {"columns": 4}}, "its header is damaged"),
        ({"rows": 99}, "its header is damaged: a board of 4x99 is too large"),
        ({"ties": "last"}, "its header is damaged: ties"),
        ({"columns": 5}, "each of them needs 5 values"),
    ],
)
def test_a_file_that_describes_no_table_is_refused(
    tmp_path: Path, header: dict[str, object], says: str
) -> None:
    saved = learner(games=5).checkpoint()
    model = header["model"] if "model" in header else {**saved.header["model"], **header}
    path = tmp_path / "damaged.safetensors"
    Checkpoint(saved.kind, {**saved.header, "model": model}, saved.arrays).save(path)
    with pytest.raises(AgentError, match=says):
        make_agent(f"qtable:{path}", BOARD)


# What it says


def test_it_says_how_often_it_was_there(tmp_path: Path) -> None:
    agent = player(tmp_path, opponents="random", side="first", exploration="vdbe-softmax")
    analysis = agent.analyse(Position(BOARD))
    assert "500 times" in analysis.sentences[0]
    assert "would still explore with chance" in analysis.sentences[0]
    assert analysis.facts["visits"] == 500
    assert analysis.facts["seen"] is True
    assert 0 <= analysis.facts["epsilon"] < 1
    assert "of 4 columns" in analysis.sentences[1]


def test_it_says_that_it_never_saw_a_position(tmp_path: Path) -> None:
    agent = player(tmp_path, opponents="random", side="first", known=True)
    analysis = agent.analyse(Position.from_moves("1", BOARD))  # the second player's turn
    assert "never seen this position" in analysis.sentences[0]
    assert "those it would begin with: zeros" in analysis.sentences[1]
    assert analysis.facts["seen"] is False
    blocking = agent.analyse(Position.from_moves("121", BOARD))
    assert blocking.column_notes[0] == "blocks a win"
    assert "what its moves do at once" in blocking.sentences[1]


def test_columns_carry_their_notes_and_cells(tmp_path: Path) -> None:
    agent = player(tmp_path, known=True, games=2_000)
    position = Position.from_moves("1212", BOARD)
    analysis = agent.analyse(position)
    assert analysis.column_notes[0].startswith("wins, began with 25")
    assert analysis.groups[0].cells == ((0, 2),)
    assert analysis.groups[0].marks == ("*",)
    assert len(analysis.groups) == len(position.legal_columns)
    assert [group.weight for group in analysis.groups] == sorted(
        (group.weight for group in analysis.groups), reverse=True
    )


def test_an_entered_state_was_never_played_in(tmp_path: Path) -> None:
    agent = player(tmp_path, traces="limited", games=1)
    position = next(
        p
        for p in (Position.from_moves(str(c), BOARD) for c in range(1, 5))
        if agent.analyse(p).facts["visits"] == 0
    )
    assert "never chosen a move" in agent.analyse(position).sentences[0]


def test_its_contents_count_every_state_once(tmp_path: Path) -> None:
    agent = player(tmp_path, exploration="vdbe-softmax", known=True)
    contents, table = agent.contents(), agent.model.table
    assert contents.facts["states"] == len(table)
    assert sum(part.figures["states"] for part in contents.parts) == len(table)
    assert sum(part.figures["visits"] for part in contents.parts) == contents.facts["visits"]
    assert [part.figures["stones"] for part in contents.parts[:3]] == [0, 1, 2]
    assert contents.parts[0].figures["visits"] == 500
    assert 0 < contents.facts["mean_epsilon"] < 1
    assert contents.facts["learned"] == np.count_nonzero(agent.model.changed)


def test_the_most_visited_states_come_first(tmp_path: Path) -> None:
    agent = player(tmp_path, games=300)
    visited, valued = agent.contents().entries(3, Page(5))
    counts = [int(group.note.split()[-2].replace(",", "")) for group in visited.groups]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == agent.contents().parts[2].figures["most_visited"]
    assert all(len(group.cells) == 2 == len(set(group.marks)) for group in visited.groups)
    weights = [abs(group.weight or 0) for group in valued.groups]
    assert weights == sorted(weights, reverse=True)


def test_only_states_that_say_something_are_changed(tmp_path: Path) -> None:
    model = learner(traces="limited", known=True, opponents="random").model
    unvisited = model.table.entries()["visits"] == 0
    assert unvisited.any()
    assert not (model.changed & unvisited).any()
    assert model.changed.sum() > 50


# The table that comes along


def test_the_shipped_table_is_that_of_the_papers_preset() -> None:
    agent = make_agent("qtable:cheng-known")
    assert isinstance(agent, QTableAgent)
    header = agent.model.header
    assert header.known
    assert header.ties == "first"
    assert len(agent.model.table) > 10_000
    assert (agent.model.table.entries()["visits"] > 0).all()

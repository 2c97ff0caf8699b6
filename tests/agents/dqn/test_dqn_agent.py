"""How a trained network plays and explains itself."""

from pathlib import Path

import numpy as np
import pytest
from small_dqns import config

from connectlab.agents import make_agent
from connectlab.agents.contents import Page
from connectlab.agents.dqn.agent import DQNAgent
from connectlab.agents.dqn.network import Network, NetworkHeader, board_planes, forward
from connectlab.agents.dqn.parameters import Layout, new_parameters
from connectlab.agents.forfeits import FORFEIT
from connectlab.arena.match import play_match
from connectlab.game import Geometry, Position, PositionBatch

BOARD = Geometry(4, 4, 3)


def player(folder: Path, bias: list[float] | None = None, **settings: object) -> DQNAgent:
    """A player with a random network, or one whose values are those of ``bias`` everywhere."""
    options = {key: value for key, value in settings.items() if key == "invalid"}
    changes = {key: value for key, value in settings.items() if key not in options}
    header = NetworkHeader.of(config(**changes))
    layout = Layout(header, noisy=False)
    arrays = layout.saved(new_parameters(layout, 3, 0.5), "float32")
    if bias is not None:
        arrays["output"][:], arrays["output_bias"][:] = 0, bias
    Network(header, arrays).checkpoint({}).save(folder / "player")
    written = "".join(f",{key}={value}" for key, value in options.items())
    agent = make_agent(f"dqn:{folder / 'player'}{written}", BOARD)
    assert isinstance(agent, DQNAgent)
    return agent


FULL = Position.from_moves("112211", BOARD)
"""Column 1 is full."""


def test_it_plays_the_column_of_the_highest_value_that_has_room(tmp_path: Path) -> None:
    agent = player(tmp_path, [3, 1, 2, 2])
    assert agent.policy_of(Position(BOARD)) == (1, 0, 0, 0)
    assert agent.policy_of(FULL) == (0, 0, 0.5, 0.5)


def test_where_full_columns_are_allowed_choosing_one_loses_the_game(tmp_path: Path) -> None:
    agent = player(tmp_path, [3, 1, 2, 2], invalid="allow")
    assert agent.policy_of(Position(BOARD)) == (1, 0, 0, 0)
    assert agent.policy_of(FULL) == (0, 0, 0, 0)
    assert agent.choose_or_forfeit(PositionBatch.of([FULL])).tolist() == [FORFEIT]
    played = play_match(agent, make_agent("random", BOARD), 40, seed=1)
    assert played.agent_forfeits.total() > 0


def test_a_move_does_not_depend_on_the_positions_beside_it(tmp_path: Path) -> None:
    agent = player(tmp_path)
    batch = PositionBatch.of(
        [Position.from_moves(moves, BOARD) for moves in ("", "1", "12", "1234", "3321", "112211")]
    )
    together = agent.action_values(batch)
    alone = [agent.action_values(batch[i : i + 1])[0] for i in range(len(batch))]
    assert np.array_equal(together, np.array(alone))


def test_values_are_shares_of_a_win(tmp_path: Path) -> None:
    batch = PositionBatch.of([Position(BOARD), FULL])
    agent = player(tmp_path, [5, 2, -4, 1])
    np.testing.assert_allclose(agent.values(batch), [0.5, 0.2], atol=1e-5)
    agent = player(tmp_path, [15, -14, -14, -14])
    np.testing.assert_allclose(agent.values(batch), [1, -1])


@pytest.mark.parametrize("planes", ["players", "own"])
def test_a_stone_weighs_what_the_value_loses_without_it(tmp_path: Path, planes: str) -> None:
    agent = player(tmp_path, planes=planes)
    position = Position.from_moves("1213", BOARD)
    analysis = agent.analyse(position)
    chosen = analysis.best[0]
    group = analysis.groups[0]
    (column, row), seen = group.cells[0], board_planes(PositionBatch.of([position]), planes)
    without = seen.copy()
    without[0, 3 - row, column] = [1, 0, 0]
    before, after = (forward(agent.network, each)[0, chosen] for each in (seen, without))
    assert group.weight == pytest.approx(before - after, abs=1e-3)
    assert abs(group.weight) == max(abs(each.weight) for each in analysis.groups)
    assert len(analysis.groups) == 4
    assert "hangs most on the stone" in analysis.sentences[1]


def test_contents_list_the_layers_and_the_filters(tmp_path: Path) -> None:
    contents = player(tmp_path).contents()
    assert [part.figures["outputs"] for part in contents.parts] == [4, 4, 8, 8, 4]
    assert contents.facts["weights"] == sum(part.figures["weights"] for part in contents.parts)
    (entries,) = contents.entries(1, Page(3))
    assert len(entries.groups) == 3
    assert len(entries.groups[0].cells) == 9
    assert contents.entries(2, Page(3)) == ()

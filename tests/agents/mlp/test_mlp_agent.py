"""How the perceptron chooses, loads its network, explains itself, and says what it cannot load."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from naive_mc import NaiveNetwork, encode, f
from small_mlps import TRAINED, midgames, random_mlp, save_mlp

from connectlab.agents import AgentError, make_agent
from connectlab.agents.contents import Page
from connectlab.agents.mlp.agent import MLPAgent, load_network
from connectlab.agents.mlp.config import MLPSettings
from connectlab.agents.mlp.network import Network
from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.storage.checkpoint import Checkpoint
from naive import to_cells


def player(spec: str, geometry: Geometry = STANDARD) -> MLPAgent:
    agent = make_agent(spec, geometry)
    assert isinstance(agent, MLPAgent)
    return agent


def values_written_out(network: Network, position: Position) -> dict[int, float]:
    """V of every successor, as Table 1 computes it."""
    arrays = {name: array.astype(np.float64) for name, array in network.arrays.items()}
    last = float(arrays["output_threshold"][0])
    naive = NaiveNetwork(arrays["inputs"], arrays["thresholds"], arrays["outputs"], last)
    board = position.geometry.columns, position.geometry.rows
    found = {}
    for column in position.legal_columns:
        after = position.play(column)
        own, other = to_cells(after.opponent, *board), to_cells(after.mover, *board)
        found[column] = f(naive.feed(encode(own, other, *board))[2])
    return found


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(5, 4, 3)], ids=str)
def test_plays_the_successor_of_the_highest_value(tmp_path: Path, geometry: Geometry) -> None:
    network = random_mlp(geometry)
    agent = player(save_mlp(network, tmp_path), geometry)
    for position in midgames(geometry):
        expected = values_written_out(network, position)
        best = max(expected, key=expected.__getitem__)
        assert agent.policy_of(position)[best] == 1.0
        analysis = agent.analyse(position)
        assert analysis.values is not None
        for column, value in expected.items():
            assert analysis.values[column] == pytest.approx(2 * value - 1, abs=2e-5)
        value = agent.values(PositionBatch.of([position]))[0]
        assert value == pytest.approx(2 * expected[best] - 1, abs=2e-5)


def test_columns_of_equal_value_are_equally_likely(tmp_path: Path) -> None:
    network = Network.empty(STANDARD, 5)
    agent = player(save_mlp(network, tmp_path))
    assert agent.policy_of(Position()) == (1 / 7,) * 7
    assert agent.policy_of(Position.from_moves("111111")) == (0.0,) + (1 / 6,) * 6
    network.arrays["inputs"][2 * (5 * 7 + 3) + 1] = 1.0  # an own stone at the bottom of column 4
    network.arrays["outputs"][:] = 1.0
    assert player(save_mlp(network, tmp_path)).policy_of(Position())[3] == 1.0
    network.arrays["outputs"][:] = -1.0
    assert player(save_mlp(network, tmp_path)).policy_of(Position())[3] == 0.0


def test_the_first_inputs_belong_to_the_upper_left_cell(tmp_path: Path) -> None:
    """10 for a yellow stone, which is the other player's, 01 for an own one."""
    network = random_mlp()
    table = network.arrays["inputs"]
    position = Position.from_moves("11111")
    assert position.legal_columns[0] == 0
    before = player(save_mlp(network, tmp_path)).analyse(position).values
    table[0] += 5.0
    assert player(save_mlp(network, tmp_path)).analyse(position).values == before
    table[1] += 5.0
    after = player(save_mlp(network, tmp_path)).analyse(position).values
    assert before is not None and after is not None
    assert [a != b for a, b in zip(before, after, strict=True)] == [True] + [False] * 6


def test_threads_and_batches_change_nothing() -> None:
    agent = player(TRAINED)
    batch, lots = PositionBatch.start(300, STANDARD, seed=3), make_agent("random")
    for _ in range(9):
        batch = batch.play(lots.choose(batch))
        batch = batch[batch.outcomes == 0]
    whole = agent.policy(batch)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda i: agent.policy(batch[i : i + 1])[0], range(len(batch))))
    assert np.array_equal(whole, np.array(parts))


# Explaining itself


def test_all_voices_together_are_the_lead_of_the_choice(tmp_path: Path) -> None:
    network = random_mlp(hidden=10)
    agent = player(save_mlp(network, tmp_path))
    position = Position.from_moves("4453")
    expected = values_written_out(network, position)
    potentials = {column: np.log(v / (1 - v)) for column, v in expected.items()}
    best = max(potentials, key=potentials.__getitem__)
    others = [p for column, p in potentials.items() if column != best]
    analysis = agent.analyse(position)
    lead = analysis.facts["lead_in_potential"]
    assert lead == pytest.approx(potentials[best] - np.mean(others), abs=1e-5)
    assert sum(group.weight or 0.0 for group in analysis.groups) == pytest.approx(lead)
    sizes = [abs(group.weight or 0.0) for group in analysis.groups]
    assert sizes == sorted(sizes, reverse=True)


def test_a_neuron_is_drawn_with_the_stones_that_are_there(tmp_path: Path) -> None:
    network = Network.empty(STANDARD, 3)
    bottom = 5 * 7
    network.arrays["inputs"][2 * (bottom + 3) + 1, 1] = 2.0  # own stone in column 4
    network.arrays["inputs"][2 * (bottom + 4), 1] = -1.0  # the other's in column 5
    network.arrays["inputs"][0, 1] = 9.0  # the upper left, where there is none
    network.arrays["outputs"][1] = 1.0
    agent = player(save_mlp(network, tmp_path))
    analysis = agent.analyse(Position.from_moves("15"))
    assert analysis.best == (3,)
    loudest = analysis.groups[0]
    assert loudest.title == "neuron 2"
    assert loudest.cells == ((3, 0), (4, 0))
    assert loudest.marks == ("X", "o")
    assert loudest.note == "+100.0 %"
    second = agent.analyse(Position.from_moves("5")).groups[0]
    assert second.marks == ("O", "x"), "the second player's own stones are drawn as O"
    assert "after column 4" in analysis.sentences[0]
    assert analysis.column_notes[3].startswith("V 0.")


def test_the_only_column_with_room_is_explained_too() -> None:
    board = Geometry(1, 6, 4)
    network = random_mlp(board)
    from connectlab.agents.mlp.explain import explain

    explained = explain(network, Position(board), values_written_out(network, Position(board)))
    assert explained.sentences[0].endswith("the only one with room.")


def test_contents_list_the_hidden_neurons() -> None:
    agent = player(TRAINED)
    contents, arrays = agent.contents(), agent.network.arrays
    assert contents.facts["weights"] == 8 * 85
    assert contents.facts["thresholds"] == 9
    loudest = contents.sorted_by("strength")[0]
    assert abs(loudest.figures["output_weight"]) == pytest.approx(np.abs(arrays["outputs"]).max())
    excite, inhibit = contents.entries(loudest.number, Page(3))
    column = arrays["inputs"][:, loudest.number - 1]
    assert [g.weight for g in excite.groups] == sorted(column.tolist(), reverse=True)[:3]
    assert [g.weight for g in inhibit.groups] == sorted(column.tolist())[:3]
    strongest = int(np.abs(column).argmax())
    assert loudest.cells[0] == ((strongest // 2) % 7, 5 - strongest // 2 // 7)


# Files


@pytest.mark.parametrize("name", MLPSettings.shipped)
def test_a_network_that_comes_along_plays_on_the_standard_board(name: str) -> None:
    network = load_network(name)
    assert network.geometry == STANDARD
    sizes = {"1": 40, "2": 60, "3": 100, "4": 120, "5": 250, "best": 250}
    assert network.hidden == sizes[name]
    assert make_agent(f"mlp:{name}").spec == f"mlp:{name}"


def test_a_network_of_another_board_is_refused() -> None:
    with pytest.raises(AgentError, match="trained on a 7x6 connect-4 board and cannot play on 4x4"):
        make_agent(TRAINED, Geometry(4, 4, 3))


DAMAGES: dict[str, Any] = {
    "no header": lambda header, arrays: header.clear(),
    "too many neurons": lambda header, arrays: header["network"].update(hidden=10**6),
    "no board": lambda header, arrays: header["network"].update(columns=0),
    "no such variant": lambda header, arrays: header["network"].update(variant="slop"),
    "a missing array": lambda header, arrays: arrays.pop("outputs"),
    "another shape": lambda header, arrays: arrays.update(outputs=arrays["outputs"][:3]),
    "another type": lambda header, arrays: arrays.update(
        outputs=arrays["outputs"].astype(np.int32)
    ),
    "no number": lambda header, arrays: arrays["inputs"].__setitem__((0, 0), np.nan),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    checkpoint = random_mlp().checkpoint({})
    header: dict[str, Any] = {key: dict(value) for key, value in checkpoint.header.items()}  # type: ignore[call-overload]
    arrays = dict(checkpoint.arrays)
    DAMAGES[damage](header, arrays)
    Checkpoint("mlp", header, arrays).save(tmp_path / "network.safetensors")
    with pytest.raises(UserError, match=r"network\.safetensors") as caught:
        make_agent(f"mlp:{tmp_path / 'network.safetensors'}")
    assert "\n" not in str(caught.value)


def test_a_network_comes_back_from_its_file(tmp_path: Path) -> None:
    network = random_mlp(hidden=33)
    save_mlp(network, tmp_path)
    again = Network.load(tmp_path / "network.safetensors")
    assert np.array_equal(again.parameters, network.parameters)
    assert again.header == network.header

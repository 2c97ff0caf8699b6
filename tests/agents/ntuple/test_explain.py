"""What an n-tuple player tells of a position."""

import json
from pathlib import Path

import numpy as np
import pytest
from small_networks import TRAINED, random_network, random_positions, save

from connectlab.agents import AgentError, make_agent
from connectlab.agents.ntuple.explain import SHOWN, active_weights, explain
from connectlab.agents.ntuple.plot import save_plot
from connectlab.cli.app import run
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import parse_moves

NAMES = {".": "empty", "X": "first", "O": "second"}


@pytest.mark.parametrize("settings", [{}, {"mirror": False}, {"tables": 1}, {"states": 3}])
def test_the_weights_of_all_readings_make_the_value(settings: dict[str, int]) -> None:
    network = random_network(**settings)
    for position in random_positions(STANDARD, 15):
        sign = 1 if position.first_to_move else -1
        value = sign * network.first_player_values(PositionBatch.of([position]))[0]
        told = explain(network, position, shown=10**6)
        assert told["network_value"] == pytest.approx(value, abs=1e-5)
        assert told["readings"] == len(told["tuples"]) == network.layout.slots
        assert sum(r["weight"] for r in told["tuples"]) == pytest.approx(told["total"])
        assert sum(abs(r["share"]) for r in told["tuples"]) == pytest.approx(1)


def test_readings_come_by_weight_and_few_of_many() -> None:
    network = random_network(tuples=30)
    told = explain(network, Position.from_moves("4453"))
    sizes = [abs(reading["weight"]) for reading in told["tuples"]]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == SHOWN < told["readings"] == 60


@pytest.mark.parametrize("states", [3, 4])
def test_each_cell_is_told_as_the_board_holds_it(states: int) -> None:
    network = random_network(states=states)
    for position in random_positions(STANDARD, 10, seed=2):
        rows = [line.split() for line in position.drawing().splitlines()[:-1]][::-1]
        for reading in explain(network, position, shown=100)["tuples"]:
            for (name, row), state in zip(reading["cells"], reading["state"], strict=True):
                column = parse_moves(name, STANDARD)[0]
                expected = NAMES[rows[row - 1][column]]
                lands = row == 1 or rows[row - 2][column] != "."
                if expected == "empty" and lands and states == 4:
                    expected = "reachable"
                assert state == expected


def test_a_reading_tells_the_state_its_weight_belongs_to() -> None:
    """The told state, looked up in the layout, has the told weight: in mirrored readings too."""
    network = random_network(states=4)
    layout = network.layout
    names = ("empty", "first", "second", "reachable")
    position = random_positions(STANDARD, 1, seed=5)[0]
    sign = 1 if position.first_to_move else -1
    table = network.weights[0 if position.first_to_move else layout.weights :]
    for reading in explain(network, position, shown=100)["tuples"]:
        number = reading["tuple"] - 1
        state = tuple(names.index(name) for name in reading["state"])
        size, offset = int(layout.sizes[number]), int(layout.offsets[number])
        (found,) = [s for s in range(size) if layout.cell_states(number, s) == state]
        assert reading["weight"] == pytest.approx(sign * float(table[offset + found]))


def test_a_mirrored_position_swaps_the_readings() -> None:
    network = random_network()
    tuples = len(network.layout.tuples)
    for position in random_positions(STANDARD, 5):
        weights = active_weights(network, position)
        image = active_weights(network, position.mirror())
        assert np.array_equal(weights, np.roll(image, tuples))


def test_the_analysis_is_plain_data(tmp_path: Path) -> None:
    agent = make_agent(f"{save(random_network(), tmp_path)},depth=2")
    analysis = agent.analyse(Position.from_moves("112233"))
    assert analysis is not None
    data = json.loads(json.dumps(analysis.to_json(), allow_nan=False))
    assert data == analysis.to_json()
    assert {"depth", "nodes", "proven", "network_value", "tuples"} <= set(data["details"])
    assert data["details"]["proven"]["4"] == 1


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    for geometry in (Geometry(4, 4, 3), Geometry(12, 3, 3)):
        network = random_network(geometry, tuples=5, length=3)
        agent = make_agent(save(network, tmp_path), geometry)
        analysis = agent.analyse(Position.from_moves("1", geometry))
        assert analysis is not None
        path = tmp_path / "picture.png"
        save_plot(analysis, path, agent.spec)
        assert path.read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size > 20_000
        path.unlink()


def test_only_n_tuple_networks_are_drawn(tmp_path: Path) -> None:
    analysis = make_agent("minimax:depth=1").analyse(Position())
    assert analysis is not None
    with pytest.raises(AgentError, match="minimax:depth=1 is none"):
        save_plot(analysis, tmp_path / "a.png", "minimax:depth=1")
    assert not list(tmp_path.iterdir())


def test_inspect_prints_and_draws_the_tuples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, picture = f"{TRAINED},depth=2", tmp_path / "seen.png"
    assert run(["inspect", spec, "112233", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "wins in 1 ply" in out
    assert "network value: " in out
    assert "The 12 tuples that weigh most" in out
    assert all(len(line) <= 100 for line in out.splitlines() if "values each" not in line)
    assert picture.is_file()
    assert run(["inspect", spec, "112233", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["best"] == ["4"]
    reading = document["details"]["tuples"][0]
    assert set(reading) == {"tuple", "mirrored", "cells", "state", "weight", "share"}

"""What an n-tuple player tells of a position."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_networks import random_network, random_positions, save

from connectlab.agents import make_agent
from connectlab.agents.ntuple.explain import SHOWN, active_weights, explain
from connectlab.game import STANDARD, Position, PositionBatch


def share(note: str) -> float:
    """Read the share of all that is said from the note of a group, such as "+4.2 %"."""
    return float(note.removesuffix(" %")) / 100


@pytest.mark.parametrize(
    "settings", [{}, {"mirror": False}, {"tables": 1}, {"states": 3}, {"output": "linear"}]
)
def test_the_weights_of_all_readings_make_the_value(settings: dict[str, object]) -> None:
    network = random_network(**settings)
    for position in random_positions(STANDARD, 15):
        sign = 1 if position.first_to_move else -1
        value = sign * network.first_player_values(PositionBatch.of([position]))[0]
        told = explain(network, position, shown=10**6)
        weights = [group.weight or 0.0 for group in told.groups]
        assert told.facts["network_value"] == pytest.approx(value, abs=1e-5)
        assert told.facts["readings"] == len(told.groups) == network.layout.slots
        assert sum(weights) == pytest.approx(told.facts["weight_sum"])
        assert sum(abs(share(group.note)) for group in told.groups) == pytest.approx(1, abs=0.02)


def test_readings_come_by_weight_and_few_of_many() -> None:
    network = random_network(tuples=30)
    told = explain(network, Position.from_moves("4453"))
    sizes = [abs(group.weight or 0.0) for group in told.groups]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == SHOWN < 60
    assert told.facts["readings"] == 60


def test_sentences_count_what_speaks_for_and_against() -> None:
    network = random_network()
    position = Position.from_moves("44536")
    weights = -active_weights(network, position)
    value, counts = explain(network, position).sentences
    linear, same = explain(replace(network, output="linear"), position).sentences
    assert (f"{np.clip(weights.sum(), -1, 1):+.3f}" in linear, same) == (True, counts)
    assert f"{np.tanh(weights.sum()):+.3f}" in value
    in_favour, against = weights[weights > 0], weights[weights < 0]
    assert f"{len(in_favour)} (together {in_favour.sum():+.3f}) speak for" in counts
    assert f"{len(against)} (together {against.sum():+.3f}) against" in counts


@pytest.mark.parametrize("states", [3, 4])
def test_each_cell_is_told_as_the_board_holds_it(states: int) -> None:
    network = random_network(states=states)
    for position in random_positions(STANDARD, 10, seed=2):
        rows = [line.split() for line in position.drawing().splitlines()[:-1]][::-1]
        for group in explain(network, position, shown=100).groups:
            for (column, row), mark in zip(group.cells, group.marks, strict=True):
                held = rows[row][column]
                lands = row == 0 or rows[row - 1][column] != "."
                empty = "+" if lands and states == 4 else "-"
                assert mark == (empty if held == "." else held)


def test_a_reading_tells_the_state_its_weight_belongs_to() -> None:
    """The told state, looked up in the layout, has the told weight: in mirrored readings too."""
    network = random_network(states=4)
    layout = network.layout
    position = random_positions(STANDARD, 1, seed=5)[0]
    sign = 1 if position.first_to_move else -1
    table = network.weights[0 if position.first_to_move else layout.weights :]
    groups = explain(network, position, shown=100).groups
    assert sum("mirrored" in group.title for group in groups) == len(groups) / 2
    for group in groups:
        number = int(group.title.removeprefix("tuple ").removesuffix(", mirrored")) - 1
        state = tuple("-XO+".index(mark) for mark in group.marks)
        size, offset = int(layout.sizes[number]), int(layout.offsets[number])
        (found,) = [s for s in range(size) if layout.cell_states(number, s) == state]
        assert group.weight == pytest.approx(sign * float(table[offset + found]))


def test_a_mirrored_position_swaps_the_readings() -> None:
    network = random_network()
    tuples = len(network.layout.tuples)
    for position in random_positions(STANDARD, 5):
        weights = active_weights(network, position)
        image = active_weights(network, position.mirror())
        assert np.array_equal(weights, np.roll(image, tuples))


def test_the_analysis_is_plain_data(tmp_path: Path) -> None:
    agent = make_agent(f"{save(random_network(), tmp_path)},depth=3")
    analysis = agent.analyse(Position.from_moves("112233"))
    data = json.loads(json.dumps(analysis.to_json(), allow_nan=False))
    assert data == analysis.to_json()
    assert {"depth", "nodes", "network_value", "weight_sum", "readings"} == set(data["facts"])
    assert data["facts"]["depth"] == 3
    assert data["column_notes"]["4"] == "wins in 1 ply"
    assert set(data["groups"][0]) == {"title", "cells", "marks", "weight", "note", "part"}


def test_depth_counts_the_own_move_so_depth_1_searches_nothing(tmp_path: Path) -> None:
    spec = save(random_network(), tmp_path)
    nodes = [make_agent(f"{spec},depth={d}").analyse(Position()).facts["nodes"] for d in (1, 2)]
    assert nodes == [0, 7]

"""How the n-tuple player chooses, loads its network, and says what it cannot load."""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from small_networks import TRAINED, random_network, random_positions, save, wins_of

from connectlab.agents import AgentError, Analysis, make_agent
from connectlab.agents.ntuple.agent import NTupleAgent, load_network
from connectlab.agents.ntuple.network import Network
from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.storage.checkpoint import Checkpoint

DEPTHS = [1, 2, 3, 5]


def player(spec: str, geometry: Geometry = STANDARD) -> NTupleAgent:
    agent = make_agent(spec, geometry)
    assert isinstance(agent, NTupleAgent)
    return agent


def analyse(spec: str, position: Position) -> Analysis:
    return player(spec, position.geometry).analyse(position)


@pytest.fixture
def untrained(tmp_path: Path) -> str:
    return save(random_network(), tmp_path)


@pytest.mark.parametrize("depth", DEPTHS)
def test_mirrored_positions_have_mirrored_values(untrained: str, depth: int) -> None:
    agent = player(f"{untrained},depth={depth}")
    for position in [Position(), *random_positions(STANDARD, 12, seed=depth)]:
        analysis, image = agent.analyse(position), agent.analyse(position.mirror())
        assert analysis.values is not None and image.values is not None
        assert analysis.values == image.values[::-1]
        assert analysis.policy == image.policy[::-1]


@pytest.mark.parametrize("depth", [1, 4])
def test_a_tie_is_only_between_columns_of_equal_value(depth: int) -> None:
    """A lottery between a column and its mirror image is right only where the position is its own.

    Most positions are not symmetric; there, whatever ties has the very same fixed-point value.
    """
    agent = player(f"{TRAINED},depth={depth}")
    lopsided = [p for p in random_positions(STANDARD, 300, seed=depth) if p != p.mirror()]
    assert len(lopsided) > 200
    for position in lopsided:
        found, _ = agent._fixed_point_values(position)
        ties = {column for column, value in found.items() if value == max(found.values())}
        policy = agent.policy_of(position)
        assert {column for column, chance in enumerate(policy) if chance > 0} == ties
        assert {policy[column] for column in ties} == {1 / len(ties)}


def test_mirror_columns_tie_where_the_position_is_its_own_mirror_image() -> None:
    policy = player(TRAINED).policy_of(Position.from_moves("44"))
    assert policy == policy[::-1]


def test_asking_again_gives_the_same_policy(untrained: str) -> None:
    """Working memory is kept between questions; what it holds changes no answer."""
    positions = PositionBatch.of(random_positions(STANDARD, 30, seed=11))
    agent = player(f"{untrained},depth=5")
    first = agent.policy(positions)
    agent.policy(PositionBatch.of(random_positions(STANDARD, 30, seed=12)))
    assert np.array_equal(first, agent.policy(positions))
    assert np.array_equal(first, player(f"{untrained},depth=5").policy(positions))


@pytest.mark.parametrize("depth", DEPTHS)
def test_takes_a_win_at_once(untrained: str, depth: int) -> None:
    position = Position.from_moves("47513774")  # X wins in 2 and in 6
    analysis = analyse(f"{untrained},depth={depth}", position)
    assert analysis.best == (1, 5)
    assert analysis.values is not None
    assert analysis.values[1] == analysis.values[5] == pytest.approx(1.99)
    assert analysis.column_notes[1] == analysis.column_notes[5] == "wins in 1 ply"
    agent = player(f"{untrained},depth={depth}")
    assert {agent.choose_one(position, stream=stream) for stream in range(30)} == {1, 5}


@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_blocks_a_threat_when_it_looks_ahead(untrained: str, depth: int) -> None:
    threatened = [
        (position, threats[0])
        for position in random_positions(STANDARD, 400, seed=depth)
        if not wins_of(position, position.mover)
        and len(threats := wins_of(position, position.opponent)) == 1
        and not wins_of(after := position.play(threats[0]), after.mover)
    ]
    assert len(threatened) > 10
    agent = player(f"{untrained},depth={depth}")
    for position, column in threatened:
        if len(position.legal_columns) > 1:
            assert agent.choose_one(position) == column
            assert "loses in 2 plies" in agent.analyse(position).column_notes.values()


def test_a_block_that_only_search_sees(tmp_path: Path) -> None:
    """To a network without knowledge all columns are equal."""
    position = Position.from_moves("41424")
    network = random_network()
    zeros = Network(network.layout, network.tables, np.zeros_like(network.weights))
    spec = save(zeros, tmp_path)
    assert analyse(spec, position).best == tuple(range(7))
    searched = analyse(f"{spec},depth=2", position)
    assert searched.best == (3,)
    assert searched.column_notes == dict.fromkeys((0, 1, 2, 4, 5, 6), "loses in 2 plies")


def test_columns_that_tie_are_played_equally_often(tmp_path: Path) -> None:
    network = random_network()
    spec = save(Network(network.layout, network.tables, np.zeros_like(network.weights)), tmp_path)
    for depth in (1, 3):
        chosen = player(f"{spec},depth={depth}").choose(PositionBatch.start(1400, seed=1))
        counts = Counter(chosen.tolist())
        assert sorted(counts) == list(range(7))
        assert min(counts.values()) > 150 and max(counts.values()) < 250


def test_a_trained_network_beats_chance_and_search_beats_the_network() -> None:
    from connectlab.arena.match import play_match

    greedy, deeper = player(TRAINED), player(f"{TRAINED},depth=5")
    assert play_match(greedy, make_agent("random"), 400, seed=1).tally.score_rate > 0.85
    assert play_match(deeper, greedy, 200, seed=1).tally.score_rate > 0.75


@pytest.mark.parametrize("depth", [1, 4])
def test_choices_do_not_depend_on_the_split_of_a_batch(untrained: str, depth: int) -> None:
    agent = player(f"{untrained},depth={depth}")
    positions = random_positions(STANDARD, 24, seed=4)
    whole = agent.choose(PositionBatch.of(positions, seed=8))
    parts = PositionBatch.of(positions, seed=8)
    split = [agent.choose(parts[start : start + 5]) for start in range(0, 24, 5)]
    assert whole.tolist() == np.concatenate(split).tolist()


def test_threads_may_share_a_player(untrained: str) -> None:
    agent = player(f"{untrained},depth=5")
    positions = random_positions(STANDARD, 40, seed=6)
    expected = agent.choose(PositionBatch.of(positions)).tolist()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: agent.choose(PositionBatch.of(positions)), range(8)))
    assert all(answer.tolist() == expected for answer in answers)


def test_another_board_is_refused_by_name(untrained: str) -> None:
    with pytest.raises(AgentError, match=r"trained on a 7x6 connect-4 board .* 8x7 connect-4"):
        make_agent(untrained, Geometry(8, 7))


def test_players_share_a_network_until_its_file_changes(tmp_path: Path) -> None:
    spec = save(random_network(), tmp_path)
    one, two = player(spec), player(f"{spec},depth=4")
    assert one.network is two.network
    path = tmp_path / "network.safetensors"
    random_network(seed=2).checkpoint({}).save(path)
    os.utime(path, ns=(0, 0))
    other = player(spec)
    assert other.network is not one.network
    assert not np.array_equal(other.network.weights, one.network.weights)


def test_a_run_folder_plays_its_best_network(tmp_path: Path) -> None:
    for name, seed in (("best", 1), ("latest", 2)):
        random_network(seed=seed).checkpoint({}).save(tmp_path / f"{name}.safetensors")
    best = load_network(str(tmp_path))
    assert np.array_equal(best.weights, random_network(seed=1).weights)
    (tmp_path / "best.safetensors").unlink()
    latest = load_network(str(tmp_path))
    assert np.array_equal(latest.weights, random_network(seed=2).weights)


def broken(path: Path, **changes: object) -> str:
    """Write a checkpoint whose description of the network is wrong."""
    good = random_network().checkpoint({})
    described = {**good.header["network"], **changes}
    Checkpoint("ntuple", {"network": described}, good.arrays).save(path)
    return f"ntuple:{path}"


def test_what_cannot_be_loaded_is_said_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file.safetensors"
    file.write_text("not a checkpoint")
    other = tmp_path / "other.safetensors"
    Checkpoint("mlp", {}, {}).save(other)
    network = random_network()
    network.weights[5] = np.nan
    sick = tmp_path / "sick.safetensors"
    network.checkpoint({}).save(sick)
    cases = {
        f"ntuple:{tmp_path}/nothing": "there is no ntuple player .*nothing: name a run folder",
        f"ntuple:{tmp_path}": "holds no trained player",
        f"ntuple:{file}": "is damaged or is no checkpoint",
        f"ntuple:{other}": "was written by 'mlp', not by 'ntuple'",
        f"ntuple:{sick}": "some of its weights are no numbers",
        broken(
            tmp_path / "a.safetensors", tuples=None
        ): "a.safetensors: its header is damaged: tuples",
        broken(tmp_path / "b.safetensors", tables=1): "its tuples need",
        "ntuple": "ntuple needs a path or a name after the colon",
        f"{TRAINED},depth=0": "depth",
    }
    for spec, says in cases.items():
        with pytest.raises(UserError, match=says) as caught:
            make_agent(spec)
        assert "\n" not in str(caught.value)


def test_the_champion_is_read_from_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert player("ntuple:champion").network.geometry == STANDARD
    monkeypatch.setattr("connectlab.agents.settings.files", lambda package: tmp_path)
    with pytest.raises(AgentError, match="comes without ntuple:champion"):
        make_agent("ntuple:champion")


def test_half_precision_plays_as_well(tmp_path: Path) -> None:
    """Weights as float16, the format in which networks are shipped, choose the same columns."""
    network = random_network(tuples=20)
    whole = player(save(network, tmp_path))
    (tmp_path / "half").mkdir()
    half = player(save(network, tmp_path / "half", half=True))
    sizes = [p.stat().st_size for p in sorted(tmp_path.rglob("network.safetensors"))]
    assert min(sizes) < 0.6 * max(sizes)
    assert np.abs(half.network.weights - network.weights).max() < 3e-4
    positions = random_positions(STANDARD, 500, seed=3)
    same = whole.choose(PositionBatch.of(positions)) == half.choose(PositionBatch.of(positions))
    assert same.mean() > 0.97

"""What every registered player must do; a new one is tested here by being registered."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from examples import NAMES, example
from numpy.typing import NDArray

from connectlab.agents import Agent, AgentError, AgentSettings, make_agent
from connectlab.agents.registry import agent_class, settings_class
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import parse_moves
from connectlab.game.streams import make_streams

BOARDS = [
    (Geometry(4, 4, 3), 0),
    (Geometry(4, 5, 4), 0),
    (Geometry(3, 3, 4), 0),  # no line fits
    (Geometry(7, 1, 3), 0),
    (Geometry(1, 6, 4), 0),
    (Geometry(8, 7, 5), 40),  # all 64 bits; late enough to be solved
]
"""Boards, and how many random moves are made before the player takes over."""

pytestmark = pytest.mark.parametrize("name", NAMES)


def midgame(geometry: Geometry, plies: int, n: int) -> PositionBatch:
    """Unfinished positions after some random moves, as many as are left of n games."""
    batch = PositionBatch.start(n, geometry, seed=11)
    random = make_agent("random", geometry)
    for _ in range(plies):
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
    assert len(batch) > 0
    return batch


def self_play(agent: Agent, batch: PositionBatch) -> list[NDArray[np.int64]]:
    """Play a batch to its end; return the columns of each ply."""
    plies = []
    while len(batch):
        columns = agent.choose(batch)
        assert columns.shape == (len(batch),)
        assert columns.dtype == np.int64
        plies.append(columns)
        batch = batch.play(columns)  # refuses an illegal move
        batch = batch[batch.outcomes == 0]
    return plies


def same(one: list[NDArray[np.int64]], two: list[NDArray[np.int64]]) -> bool:
    return len(one) == len(two) and all(map(np.array_equal, one, two))


def with_streams(batch: PositionBatch, seed: int) -> PositionBatch:
    """The same positions in other games."""
    return PositionBatch(
        batch.geometry, batch.mover, batch.occupied, make_streams(seed, len(batch))
    )


def test_says_what_it_is(name: str) -> None:
    agent = example(name)
    assert agent.Settings is settings_class(name)
    assert agent.Settings.name == name
    assert agent.Settings.summary
    assert "\n" not in agent.Settings.summary
    assert type(agent).__doc__
    for field in agent.Settings.model_fields.values():
        assert field.description, "every setting is documented"


def test_plays_legal_moves_to_the_end(name: str) -> None:
    assert len(self_play(example(name), midgame(STANDARD, 14, 6))) > 0


def test_plays_from_the_empty_board(name: str) -> None:
    chosen = example(name).choose(PositionBatch.start(5, seed=1))
    assert ((chosen >= 0) & (chosen < 7)).all()


@pytest.mark.parametrize(("geometry", "plies"), BOARDS, ids=str)
def test_plays_on_another_board_or_refuses_it(name: str, geometry: Geometry, plies: int) -> None:
    try:
        agent = example(name, geometry)
    except AgentError as refusal:
        assert str(geometry) in str(refusal)
        return
    batch = midgame(geometry, plies, 200 if plies else 8)[:8]
    assert len(self_play(agent, batch)) > 0


def test_its_policy_is_one(name: str) -> None:
    for batch in (PositionBatch.start(2), midgame(STANDARD, 20, 30), midgame(STANDARD, 30, 300)):
        policy = example(name).policy(batch)
        assert policy.dtype == np.float64
        assert policy.shape == (len(batch), 7)
        assert (policy >= 0).all()
        assert (policy[~batch.legal] == 0).all()
        assert np.allclose(policy.sum(axis=1), 1, atol=1e-9)


def test_it_draws_from_its_policy(name: str) -> None:
    agent = example(name)
    position = Position.from_moves("12345671234567")
    batch = PositionBatch.of([position] * 400, seed=3)
    chosen = np.bincount(agent.choose(batch), minlength=7) / 400
    if not agent.sampled:
        assert np.abs(chosen - agent.policy(batch)[0]).max() < 4.5 * np.sqrt(0.25 / 400)
        assert set(np.flatnonzero(chosen)) <= set(np.flatnonzero(agent.policy(batch)[0]))


def test_only_a_sampled_policy_depends_on_the_game(name: str) -> None:
    agent = example(name)
    batch = midgame(STANDARD, 16, 6)
    policies = [agent.policy(with_streams(batch, seed)) for seed in (1, 2)]
    assert agent.sampled or np.array_equal(*policies)


def test_asking_changes_nothing(name: str) -> None:
    agent = example(name)
    batch = midgame(STANDARD, 16, 6)
    before = [words.copy() for words in (batch.mover, batch.occupied, batch.streams)]
    first = agent.choose(batch)
    agent.analyse(batch.position(0))
    assert np.array_equal(first, agent.choose(batch))
    after = (batch.mover, batch.occupied, batch.streams)
    assert all(map(np.array_equal, before, after))


def test_same_seed_same_game(name: str) -> None:
    batch = midgame(STANDARD, 16, 6)
    assert same(self_play(example(name), batch), self_play(example(name), batch))


def test_a_game_does_not_depend_on_its_batch(name: str) -> None:
    agent = example(name)
    batch = midgame(STANDARD, 16, 9)
    chosen = agent.choose(batch)
    split = [agent.choose(batch[start : start + 2]) for start in range(0, len(batch), 2)]
    assert np.array_equal(chosen, np.concatenate(split))
    assert np.array_equal(chosen[::-1], agent.choose(batch[np.arange(len(batch))[::-1]]))


def test_answers_an_empty_batch(name: str) -> None:
    assert example(name).choose(PositionBatch.start(0)).shape == (0,)


def test_may_be_called_from_several_threads(name: str) -> None:
    agent = example(name)
    batch = midgame(STANDARD, 16, 30)
    expected = agent.choose(batch)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(agent.choose, [batch] * 6))
    assert all(np.array_equal(answer, expected) for answer in answers)


WITHOUT_OPINION = {"allis"}
"""Players that have no value for a column of which they can prove nothing."""


@pytest.mark.parametrize("moves", ["", "223344", "4444441", "12345671234567", "71574122"])
def test_its_analysis_explains_the_move_it_makes(name: str, moves: str) -> None:
    agent = example(name)
    position = Position.from_moves(moves)
    for stream in (0, 12345):
        analysis = agent.analyse(position, stream=stream)
        assert analysis.policy == agent.policy_of(position, stream=stream)
        assert agent.choose_one(position, stream=stream) in analysis.best
        if analysis.values is not None:
            valued = {c for c, value in enumerate(analysis.values) if value is not None}
            assert valued <= set(position.legal_columns)
            if name not in WITHOUT_OPINION:
                assert valued == set(position.legal_columns)
            assert analysis.unit


def test_analysis_survives_json(name: str) -> None:
    analysis = example(name).analyse(Position.from_moves("4444441"))
    data = json.loads(json.dumps(analysis.to_json(), allow_nan=False))
    assert data == analysis.to_json()
    assert list(data["policy"]) == list("1234567")
    assert data["policy"]["4"] == 0
    assert [parse_moves(column, STANDARD) for column in data["best"]]


def test_spec_makes_the_same_player_again(name: str) -> None:
    agent = example(name)
    again = make_agent(agent.spec)
    assert type(again) is type(agent)
    assert again.settings == agent.settings
    assert isinstance(agent.settings, AgentSettings)
    assert repr(agent).startswith("make_agent(")


def test_refuses_a_finished_game_and_a_position_of_another_board(name: str) -> None:
    agent = example(name)
    for ask in (agent.choose_one, agent.analyse):
        with pytest.raises(AgentError, match="over"):
            ask(Position.from_moves("1212121"))
    with pytest.raises(AgentError, match="4x4 connect-3"):
        agent.choose_one(Position(Geometry(4, 4, 3)))


def test_at_home_it_plays(name: str) -> None:
    settings = example(name).settings
    home = agent_class(name).home_board(settings)
    assert home in (None, STANDARD)
    small = (
        agent_class(name).home_board(example(name, Geometry(4, 4, 3)).settings) if home else None
    )
    assert small in (None, Geometry(4, 4, 3))

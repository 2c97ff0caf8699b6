"""What every registered player must do; a new one is tested here by being registered."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from examples import NAMES, example
from numpy.typing import NDArray

from connectlab.agents import Agent, AgentError, make_agent
from connectlab.agents.base import AgentSettings
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import parse_moves

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


def fresh(batch: PositionBatch) -> PositionBatch:
    """The batch with streams of its own."""
    return PositionBatch(batch.geometry, batch.mover, batch.occupied, batch.streams.copy())


def test_says_what_it_is(name: str) -> None:
    agent = example(name)
    assert agent.name == name
    assert agent.summary
    assert "\n" not in agent.summary
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


def test_same_seed_same_game(name: str) -> None:
    batch = midgame(STANDARD, 16, 6)
    again = example(name)
    assert same(self_play(example(name), fresh(batch)), self_play(again, fresh(batch)))


def test_a_game_does_not_depend_on_its_batch(name: str) -> None:
    agent = example(name)
    whole, parts, backwards = (fresh(midgame(STANDARD, 16, 9)) for _ in range(3))
    chosen = agent.choose(whole)
    split = [agent.choose(parts[start : start + 2]) for start in range(0, len(parts), 2)]
    turned = backwards[np.arange(len(backwards))[::-1]]
    assert np.array_equal(chosen, np.concatenate(split))
    assert np.array_equal(whole.streams, parts.streams)
    assert np.array_equal(chosen[::-1], agent.choose(turned))
    assert np.array_equal(whole.streams[::-1], turned.streams)


def test_answers_an_empty_batch(name: str) -> None:
    assert example(name).choose(PositionBatch.start(0)).shape == (0,)


def test_leaves_the_positions_alone(name: str) -> None:
    batch = midgame(STANDARD, 16, 4)
    mover, occupied = batch.mover.copy(), batch.occupied.copy()
    example(name).choose(batch)
    assert np.array_equal(batch.mover, mover)
    assert np.array_equal(batch.occupied, occupied)


def test_may_be_called_from_several_threads(name: str) -> None:
    agent = example(name)
    batch = midgame(STANDARD, 16, 30)
    expected = agent.choose(fresh(batch))
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(agent.choose, [fresh(batch) for _ in range(6)]))
    assert all(np.array_equal(answer, expected) for answer in answers)


@pytest.mark.parametrize("moves", ["", "223344", "4444441", "12345671234567", "71574122"])
def test_chooses_what_its_analysis_calls_best(name: str, moves: str) -> None:
    agent = example(name)
    position = Position.from_moves(moves)
    analysis = agent.analyse(position)
    if analysis is None:
        pytest.skip("a player with nothing to tell")
    assert len(analysis.values) == 7
    played = [column for column, value in enumerate(analysis.values) if value is not None]
    assert tuple(played) == position.legal_columns
    batch = PositionBatch.of([position] * 300, seed=3)
    assert set(agent.choose(batch).tolist()) == set(analysis.best)


def test_analysis_survives_json(name: str) -> None:
    analysis = example(name).analyse(Position.from_moves("4444441"))
    if analysis is None:
        pytest.skip("a player with nothing to tell")
    data = json.loads(json.dumps(analysis.to_json(), allow_nan=False))
    assert data == analysis.to_json()
    assert list(data["values"]) == list("1234567")
    assert data["values"]["4"] is None
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
    with pytest.raises(AgentError, match="over"):
        agent.choose_one(Position.from_moves("1212121"))
    with pytest.raises(AgentError, match="4x4 connect-3"):
        agent.choose_one(Position(Geometry(4, 4, 3)))

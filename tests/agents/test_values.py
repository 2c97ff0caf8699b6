"""Players that value positions do so for the side to move, from -1 to 1."""

import numpy as np
import pytest
from examples import NAMES, example

from connectlab.agents import AgentError, make_agent
from connectlab.game import STANDARD, Geometry, Position, PositionBatch

SMALL = Geometry(4, 4, 3)
VALUED = {"dqn", "mlp", "ntuple", "perfect", "qtable"}


def positions(geometry: Geometry, plies: int) -> PositionBatch:
    batch, random = PositionBatch.start(30, geometry, seed=5), make_agent("random", geometry)
    for _ in range(plies):
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
    return batch


@pytest.mark.parametrize("name", NAMES)
def test_a_player_has_values_or_says_that_it_has_none(name: str) -> None:
    agent, batch = example(name, SMALL), positions(SMALL, 4)
    assert agent.has_values == (name in VALUED)
    if not agent.has_values:
        with pytest.raises(AgentError, match=f"{name}.* has no values"):
            agent.values(batch)
        return
    values = agent.values(batch)
    assert values.shape == (len(batch),)
    assert values.dtype == np.float64
    assert (np.abs(values) <= 1).all()
    assert len(set(values.tolist())) > 1
    assert agent.values(batch[:0]).shape == (0,)
    alone = [agent.values(batch[i : i + 1])[0] for i in range(len(batch))]
    assert np.array_equal(values, alone)


def test_perfect_values_are_outcomes() -> None:
    for objective in ("distance", "outcome"):
        agent = make_agent(f"perfect:table_mb=1,objective={objective}", SMALL)
        batch = positions(SMALL, 5)
        best = [
            max(value for value in agent.analyse(position).values or () if value is not None)
            for position in batch.positions()
        ]
        assert np.array_equal(agent.values(batch), np.sign(best))


@pytest.mark.parametrize("geometry", [SMALL, STANDARD], ids=str)
def test_an_ntuple_position_is_worth_its_best_column(geometry: Geometry) -> None:
    agent = example("ntuple", geometry)
    batch = positions(geometry, 6)
    for position, value in zip(batch.positions(), agent.values(batch), strict=True):
        best = max(v for v in agent.analyse(position).values or () if v is not None)
        expected = float(np.sign(best)) if abs(best) > 1 else best
        assert value == pytest.approx(expected, abs=1e-12)


def test_a_win_at_once_is_worth_one() -> None:
    position = Position.from_moves("414141")
    for spec in ("ntuple:champion", "ntuple:champion,depth=3", "perfect"):
        assert make_agent(spec).values(PositionBatch.of([position]))[0] == 1

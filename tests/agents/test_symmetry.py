"""Players that claim to be symmetric play mirrored moves in mirrored positions, to the last bit."""

import numpy as np
import pytest

from connectlab.agents import make_agent
from connectlab.game.random_lines import random_lines

CLAIMED = ["random", "perfect", "perfect:objective=outcome", "ntuple:champion"]
SEARCHING = ["ntuple:champion,depth=2", "ntuple:champion,depth=4"]


@pytest.mark.parametrize("spec", [*CLAIMED, *SEARCHING])
def test_a_mirrored_position_gets_the_mirrored_policy(spec: str) -> None:
    agent = make_agent(spec)
    assert agent.symmetric
    batch = random_lines(300 if spec in SEARCHING else 1500, 12, 36, seed=4).batch
    assert np.array_equal(agent.policy(batch.mirror())[:, ::-1], agent.policy(batch))


@pytest.mark.parametrize("spec", ["negamax", "extend", "mlp:best", "qtable:cheng-known"])
def test_nobody_else_promises_anything(spec: str) -> None:
    assert not make_agent(spec).symmetric

"""Every registered player plays the variants that it says it plays, and refuses the others."""

from dataclasses import replace

import numpy as np
import pytest
from examples import NAMES, example, example_spec

from connectlab.agents import AgentError
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.registry import agent_class
from connectlab.agents.spec import SOURCE
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.lockstep import Lockstep
from connectlab.game.variants import Variant

BOARD = Geometry(4, 4, 3)
VARIANTS = {"slip": "slip:0.2", "drop-row": "drop-row:0.2", "counts": "counts"}

every_player = pytest.mark.parametrize("name", NAMES)
every_variant = pytest.mark.parametrize("kind", VARIANTS)


def board_of(kind: str) -> Geometry:
    return replace(BOARD, variant=Variant.parse(VARIANTS[kind]))


def has_counts_network(name: str) -> bool:
    """Whether the example of this name was trained on counts, or needs no training."""
    return SOURCE not in agent_class(name).Settings.model_fields


@every_player
@every_variant
def test_plays_a_variant_to_its_end_or_refuses_it_in_one_line(name: str, kind: str) -> None:
    if kind not in agent_class(name).variants:
        with pytest.raises(AgentError) as caught:
            example(name, board_of(kind))
        assert f"{name} cannot play the variant {kind}: it plays" in str(caught.value)
        assert "\n" not in str(caught.value)
        return
    if kind == "counts" and not has_counts_network(name):
        pytest.skip("the example was trained on boards that are seen")
    agent = example(name, board_of(kind))
    running = Lockstep.start(range(8), agent.geometry, seed=4)
    while len(running):
        running = running.play(agent.choose(running.batch))
    assert (running.records.outcomes > 0).all()


@every_player
def test_a_row_that_fell_changes_no_opinion(name: str) -> None:
    if "drop-row" not in agent_class(name).variants or agent_class(name).sampled:
        pytest.skip("only for players with one opinion on a board")
    agent = example(name, board_of("drop-row"))
    fell = Position.from_moves("1_1223", agent.geometry)
    batch = PositionBatch.of([fell])
    as_new = PositionBatch(agent.geometry, batch.mover, batch.occupied, batch.streams)
    assert np.array_equal(agent.policy(batch), agent.policy(as_new))


@every_player
def test_whoever_plays_counts_does_not_look_at_the_stones(name: str) -> None:
    if "counts" not in agent_class(name).variants or not has_counts_network(name):
        pytest.skip("does not play counts")
    agent = example(name, replace(Geometry(7, 6, 4), variant=Variant(counts=True)))
    # The same counts and the same columns with room, but other stones.
    one, other = (Position.from_moves(m, agent.geometry) for m in ("1122", "6677"))
    policies = [agent.policy_of(position, stream=5) for position in (one, other)]
    assert policies[0] == policies[1]
    assert one != other


def test_a_spec_says_nothing_of_the_variant() -> None:
    assert example("random", board_of("slip")).spec == example_spec("random")


def test_a_learner_refuses_what_it_does_not_learn_in_one_line() -> None:
    with pytest.raises(ValueError, match="ntuple cannot learn the variant slip: it learns no var"):
        NTupleConfig(variant="slip:0.1")
    with pytest.raises(ValueError, match="there is no variant 'slop': did you mean 'slip'"):
        NTupleConfig(variant="slop:0.1")


def test_a_plain_config_looks_as_ever() -> None:
    assert "variant" not in NTupleConfig().plain()
    assert NTupleConfig.model_validate(NTupleConfig().plain()) == NTupleConfig()

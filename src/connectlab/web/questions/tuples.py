"""What a worker does with sets of tuples: draw them, find those of a network, measure them."""

from connectlab.agents.ntuple.agent import NTupleAgent
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.coverage import measure_coverage
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.tuples import create_tuples
from connectlab.agents.registry import make_agent
from connectlab.agents.settings import AgentError
from connectlab.lab.plans import make_config
from connectlab.lab.seats import name_of
from connectlab.web.boards import board_of
from connectlab.web.models.tuples import (
    CoverageIn,
    CoverageOut,
    DrawIn,
    NetworkIn,
    NetworkOut,
    TuplesOfIn,
    TuplesOut,
    as_tuples,
    tuples_out,
)


def draw_tuples(asked: DrawIn) -> TuplesOut:
    """Draw a set by lot, as a learner with these settings would."""
    board = board_of(asked.board)
    return tuples_out(create_tuples(asked.creation, asked.tuples, asked.length, board, asked.seed))


def tuples_of(asked: TuplesOfIn) -> TuplesOut:
    """Return the set of a network."""
    agent = make_agent(asked.player, board_of(asked.board))
    if not isinstance(agent, NTupleAgent):
        raise AgentError(f"{name_of(agent)} is no n-tuple network, so it has no tuples")
    return tuples_out(agent.network.layout.tuples)


def count_weights(asked: NetworkIn) -> NetworkOut:
    """Count the weights of a network; refuse one that is too large, or whose file is wrong."""
    config = make_config(NTupleConfig.name, asked.settings)
    assert isinstance(config, NTupleConfig), "that is what the name stands for"
    return NetworkOut(weights=float(config.tables * Layout.of(config).weights))


def cover(asked: CoverageIn) -> CoverageOut:
    """Measure what a set covers, and what training with it will take."""
    found = measure_coverage(
        as_tuples(asked.tuples),
        board_of(asked.board),
        states=asked.states,
        mirror=asked.mirror,
        tables=asked.tables,
    )
    return CoverageOut(
        cells=[list(column) for column in found.cells],
        lines=found.lines,
        seen=found.lines - len(found.unseen),
        unseen=[[list(cell) for cell in line] for line in found.unseen],
        duplicates=[list(pair) for pair in found.duplicates],
        states=[float(states) for states in found.states],
        weights=float(found.weights),
        problem=found.problem,
    )

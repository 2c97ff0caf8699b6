"""What becomes of each player on its way to Kaggle.

A recipe imports its own kind of player alone: the kernels of all would take minutes to compile.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab import __version__
from connectlab.agents.base import Agent
from connectlab.agents.registry import settings_class
from connectlab.agents.spec import Spec
from connectlab.errors import UserError
from connectlab.integrations.kaggle.submission import Submission

Arrays = Mapping[str, NDArray[np.generic]]


class ExportError(UserError):
    """A player that cannot be exported, or a file that cannot be written as asked."""


class Recipe(NamedTuple):
    """How to make a player out of the modules of the runtime."""

    modules: tuple[str, ...]
    player: str
    """The expression that makes it; ``WEIGHTS`` are its arrays."""
    arrays: Arrays


def _nothing_learned(*modules: str, player: str) -> Recipe:
    return Recipe(modules, player, {})


def _random(agent: Agent) -> Recipe:
    return _nothing_learned("baselines", player=f"RandomPlayer({_board(agent)})")


def _extend(agent: Agent) -> Recipe:
    return _nothing_learned("baselines", player=f"ExtendPlayer({_board(agent)})")


def _minimax(agent: Agent) -> Recipe:
    from connectlab.agents.minimax import MinimaxAgent

    assert isinstance(agent, MinimaxAgent)
    settings = agent.settings
    made = f"depth={settings.depth}, force_center={settings.force_center}"
    return _nothing_learned("minimax", player=f"MinimaxPlayer({_board(agent)}, {made})")


def _negamax(agent: Agent) -> Recipe:
    from connectlab.agents.negamax import NegamaxAgent

    assert isinstance(agent, NegamaxAgent)
    made = f"NegamaxPlayer({_board(agent)}, depth={agent.settings.depth})"
    return _nothing_learned("negamax", player=made)


def _mlp(agent: Agent) -> Recipe:
    from connectlab.agents.mlp.agent import MLPAgent

    assert isinstance(agent, MLPAgent)
    arrays = {name: np.ascontiguousarray(a) for name, a in agent.network.arrays.items()}
    return Recipe(("mlp",), f"MLPPlayer({_board(agent)}, WEIGHTS)", arrays)


def _dqn(agent: Agent) -> Recipe:
    from connectlab.agents.dqn.agent import DQNAgent
    from connectlab.agents.dqn.kernels import FINENESS

    assert isinstance(agent, DQNAgent)
    if agent.settings.invalid == "allow":
        raise ExportError("dqn with invalid=allow gives games up: export it without")
    header, arrays = agent.network.header, agent.network.arrays
    made = (
        f"padding={header.padding}, own_planes={header.planes == 'own'}, "
        f"unit={header.reward_win / FINENESS!r}"
    )
    player = f"DQNPlayer({_board(agent)}, WEIGHTS, {made})"
    return Recipe(("dqn",), player, {name: _shortest(array) for name, array in arrays.items()})


def _ntuple(agent: Agent) -> Recipe:
    from connectlab.agents.ntuple.agent import NTupleAgent
    from connectlab.agents.ntuple.evaluator import Evaluator

    assert isinstance(agent, NTupleAgent)
    network, depth = agent.network, agent.settings.depth
    layout = network.layout
    arrays = {
        "cells": np.array([cell for cells in layout.tuples for cell in cells], dtype=np.uint8),
        "lengths": np.array([len(cells) for cells in layout.tuples], dtype=np.uint8),
        "weights": _shortest(network.weights),
    }
    made = (
        f"NTupleNetwork({_board(agent)}, WEIGHTS, states={layout.states}, mirror={layout.mirror}, "
        f"tables={network.tables}, scale={Evaluator.of(network).scale!r})"
    )
    player = f"NTuplePlayer(\n    {made},\n    depth={depth},\n    deepens={depth > 1},\n)"
    return Recipe(("ntuple_search",), player, arrays)


def _qtable(agent: Agent) -> Recipe:
    from connectlab.agents.qtable.agent import QTableAgent

    assert isinstance(agent, QTableAgent)
    model, header = agent.model, agent.model.header
    kept = model.changed  # all others play as a state that was never met
    entries = {name: array[kept] for name, array in model.table.entries().items()}
    order = np.argsort(entries["keys"])
    arrays = {"keys": entries["keys"][order], "values": _shortest(entries["values"][order])}
    known = (header.known_win, header.known_block, header.known_streak)
    beginning = f"Beginning{known!r}" if header.known else "None"
    made = f"mirror={header.mirror}, first_tie={header.ties == 'first'}, beginning={beginning}"
    return Recipe(("qtable",), f"QTablePlayer({_board(agent)}, WEIGHTS, {made})", arrays)


def _mcts(agent: Agent) -> Recipe:
    from connectlab.agents.mcts.agent import MCTSAgent

    assert isinstance(agent, MCTSAgent)
    settings = agent.settings
    if settings.value is not None or settings.prior is not None:
        raise ExportError("mcts with value= or prior= cannot be exported, only with rollouts")
    plan = {
        "iterations": settings.iterations if settings.seconds is None else None,
        "exploration": settings.exploration,
        "heuristic": settings.rollouts == "heuristic",
        "stop_at_win": settings.stop_at_win,
        "forced_blocks": settings.forced_blocks,
        "solver": settings.solver,
        "transpositions": settings.transpositions,
        "temperature": settings.temperature,
    }
    lines = "".join(f"        {name}={value!r},\n" for name, value in plan.items())
    player = f"MCTSPlayer(\n    {_board(agent)},\n    TreePlan(\n{lines}    ),\n)"
    return _nothing_learned("mcts", player=player)


def _perfect(agent: Agent) -> Recipe:
    from connectlab.agents.perfect import PerfectAgent
    from connectlab.integrations.kaggle.opening import book_arrays, opening_arrays

    assert isinstance(agent, PerfectAgent)
    book = agent.solver.book
    objective = agent.settings.objective
    if objective not in ("distance", "outcome"):
        raise ExportError(f"perfect with objective={objective} cannot be exported: take distance")
    by_distance = objective == "distance"
    if book is None:
        made = f"PerfectPlayer(Prover({_board(agent)}), distance={by_distance})"
        return _nothing_learned("perfect", player=made)
    prover = f"Prover({_board(agent)}, OpeningBook({_board(agent)}, WEIGHTS).score, BOOK_PLY)"
    learned = '.learn(WEIGHTS["keys"].tolist(), WEIGHTS["scores"].tolist())'
    player = f"PerfectPlayer(\n    {prover}\n    {learned},\n    distance={by_distance},\n)"
    arrays = {**book_arrays(book), **opening_arrays(agent.solver)}
    return Recipe(("perfect", "book"), player, arrays)


RECIPES: dict[str, Callable[[Agent], Recipe]] = {
    "random": _random,
    "extend": _extend,
    "minimax": _minimax,
    "negamax": _negamax,
    "mlp": _mlp,
    "dqn": _dqn,
    "ntuple": _ntuple,
    "qtable": _qtable,
    "mcts": _mcts,
    "perfect": _perfect,
}


def check_exportable(spec: str) -> None:
    """Refuse a player that does not exist or cannot leave the laboratory; import none."""
    name = Spec.parse(spec).name
    settings_class(name)
    if name not in RECIPES:
        raise ExportError(f"{name} cannot be exported to Kaggle: {', '.join(RECIPES)} can")


def make_submission(agent: Agent) -> Submission:
    """Turn a player into a submission; refuse one that cannot leave the laboratory."""
    check_exportable(agent.spec)
    name, board = agent.settings.name, agent.geometry
    if not board.variant.is_plain:
        raise ExportError(f"Kaggle plays the plain game, not {board}")
    recipe = RECIPES[name](agent)
    facts = {
        "board": str(board),
        "settings": ", ".join(f"{key}={value}" for key, value in agent.settings) or "none",
        "needs": "Python 3.10 or later" + (" and NumPy" if recipe.arrays else ""),
    }
    title = f"{agent.spec}: a player for Kaggle's ConnectX, written by connectlab {__version__}"
    return Submission(title, facts, recipe.modules, recipe.player, recipe.arrays)


def _board(agent: Agent) -> str:
    board = agent.geometry
    return f"Board({board.columns}, {board.rows}, {board.connect})"


def _shortest(weights: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return weights of half precision where that loses nothing."""
    with np.errstate(over="ignore"):
        half = weights.astype(np.float16)
    return half if np.array_equal(half.astype(np.float32), weights) else weights

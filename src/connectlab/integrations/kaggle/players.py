"""What becomes of each player on its way to Kaggle."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab import __version__
from connectlab.agents.base import Agent
from connectlab.agents.minimax import MinimaxAgent
from connectlab.agents.mlp.agent import MLPAgent
from connectlab.agents.negamax import NegamaxAgent
from connectlab.agents.ntuple.agent import NTupleAgent
from connectlab.agents.ntuple.evaluator import Evaluator
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
    assert isinstance(agent, MinimaxAgent)
    settings = agent.settings
    made = f"depth={settings.depth}, force_center={settings.force_center}"
    return _nothing_learned("minimax", player=f"MinimaxPlayer({_board(agent)}, {made})")


def _negamax(agent: Agent) -> Recipe:
    assert isinstance(agent, NegamaxAgent)
    made = f"NegamaxPlayer({_board(agent)}, depth={agent.settings.depth})"
    return _nothing_learned("negamax", player=made)


def _mlp(agent: Agent) -> Recipe:
    assert isinstance(agent, MLPAgent)
    arrays = {name: np.ascontiguousarray(a) for name, a in agent.network.arrays.items()}
    return Recipe(("mlp",), f"MLPPlayer({_board(agent)}, WEIGHTS)", arrays)


def _ntuple(agent: Agent) -> Recipe:
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


RECIPES: dict[str, Callable[[Agent], Recipe]] = {
    "random": _random,
    "extend": _extend,
    "minimax": _minimax,
    "negamax": _negamax,
    "mlp": _mlp,
    "ntuple": _ntuple,
}


def make_submission(agent: Agent) -> Submission:
    """Turn a player into a submission; refuse one that cannot leave the laboratory."""
    name, board = agent.settings.name, agent.geometry
    if name not in RECIPES:
        raise ExportError(f"{name} cannot be exported to Kaggle: {', '.join(RECIPES)} can")
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


def _shortest(weights: NDArray[np.float32]) -> NDArray[np.generic]:
    """Return weights of half precision where that loses nothing."""
    with np.errstate(over="ignore"):
        half = weights.astype(np.float16)
    return half if np.array_equal(half.astype(np.float32), weights) else weights

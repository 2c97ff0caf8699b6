"""Which player a conformance test builds for each registered name.

Learners play with small networks from tests/golden/networks. Run this file with names of learners
to train theirs anew; the golden games of the learner have to be written again then.
"""

import shlex
import sys
from pathlib import Path

from connectlab.agents import Agent, make_agent
from connectlab.agents.registry import players
from connectlab.game import STANDARD, Geometry

NETWORKS = Path(__file__).parents[1] / "golden" / "networks"
ENGINES = Path(__file__).parent / "external" / "engines"
SUBMISSIONS = Path(__file__).parent / "kaggle" / "submissions"

SPECS: dict[str, str] = {
    "mcts": "mcts:iterations=50",
    "ntuple": "ntuple:{networks}/ntuple-{board}.safetensors,depth=3",
    "mlp": "mlp:{networks}/mlp-{board}.safetensors",
    "qtable": "qtable:{networks}/qtable-{board}.safetensors",
    "dqn": "dqn:{networks}/dqn-{board}.safetensors",
    "external": 'external:command="{python} {engines}/center.py"',
    "kaggle": 'kaggle:"{submissions}/center.py"',
    "openspiel": "openspiel:mcts,simulations=20",
}
"""Spec strings for names that need more than the name, such as a path or a quick setting."""

TRAINED = [STANDARD, Geometry(5, 4, 4), Geometry(4, 4, 3)]
"""Boards there are networks for."""

NAMES = sorted(players())


def board_name(geometry: Geometry) -> str:
    return f"{geometry.columns}x{geometry.rows}-{geometry.connect}"


def example_spec(name: str, geometry: Geometry = STANDARD) -> str:
    """The spec of an example; on a board without a network, that for the standard board."""
    board = board_name(geometry.plain if geometry.plain in TRAINED else STANDARD)
    return SPECS.get(name, name).format(
        networks=NETWORKS,
        board=board,
        python=shlex.quote(sys.executable),
        engines=shlex.quote(str(ENGINES)),
        submissions=SUBMISSIONS,
    )


def example(name: str, geometry: Geometry = STANDARD) -> Agent:
    return make_agent(example_spec(name, geometry), geometry)


def train_ntuple(geometry: Geometry) -> None:
    """Train a network so small that its file has a few kilobytes."""
    from connectlab.agents.ntuple.config import NTupleConfig
    from connectlab.agents.ntuple.training import NTupleLearner

    settings = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    config = NTupleConfig(**settings, tuples=8, length=4, games=20_000)
    learner = NTupleLearner(config)
    while learner.games_done < config.games:
        learner.step()
    learner.checkpoint().save(NETWORKS / f"ntuple-{board_name(geometry)}.safetensors")


def train_mlp(geometry: Geometry) -> None:
    """Train a network so small that its file has a few kilobytes."""
    from connectlab.agents.mlp.config import MLPConfig
    from connectlab.agents.mlp.training import MLPLearner

    settings = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    learner = MLPLearner(MLPConfig(**settings, hidden=8, games=20_000))
    learner.learn(20_000)
    learner.checkpoint().save(NETWORKS / f"mlp-{board_name(geometry)}.safetensors")


def train_qtable(geometry: Geometry) -> None:
    """Train a table of some hundred states."""
    from connectlab.agents.qtable.config import QTableConfig
    from connectlab.agents.qtable.training import QTableLearner

    board = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    settings = {"opponents": "random", "known": True, "exploration": "vdbe-softmax", "games": 40}
    config = QTableConfig.model_validate({**board, **settings})
    learner = QTableLearner(config)
    while learner.games_done < config.games:
        learner.step()
    learner.checkpoint().save(NETWORKS / f"qtable-{board_name(geometry)}.safetensors")


def train_dqn(geometry: Geometry) -> None:
    """Train a network so small that its file has a few kilobytes."""
    from connectlab.agents.dqn.config import DQNConfig
    from connectlab.agents.dqn.training import DQNLearner

    board = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    settings = {"channels": 4, "hidden": 8, "parallel": 10, "games": 400, "device": "cpu"}
    learner = DQNLearner(DQNConfig.model_validate({**board, **settings}))
    while learner.games_done < learner.config.games:
        learner.step()
    learner.checkpoint().save(NETWORKS / f"dqn-{board_name(geometry)}.safetensors")


if __name__ == "__main__":
    trainers = {
        "ntuple": train_ntuple,
        "mlp": train_mlp,
        "qtable": train_qtable,
        "dqn": train_dqn,
    }
    for chosen in sys.argv[1:]:
        for board in TRAINED:
            trainers[chosen](board)

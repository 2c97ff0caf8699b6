"""Small networks and learners for the tests of this room."""

from connectlab.agents.dqn.config import DQNConfig
from connectlab.agents.dqn.training import DQNLearner

BOARD = {"columns": 4, "rows": 4, "connect": 3}
SMALL = {**BOARD, "channels": 4, "hidden": 8, "games": 60, "device": "cpu"}
SELF_PLAY = {"opponents": "self", "rewards": "plain"}
EVERYTHING = {
    **SELF_PLAY,
    "double": True,
    "dueling": True,
    "noisy": True,
    "n_step": 3,
    "priority": 0.6,
    "mirror": True,
    "loss": "huber",
    "clip": 1.0,
    "planes": "own",
}


def config(**changes: object) -> DQNConfig:
    return DQNConfig.model_validate({**SMALL, **changes})


def trained(**changes: object) -> DQNLearner:
    learner = DQNLearner(config(**changes))
    while learner.games_done < learner.config.games:
        learner.step()
    return learner

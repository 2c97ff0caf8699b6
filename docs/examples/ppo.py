"""Train Stable-Baselines3's MaskablePPO against a player of the house, and let the arena judge it.

Needs sb3-contrib besides connectlab[env]. docs/tutorial-ppo.md walks through this file.
"""

import argparse
from pathlib import Path
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import connectlab.integrations.gymnasium  # noqa: F401  # makes the environment's id known
from connectlab.agents import Agent, AgentSettings, make_agent
from connectlab.arena.match import play_match
from connectlab.arena.measures import move_accuracy, success_rate
from connectlab.arena.positions import generate_positions
from connectlab.game import PositionBatch


def train(opponent: str, steps: int, seed: int = 0) -> MaskablePPO:
    """Learn by playing against one opponent, moving first and second in turn."""
    envs = make_vec_env(
        "connectlab/Connect4-v0",
        n_envs=16,
        seed=seed,
        env_kwargs={"opponent": opponent, "first": "alternate"},
    )
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=128,
        batch_size=512,
        n_epochs=6,
        gamma=0.98,
        ent_coef=0.02,
        learning_rate=lambda left: 5e-4 * left,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )
    return model.learn(steps)


class PPOSettings(AgentSettings):
    """Nothing to set: the model is handed over as it is."""

    name = "ppo"
    summary = "plays with a policy of Stable-Baselines3"


class PPOAgent(Agent):
    """Plays the column that the model finds most likely."""

    Settings = PPOSettings

    def __init__(self, model: MaskablePPO) -> None:
        super().__init__()
        self.model = model
        self.turn = Lock()  # the arena asks from several threads, and the model keeps a state

    def policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Put all weight on one column of each position."""
        cells = batch.cells()
        planes = np.stack([cells == 1, cells == -1], axis=3).astype(np.int8)
        with self.turn:
            columns, _ = self.model.predict(planes, action_masks=batch.legal, deterministic=True)
        return np.eye(self.geometry.columns)[columns]


def report(agent: Agent, games: int, positions: int) -> None:
    """Print how the agent does against others, against perfect play, and move by move."""
    for spec in ("random", "minimax:depth=1", "minimax:depth=2", "minimax:depth=4", "mcts"):
        tally = play_match(agent, make_agent(spec), games).tally
        tell(f"score against {spec}", tally.score_rate, tally.score_rate_interval)
    success = success_rate(agent, games)
    tell("success against perfect play", success.success_rate, success.success_rate_interval)
    right = move_accuracy(agent, generate_positions(positions, seed=7)).total
    tell("moves that keep the outcome", right.outcome_accuracy, right.outcome_accuracy_interval)


def tell(what: str, share: float, interval: tuple[float, float]) -> None:
    """Print a share with its interval."""
    print(f"{what:31} {share:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]")


def main() -> None:
    """Train, save the model, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opponent", default="minimax:depth=2", help="a player's spec")
    parser.add_argument("--steps", type=int, default=20_000, help="moves of the agent")
    parser.add_argument("--games", type=int, default=200, help="games of each match")
    parser.add_argument("--positions", type=int, default=20, help="positions of each class")
    parser.add_argument("--out", type=Path, default=Path("ppo.zip"), help="where the model goes")
    options = parser.parse_args()
    torch.set_num_threads(1)  # a small network gains nothing from more
    model = train(options.opponent, options.steps)
    model.save(options.out)
    report(PPOAgent(model), options.games, options.positions)


if __name__ == "__main__":
    main()

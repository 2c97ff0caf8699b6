"""The runs of the paper by table and row, and ours.

Each row of Tables III to VII is one training run; Tables V and VI judge the same two runs, once
with invalid moves forbidden and once allowed (``dqn:RUN,invalid=allow``).
"""

from collections.abc import Mapping
from typing import TypeAlias

from connectlab.training.config import Preset

Settings: TypeAlias = dict[str, object]

DISCOUNTS = ("0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0")

_PAPER: Settings = {"games": 20_000, "opponents": "random", "padding": 0}
"""The defaults are the paper's. Its convolutions are taken to be without padding, since that is
what libraries do unless they are told."""


def _run(**settings: object) -> Preset:
    """Return a run of the paper, evaluated every 500 episodes."""
    return Preset({**_PAPER, **settings}, evaluation_every=500)


def _table(number: int, rewards: str) -> dict[str, Preset]:
    return {
        f"table{number}-{gamma}": _run(rewards=rewards, gamma=float(gamma)) for gamma in DISCOUNTS
    }


_BEST: Settings = {
    "games": 1_200_000,
    "seed": 2,
    "opponents": "self",
    "rewards": "plain",
    "gamma": 0.99,
    "openings": 8,
    "planes": "own",
    "layers": 6,
    "parallel": 2_048,
    "replay": 2_000_000,
    "warmup": 50_000,
    "batch": 1_024,
    "steps_per_update": 256,
    "alpha": "0.001->0.0001",
    "loss": "huber",
    "target_every": 2_000,
    "double": True,
    "mirror": True,
    "epsilon": "0.5->0.05",
    "epsilon_games": 0,
    "weights": "float16",
}
"""The run behind ``dqn:best``: self-play, 474 s on an H200 (docs/dqn.md)."""

PRESETS: Mapping[str, Preset] = {
    "quick": Preset({"games": 2_000, "padding": 0}),
    "best": Preset(_BEST),
    **_table(3, "default"),
    **_table(4, "streak"),
    "table5-default": _run(rewards="default", gamma=1.0, invalid="allow"),
    "table5-streak": _run(rewards="streak", gamma=1.0, invalid="allow"),
    "table7-default": _run(rewards="default", replay_bug=True),
    "table7-streak": _run(rewards="streak", replay_bug=True),
}

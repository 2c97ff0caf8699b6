"""Connect-N as an environment of PettingZoo, on any board::

    from connectlab.integrations import pettingzoo
    env = pettingzoo.env(columns=5, rows=4, connect=3, render_mode="ansi")

Agents, spaces, rewards and the treatment of illegal moves are those of PettingZoo's own
connect_four_v3, so what was written for that one runs on this.
"""

from typing import Any, ClassVar

import numpy as np

from connectlab.errors import GameError
from connectlab.game import Geometry
from connectlab.integrations.board import ILLEGAL_MOVE, ONGOING, WON, Board, make_geometry
from connectlab.integrations.extras import missing
from connectlab.integrations.planes import Mask, Planes
from connectlab.integrations.rendering import RENDER_MODES, Frame, check_mode, render
from connectlab.integrations.series import Series

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing("env", error) from None

Observation = dict[str, Planes | Mask]

PLAYERS = ("player_0", "player_1")
"""The player that moves first, and the other."""


def env(**settings: Any) -> "AECEnv[str, Observation, int]":
    """Make an environment in which an illegal move ends the game: -1 for whoever makes it."""
    made = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


def raw_env(**settings: Any) -> "ConnectAECEnv":
    """Make the bare environment with settings of ``ConnectAECEnv``; it refuses illegal moves."""
    return ConnectAECEnv(**settings)


class ConnectAECEnv(AECEnv, EzPickle):  # type: ignore[misc]  # PettingZoo has no types
    """Two agents that drop stones in turn.

    An observation is a dict of ``observation``, int8[rows, columns, 2] with the observer's own
    stones in plane 0 (see :mod:`connectlab.integrations.planes`), and ``action_mask``,
    int8[columns]: the columns with room for the agent whose turn it is, zeros for the other one and
    when the game is over. Rewards are 1 for the winner and -1 for the loser, 0 in a draw.

    The plain game has no chance in it; ``variant`` may bring some ("slip:0.1", "drop-row:0.05"),
    which belongs to the seed of ``reset``.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "name": "connectlab_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        columns: int = 7,
        rows: int = 6,
        connect: int = 4,
        *,
        variant: str = "",
        render_mode: str | None = None,
    ) -> None:
        settings = {"variant": variant, "render_mode": render_mode}
        EzPickle.__init__(self, columns, rows, connect, **settings)
        super().__init__()
        self.geometry = make_geometry(columns, rows, connect, variant)
        self.render_mode = check_mode(render_mode)
        self.possible_agents = list(PLAYERS)
        self.agents = list(PLAYERS)
        self.action_spaces = {agent: spaces.Discrete(columns) for agent in PLAYERS}
        self.observation_spaces = {agent: _space(self.geometry) for agent in PLAYERS}
        self._series = Series()
        self._board = Board(self.geometry)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent sees, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's columns, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed its game 0, without one the game after the last."""
        del options
        self._series.next_game(seed)
        self._board = Board(self.geometry, self._series.stream)
        self.agents = list(PLAYERS)
        self.agent_selection = PLAYERS[0]
        self.rewards = dict.fromkeys(PLAYERS, 0)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in PLAYERS}

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        moves = agent == self._mover
        asked = agent == self.agent_selection and self._board.stands == ONGOING
        mask = self._board.mask() if asked else np.zeros(self.geometry.columns, dtype=np.int8)
        return {"observation": self._board.planes(mover=moves), "action_mask": mask}

    @property
    def _mover(self) -> str:
        return PLAYERS[self._board.plies % 2]

    def step(self, action: int | None) -> None:
        """Play a column for the agent whose turn it is; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        stands = self._board.play(_column(action))
        if stands == ILLEGAL_MOVE:
            self._board.position().play(_column(action))  # says what is wrong with it
        other = PLAYERS[agent == PLAYERS[0]]
        if stands == WON:
            self.rewards = {agent: 1, other: -1}
        if stands != ONGOING:
            self.terminations = dict.fromkeys(PLAYERS, True)
        self.agent_selection = other
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Frame | None:
        """Show the board as the render mode says."""
        return render(self._board, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window to close."""


def _column(action: int | None) -> int:
    if action is None:
        raise GameError("a column is needed while the game goes on, not None")
    return int(action)


def _space(geometry: Geometry) -> spaces.Dict:
    """Return the space of observations on a board."""
    planes = (geometry.rows, geometry.columns, 2)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, planes, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (geometry.columns,), dtype=np.int8),
        }
    )

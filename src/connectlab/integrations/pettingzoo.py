"""Connect-N as an environment of PettingZoo, on any board::

    from connectlab.integrations import pettingzoo
    env = pettingzoo.env(columns=5, rows=4, connect=3, render_mode="ansi")

Agents, spaces, rewards and the treatment of illegal moves are those of PettingZoo's own
connect_four_v3, so what was written for that one runs on this. What its wrappers guard against
(an illegal move, a column that is not there, a call before ``reset``) is guarded here without
them, since they take several times as long as a move.
"""

from typing import Any, ClassVar

import numpy as np

from connectlab.errors import GameError
from connectlab.game import Geometry
from connectlab.integrations.board import (
    FORFEITED,
    ILLEGAL_MOVE,
    ONGOING,
    WON,
    Board,
    Illegal,
    check_illegal,
    make_geometry,
)
from connectlab.integrations.extras import missing
from connectlab.integrations.planes import Mask, Planes
from connectlab.integrations.rendering import RENDER_MODES, Frame, check_mode, render
from connectlab.integrations.series import Series, SeriesError

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as error:
    raise missing("env", error) from None

Observation = dict[str, Planes | Mask]

PLAYERS = ("player_0", "player_1")
"""The player that moves first, and the other."""
OF_A_GAME = {
    "_board",
    "agent_selection",
    "agents",
    "infos",
    "rewards",
    "terminations",
    "truncations",
}
"""What an environment has only once a game has begun."""


def env(**settings: Any) -> "ConnectAECEnv":
    """Make an environment in which an illegal move ends the game: -1 for whoever makes it."""
    return ConnectAECEnv(**{"illegal": "lose", **settings})


def raw_env(**settings: Any) -> "ConnectAECEnv":
    """Make an environment that refuses illegal moves with a ``GameError``."""
    return ConnectAECEnv(**{"illegal": "refuse", **settings})


class ConnectAECEnv(AECEnv, EzPickle):  # type: ignore[misc]  # PettingZoo has no types
    """Two agents that drop stones in turn.

    An observation is a dict of ``observation``, int8[rows, columns, 2] with the observer's own
    stones in plane 0 (see :mod:`connectlab.integrations.planes`), and ``action_mask``,
    int8[columns]: the columns with room for the agent whose turn it is, zeros for the other one and
    when the game is over. Rewards are 1 for the winner and -1 for the loser, 0 in a draw.

    An illegal move ends the game as PettingZoo's ``TerminateIllegalWrapper`` does, with -1 for the
    one who made it and 0 for the other, or is refused (``illegal="refuse"``).

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
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        settings = {"variant": variant, "illegal": illegal, "render_mode": render_mode}
        EzPickle.__init__(self, columns, rows, connect, **settings)
        super().__init__()
        self.geometry = make_geometry(columns, rows, connect, variant)
        self.render_mode = check_mode(render_mode)
        self.possible_agents = list(PLAYERS)
        self.action_spaces = {agent: spaces.Discrete(columns) for agent in PLAYERS}
        self.observation_spaces = {agent: _space(self.geometry) for agent in PLAYERS}
        self._refuses = check_illegal(illegal)
        self._series = Series()

    def __getattr__(self, name: str) -> Any:
        """Say what is wrong when something is asked for that only a game has."""
        hint = ": call reset first" if name in OF_A_GAME else ""
        raise AttributeError(f"{type(self).__name__} has no {name.removeprefix('_')}{hint}")

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
        if not self.agents:
            raise SeriesError("the game is over and both agents have left: call reset")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        stands = self._board.play(-1 if action is None else int(action))
        if stands == ILLEGAL_MOVE:
            self._illegal(action)
            return
        other = PLAYERS[agent == PLAYERS[0]]
        if stands != ONGOING:
            self._end({agent: 1, other: -1} if stands == WON else {})
        self.agent_selection = other
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: dict[str, int]) -> None:
        """End the game; who is not named gets nothing."""
        self.rewards |= rewards
        self.terminations = dict.fromkeys(PLAYERS, True)
        self._accumulate_rewards()  # they are 0 before the end

    def _illegal(self, action: int | None) -> None:
        """Let an illegal move lose or raise ``GameError``; a column that is not there raises."""
        agent, mask = self.agent_selection, self._board.mask()
        if action is None:
            raise GameError("a column is needed while the game goes on, not None")
        if self._refuses or not 0 <= action < len(mask):
            self._board.position().play(action)  # says what is wrong with it
        EnvLogger.warn_on_illegal_move()
        self._board.stands = FORFEITED
        self._end({agent: -1})
        self.truncations = dict.fromkeys(PLAYERS, True)
        self._deads_step_first()

    def render(self) -> Frame | None:
        """Show the board as the render mode says."""
        return render(self._board, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window to close."""


def _space(geometry: Geometry) -> spaces.Dict:
    """Return the space of observations on a board."""
    planes = (geometry.rows, geometry.columns, 2)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, planes, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (geometry.columns,), dtype=np.int8),
        }
    )

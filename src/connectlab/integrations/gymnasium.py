"""Connect-N as an environment of Gymnasium: one agent against any player of the house::

    import gymnasium
    import connectlab.integrations.gymnasium  # makes the id known

    env = gymnasium.make("connectlab/Connect4-v0", opponent="minimax:depth=2", first="alternate")

``gymnasium.make_vec`` with the same id gives many games in lock step
(:mod:`connectlab.integrations.vector`).
"""

from typing import Any, TypeAlias

import numpy as np

from connectlab.agents import Agent
from connectlab.game import PositionBatch
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
from connectlab.integrations.opponents import answers, make_opponent
from connectlab.integrations.planes import Mask, Planes
from connectlab.integrations.rendering import RENDER_MODES, Frame, check_mode, render
from connectlab.integrations.series import First, Series, SeriesError, agent_begins, parse_first

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("env", error) from None

ID = "connectlab/Connect4-v0"
MOST_COLUMNS = 64
"""No board has more."""

Info: TypeAlias = dict[str, Any]
Stepped: TypeAlias = tuple[Planes, float, bool, bool, Info]


def checked_column(action: object) -> int:
    """Return an action as a column; one beyond the board is as illegal as any other."""
    whole = action[()] if isinstance(action, np.ndarray) and action.ndim == 0 else action
    if not isinstance(whole, int | np.integer) or isinstance(whole, bool):
        raise SeriesError(f"an action is a whole number, a column counted from 0, not {action!r}")
    return int(whole) if abs(int(whole)) < MOST_COLUMNS else -1


class ConnectEnv(gymnasium.Env[Planes, int]):
    """One agent that plays against ``opponent``, a spec string or an ``Agent``.

    A step is a move of the agent and the opponent's answer; with ``opponent="self"`` it is one
    move, for whichever side is to move. Observations are int8[rows, columns, 2] with the stones of
    the agent (of the side to move) in plane 0, see :mod:`connectlab.integrations.planes`. The
    reward is 1, 0 or -1 for a game won, drawn or lost, for the side that made the move, and 0
    before.

    ``info["action_mask"]``, int8[columns], is 1 where a column may be played; when the game is over
    it is 1 everywhere, since any action then only begins a new game in a vector of environments.
    ``info["forfeit"]`` tells that the game ended without a line or a full board: by an illegal
    move of the agent's, which loses, or because the opponent had none, which wins. An opponent that
    gives up before the agent has moved loses at the agent's first move, whatever that is.

    A seed gives game 0 of that seed, each later reset the next one
    (:mod:`connectlab.integrations.series`).
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponent: str | Agent = "random",
        first: First = "agent",
        columns: int = 7,
        rows: int = 6,
        connect: int = 4,
        *,
        variant: str = "",
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.geometry = make_geometry(columns, rows, connect, variant)
        self.opponent = make_opponent(opponent, self.geometry)
        self.render_mode = check_mode(render_mode)
        self.observation_space = spaces.Box(0, 1, (rows, columns, 2), dtype=np.int8)
        # The space of columns is one of NumPy's integers; a plain int is as good.
        self.action_space = spaces.Discrete(columns)  # type: ignore[assignment]
        self._first = parse_first(first)
        self._refuses = check_illegal(illegal)
        self._series = Series()
        self._board = Board(self.geometry)
        self._conceded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, Info]:
        """Begin a game: game 0 of a seed or, without one, the game after the last."""
        super().reset(seed=seed, options=options)
        self._series.next_game(seed)
        stream = self._series.stream
        self._board, self._conceded = Board(self.geometry, stream), False
        others = not agent_begins(self._first, self._series.number, stream)
        if others and self.opponent is not None:
            self._conceded = self._answer() == ILLEGAL_MOVE
        if self.render_mode == "human":
            self.render()
        return self._board.planes(), self._info(forfeit=False)

    def step(self, action: int) -> Stepped:
        """Play a column, and let the opponent answer."""
        if self._series.seed is None:
            raise SeriesError("no game has begun: call reset")
        if self._conceded:
            return self._forfeit(1.0, mover=False)
        if self._board.stands != ONGOING:
            raise SeriesError("the game is over: call reset")
        column = checked_column(action)
        stands = self._board.play(column)
        if stands == ILLEGAL_MOVE:
            return self._illegal(column)
        if stands != ONGOING or self.opponent is None:
            return self._after(stands, reward=1.0, agent_moved=True)
        stands = self._answer()
        if stands == ILLEGAL_MOVE:
            return self._forfeit(1.0, mover=False)
        return self._after(stands, reward=-1.0, agent_moved=False)

    def action_masks(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which columns may be played, bool[columns], as sb3-contrib asks for it."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """Show the board as the render mode says: an image, a drawing, or None once printed."""
        frame: Frame | None = render(self._board, self.render_mode)
        return frame

    def _answer(self) -> int:
        """Let the opponent move; return how it then stands, ``ILLEGAL_MOVE`` if it gives up."""
        assert self.opponent is not None
        board = self._board
        words = np.array([[board.mover], [board.occupied], [board.stream]], dtype=np.uint64)
        fallen = board.plies - board.occupied.bit_count()
        gone = np.array([fallen], dtype=np.uint64) if fallen else None
        batch = PositionBatch(self.geometry, words[0], words[1], words[2], gone)
        return board.play(int(answers(self.opponent, batch)[0]))

    def _illegal(self, column: int) -> Stepped:
        if self._refuses:
            self._board.position().play(column)  # says what is wrong with it
        return self._forfeit(-1.0, mover=True)

    def _forfeit(self, reward: float, *, mover: bool) -> Stepped:
        """End a game that the rules would let go on; ``mover``: the agent is the side to move."""
        self._conceded, self._board.stands = False, FORFEITED
        return self._board.planes(mover=mover), reward, True, False, self._info(forfeit=True)

    def _after(self, stands: int, reward: float, *, agent_moved: bool) -> Stepped:
        """Return what the agent gets after a move; ``reward`` is that for a line made by it."""
        if self.render_mode == "human":
            self.render()
        swapped = agent_moved and (self.opponent is not None or stands != ONGOING)
        planes = self._board.planes(mover=not swapped)
        won = reward if stands == WON else 0.0
        return planes, won, stands != ONGOING, False, self._info(forfeit=False)

    def _info(self, *, forfeit: bool) -> Info:
        return {"action_mask": self._mask(), "forfeit": forfeit}

    def _mask(self) -> Mask:
        if self._board.stands != ONGOING:
            return np.ones(self.geometry.columns, dtype=np.int8)
        return self._board.mask()


if ID not in gymnasium.registry:
    gymnasium.register(
        id=ID,
        entry_point="connectlab.integrations.gymnasium:ConnectEnv",
        vector_entry_point="connectlab.integrations.vector:ConnectVectorEnv",
    )

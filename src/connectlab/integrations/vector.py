"""Many games of Connect-N in lock step, as a vector environment of Gymnasium::

    import gymnasium
    import connectlab.integrations.gymnasium

    envs = gymnasium.make_vec("connectlab/Connect4-v0", num_envs=1024, opponent="random")

Environment ``i`` of a seed is the single environment of seed + ``i``: given the same actions it
shows the same, as Gymnasium's ``SyncVectorEnv`` would, and so do both ways to begin anew.
"""

import secrets
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from connectlab.agents import Agent
from connectlab.agents.baselines import RandomAgent
from connectlab.errors import GameError
from connectlab.game import PositionBatch
from connectlab.game.bitboard import ONGOING, outcome_of
from connectlab.integrations.board import Board, Illegal, check_illegal, make_geometry
from connectlab.integrations.extras import missing
from connectlab.integrations.games import (
    Columns,
    Flags,
    Games,
    Rules,
    Shown,
    act,
    begin,
    draw_replies,
    first_illegal,
    reply,
    show,
    whole_step,
)
from connectlab.integrations.opponents import answers, make_opponent
from connectlab.integrations.planes import Planes, cell_shifts
from connectlab.integrations.rendering import RENDER_MODES, Frame, check_mode, render
from connectlab.integrations.series import First, SeriesError, agent_begins, parse_first

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("env", error) from None

_FOR_VARIANTS = "leave it out, or take vectorization_mode='sync'"

Infos: TypeAlias = dict[str, Any]
Reals: TypeAlias = NDArray[np.float64]


class ConnectVectorEnv(VectorEnv[Planes, Columns, NDArray[Any]]):
    """``num_envs`` agents, each in a game of its own against the same kind of opponent.

    All settings but the last two are those of ``ConnectEnv``, without variants, and so are
    observations (with one more axis in front), rewards, masks and seeds. Random opponents and
    ``opponent="self"`` take one compiled call a step; others are asked once for all boards.

    With ``copy=False`` every step writes into the same arrays; keep a copy of what you need later.
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponent: str | Agent = "random",
        first: First = "agent",
        columns: int = 7,
        rows: int = 6,
        connect: int = 4,
        *,
        variant: str = "",
        illegal: Illegal = "lose",
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        if num_envs < 1:
            raise SeriesError(f"num_envs is 1 or more, not {num_envs}")
        self.num_envs, self.copy = num_envs, copy
        self.geometry = make_geometry(columns, rows, connect, variant)
        if not self.geometry.variant.is_plain:
            raise SeriesError(f"a vector does not play {variant!r}: {_FOR_VARIANTS}")
        self.opponent = make_opponent(opponent, self.geometry)
        self.render_mode = check_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = spaces.Box(0, 1, (rows, columns, 2), dtype=np.int8)
        self.single_action_space = spaces.Discrete(columns)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rules = Rules(parse_first(first), self.opponent is None)
        self._refuses = check_illegal(illegal)
        self._draws = self.opponent is None or isinstance(self.opponent, RandomAgent)
        self._games, self._seeded = Games.empty(num_envs), np.zeros(num_envs, dtype=np.bool_)
        self._shown = Shown.empty(num_envs, self.geometry)
        self._shifts = cell_shifts(self.geometry)
        self._columns = np.empty(num_envs, dtype=np.int64)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Planes, Infos]:
        """Begin new games: those of seed, seed + 1, …, or of a list of seeds; None is the next one.

        ``options["reset_mask"]``, bool[num_envs], leaves the other games as they are.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = self._chosen(options)
        self._take_seeds(seed, chosen)
        shown = self._room()
        shown.forfeits[:] = False
        begin(self._games, chosen, self._rules)
        self._answer(shown)
        self._show(shown)
        return shown.planes(self.geometry), self._infos(
            shown, np.ones(self.num_envs, dtype=np.bool_)
        )

    def step(self, actions: ArrayLike) -> tuple[Planes, Reals, Flags, Flags, Infos]:
        """Play a column in every game, and let the opponents answer."""
        columns = self._checked(actions)
        shown, infos = self._room(), {}
        if self._draws and self.autoreset_mode is not AutoresetMode.SAME_STEP:
            board = self.geometry.shape, self._shifts
            whole_step(self._games, columns, *board, self._rules, shown, self._columns)
        else:
            act(self._games, columns, self.geometry.shape, self._rules, shown)
            self._answer(shown)
            if self.autoreset_mode is AutoresetMode.SAME_STEP and self._games.over.any():
                infos = self._final_infos(shown)
                self._begin_anew(shown)
            self._show(shown)
        infos |= self._infos(shown, np.ones(self.num_envs, dtype=np.bool_))
        nothing = np.zeros(self.num_envs, dtype=np.bool_)
        return shown.planes(self.geometry), shown.rewards, shown.terminations, nothing, infos

    def render(self) -> tuple[Any, ...] | None:
        """Show every board as the render mode says."""
        if self.render_mode is None:
            return None
        frames: list[Frame | None] = [
            render(self._board(i), self.render_mode) for i in range(self.num_envs)
        ]
        return tuple(frames)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which columns may be played, bool[num_envs, columns]."""
        shown = Shown.empty(self.num_envs, self.geometry)
        self._show(shown)
        return shown.masks.astype(np.bool_)

    def _show(self, shown: Shown) -> None:
        show(self._games, self.geometry.shape, self._shifts, shown)

    def _room(self) -> Shown:
        if self.copy:
            self._shown = Shown.empty(self.num_envs, self.geometry)
        return self._shown

    def _chosen(self, options: dict[str, Any] | None) -> Flags:
        """Return which games to begin: those of the option ``reset_mask``, or all."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any():
            raise SeriesError(f"reset_mask is bool[{self.num_envs}] with a True somewhere in it")
        return np.ascontiguousarray(chosen)

    def _take_seeds(self, seed: int | Sequence[int | None] | None, chosen: Flags) -> None:
        """Count the chosen games on, or back to 0 where there is a new seed."""
        numbers, seeds, n = self._games.numbers, self._games.seeds, self.num_envs
        given = [seed] * n if seed is None else seed
        each = [int(given) + i for i in range(n)] if isinstance(given, int | np.integer) else given
        if len(each) != n:
            raise SeriesError(f"{n} environments need as many seeds, not {len(each)}")
        for i in map(int, np.flatnonzero(chosen)):
            new = each[i]
            if new is None and not self._seeded[i]:
                new = secrets.randbits(63)
            numbers[i] = numbers[i] + 1 if new is None else 0
            if new is not None:
                seeds[i] = new % 2**64
        self._seeded |= chosen

    def _checked(self, actions: ArrayLike) -> Columns:
        """Return the actions as the kernels take them; raise if a step cannot be taken."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise SeriesError(f"{self.num_envs} games need as many columns, whole numbers")
        if not self._seeded.all():
            raise SeriesError("no game has begun: call reset")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._games.over.any():
            raise SeriesError("a game is over: call reset with options={'reset_mask': …}")
        columns = np.ascontiguousarray(given, dtype=np.int64)
        if self._refuses:
            wrong = first_illegal(self._games, columns, self.geometry.shape)
            if wrong >= 0:
                self._refuse(int(wrong), int(columns[wrong]))
        return columns

    def _refuse(self, index: int, column: int) -> None:
        """Let ``Position`` say what is wrong with a move."""
        try:
            self._board(index).position().play(column)
        except GameError as error:
            raise GameError(f"environment {index}: {error}") from None

    def _answer(self, shown: Shown) -> None:
        """Let the opponents move that are to move."""
        games, waiting = self._games, self._games.waiting
        if self.opponent is None or not waiting.any():
            return
        if self._draws:
            draw_replies(games, self.geometry.shape, self._columns)
            reply(games, self._columns, self.geometry.shape, shown)
            return
        words = (games.mover[waiting], games.occupied[waiting], games.streams[waiting])
        columns = answers(self.opponent, PositionBatch(self.geometry, *words))
        reply(games, columns, self.geometry.shape, shown)

    def _begin_anew(self, shown: Shown) -> None:
        """Begin the next game wherever one is over, within the same step."""
        finished = self._games.over.copy()
        self._games.numbers[finished] += 1
        begin(self._games, finished, self._rules)
        self._answer(shown)

    def _infos(self, shown: Shown, present: Flags) -> Infos:
        """Return masks and forfeits as ``SyncVectorEnv`` gathers those of its environments."""
        return {
            "action_mask": shown.masks,
            "_action_mask": present,
            "forfeit": shown.forfeits,
            "_forfeit": present.copy(),
        }

    def _final_infos(self, shown: Shown) -> Infos:
        """Return what was to be seen at the end of the games that are over."""
        finished = self._games.over
        last = Shown.empty(self.num_envs, self.geometry)
        self._show(last)
        planes, seen = last.planes(self.geometry), np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(finished):
            seen[i] = planes[i].copy()
        last.masks[~finished] = 0
        last.forfeits[finished] = shown.forfeits[finished]
        shown.forfeits[finished] = False  # what follows is a new game
        return {
            "final_obs": seen,
            "_final_obs": finished.copy(),
            "final_info": self._infos(last, finished.copy()),
            "_final_info": finished.copy(),
        }

    def _board(self, index: int) -> Board:
        """Return the board of one game, for showing it."""
        games = self._games
        own, occupied = int(games.mover[index]), int(games.occupied[index])
        board = Board(self.geometry, int(games.streams[index]))
        board.occupied, board.plies = occupied, occupied.bit_count()
        if self._rules.alone:
            # The agent has moved last if its stones end the game.
            moved = outcome_of(own ^ occupied, occupied, self.geometry.shape) != ONGOING
        else:
            number, stream = int(games.numbers[index]), games.streams[index]
            moved = agent_begins(self._rules.first, number, stream) != (board.plies % 2 == 0)
        board.mover = own ^ occupied if moved else own
        return board

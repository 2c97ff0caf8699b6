"""Monte Carlo tree search in variants: with chance in the tree, and on guesses of hidden boards.

Where the board is told in counts, the simulations are shared among some boards that fit what is
seen (:mod:`~connectlab.agents.mcts.guess`), and the visits of all their roots are added up.
"""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab._jit import Word
from connectlab.agents.choice import Chances as Policy
from connectlab.agents.mcts.chance_tree import (
    Chances,
    ChanceTree,
    make_chance_tree,
    plant_chance,
    simulate_chance,
)
from connectlab.agents.mcts.config import MOST_ITERATIONS, MCTSSettings
from connectlab.agents.mcts.guess import GUESSES, Seen, columns_with_room, guess_boards
from connectlab.agents.mcts.tree import OPEN
from connectlab.agents.settings import AgentError
from connectlab.game import Geometry, PositionBatch
from connectlab.game.bitboard import column_cells, landing_cells, winning_cells
from connectlab.game.counts import count_runs, runs_shape
from connectlab.game.streams import at_ply

BETWEEN_LOOKS = 64
"""Simulations between two looks at the clock."""
UNABLE = ("value", "prior", "forced_blocks", "transpositions")
"""Settings that are for the plain game: others' opinions of it, and what only certainty allows."""


class Root(NamedTuple):
    """What a search says of the columns of a position, for the side to move."""

    visits: NDArray[np.float64]
    """float64[columns]: simulations that began with each."""
    totals: NDArray[np.float64]
    """float64[columns]: the sum of their values."""
    boards: int
    """Boards that were searched: 1, or the guesses of one that is hidden."""
    nodes: int
    """Of all their trees."""


class VariantSearch:
    """Searches positions of one board on which the game is not the plain one."""

    def __init__(self, settings: MCTSSettings, geometry: Geometry) -> None:
        _refuse(settings, geometry)
        self.settings = settings
        self.geometry = geometry
        self._chances = Chances(
            geometry.shape,
            geometry.variant.odds,
            settings.exploration,
            settings.stop_at_win,
        )

    def policy(self, batch: PositionBatch) -> Policy:
        """Search every position; share among the columns of most visits."""
        policy = np.zeros((len(batch), self.geometry.columns))
        tree = self._make_tree()
        for i in range(len(batch)):
            root = self.search(batch.mover[i], batch.occupied[i], batch.streams[i], tree)
            policy[i] = self.read(root, batch.occupied[i])
        return policy

    def search(
        self, mover: Word, occupied: Word, stream: Word, tree: ChanceTree | None = None
    ) -> Root:
        """Search one position of the game with this stream; ``tree`` is working memory."""
        stones = int(np.bitwise_count(occupied))
        state = np.uint64(at_ply(stream, stones))
        boards = np.array([[mover, occupied]], dtype=np.uint64)
        if self.geometry.variant.counts:
            boards, state = self._guess(mover, occupied, stones, state)
        visits, totals = np.zeros((2, self.geometry.columns))
        nodes = 0
        tree = self._make_tree() if tree is None else tree
        for board in boards:
            state = self._grow(board, state, len(boards), tree)
            self._add(board, tree, visits, totals)
            nodes += int(tree.size[0])
        return Root(visits, totals, len(boards), nodes)

    def read(self, root: Root, occupied: Word) -> NDArray[np.float64]:
        """Return the chances of the columns with room after a search, float64[columns]."""
        visits = np.where(self._room(occupied), root.visits, 0.0)
        if not visits.any():
            visits = self._room(occupied).astype(np.float64)
        temperature = self.settings.temperature
        if temperature > 0:
            share = (visits / visits.max()) ** (1.0 / temperature)
        else:
            share = (visits == visits.max()).astype(np.float64)
        chances: NDArray[np.float64] = share / share.sum()
        return chances

    def _room(self, occupied: Word) -> NDArray[np.bool_]:
        shape = self.geometry.shape
        landing = int(landing_cells(occupied, shape))
        cells = (int(column_cells(column, shape)) for column in range(shape.columns))
        return np.array([landing & each != 0 for each in cells])

    def _make_tree(self) -> ChanceTree:
        timed = self.settings.seconds is not None
        return make_chance_tree(
            self.geometry, 1 + (MOST_ITERATIONS if timed else self.settings.iterations)
        )

    def _guess(
        self, mover: Word, occupied: Word, stones: int, state: Word
    ) -> tuple[NDArray[np.uint64], Word]:
        """Return boards that look like this one, uint64[n, 2]; only its looks are used."""
        shape = self.geometry.shape
        counts = np.empty(runs_shape(shape), dtype=np.int64)
        count_runs(mover, occupied, shape, counts)
        seen = Seen(counts, np.uint64(columns_with_room(occupied, shape)), stones)
        boards = np.empty((GUESSES, 2), dtype=np.uint64)
        misses = np.empty(GUESSES, dtype=np.int64)
        n, state = guess_boards(seen, state, shape, boards, misses)
        return boards[:n], np.uint64(state)

    def _grow(
        self, board: NDArray[np.uint64], state: Word, n_boards: int, tree: ChanceTree
    ) -> Word:
        """Grow the tree of one of some boards; return the random state."""
        plant_chance(board[0], board[1], tree, self._chances)
        seconds = self.settings.seconds
        if seconds is None:
            each = max(1, self.settings.iterations // n_boards)
            return np.uint64(simulate_chance(each, state, tree, self._chances))
        deadline = time.monotonic() + seconds / n_boards
        size = -1
        while time.monotonic() < deadline and tree.result[0] == OPEN and tree.size[0] > size:
            size = int(tree.size[0])
            state = np.uint64(simulate_chance(BETWEEN_LOOKS, state, tree, self._chances))
        return state

    def _add(
        self,
        board: NDArray[np.uint64],
        tree: ChanceTree,
        visits: NDArray[np.float64],
        totals: NDArray[np.float64],
    ) -> None:
        """Add up what the root of a tree says; a win at once needs no simulation."""
        if tree.result[0] == OPEN:
            visits += tree.visits[0]
            totals += tree.totals[0]
            return
        shape = self.geometry.shape
        wins = int(winning_cells(board[0], board[1], shape) & landing_cells(board[1], shape))
        for column in range(shape.columns):
            if wins & int(column_cells(column, shape)):
                visits[column] += self.settings.iterations / GUESSES
                totals[column] += self.settings.iterations / GUESSES


def _refuse(settings: MCTSSettings, geometry: Geometry) -> None:
    """Refuse settings that are not for variants, in one line."""
    given = [name for name in UNABLE if getattr(settings, name) not in (None, False)]
    if settings.rollouts != "random":
        given.append("rollouts")
    if given:
        raise AgentError(
            f"mcts cannot use {given[0]} on {geometry}: in variants it searches with random "
            "rollouts, without advisers, forced blocks and transpositions"
        )

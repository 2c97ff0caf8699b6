"""Monte Carlo tree search in variants: with chance in the tree, and on guesses of hidden boards.

Where the board is told in counts, the simulations are shared among some boards that fit what is
seen (:mod:`~connectlab.agents.mcts.guess`). Each of them has one voice, however often it was
searched: the shares that the columns have in the visits of its root, or a win at once. The voices
are added up.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab._jit import Word
from connectlab.agents.choice import Chances as Policy
from connectlab.agents.mcts.chance_tree import (
    Chances,
    ChanceTree,
    goes_on_chance,
    make_chance_tree,
    plant_chance,
    simulate_chance,
)
from connectlab.agents.mcts.clock import BETWEEN_LOOKS, looks
from connectlab.agents.mcts.config import MOST_ITERATIONS, MCTSSettings
from connectlab.agents.mcts.guess import GUESSES, Seen, columns_with_room, guess_boards
from connectlab.agents.mcts.tree import OPEN
from connectlab.agents.settings import AgentError
from connectlab.game import Geometry, PositionBatch
from connectlab.game.bitboard import column_cells, landing_cells, winning_cells
from connectlab.game.counts import count_runs, runs_shape
from connectlab.game.streams import at_ply

SAME = 1e-9
"""Columns whose voices differ by less than this part are equal: sums of shares are rounded."""
UNABLE = ("value", "prior", "forced_blocks", "transpositions")
"""Settings that are for the plain game: others' opinions of it, and what only certainty allows."""


class Root(NamedTuple):
    """What a search says of the columns of a position, for the side to move."""

    voices: NDArray[np.float64]
    """float64[columns]: the sum over all boards of the shares in their visits, each 1 in all."""
    worth: NDArray[np.float64]
    """float64[columns]: the same sum with every share times the mean value of its simulations."""
    visits: NDArray[np.int64]
    """int64[columns]: simulations that began with each, on all boards."""
    wins: NDArray[np.int64]
    """int64[columns]: boards that were not searched since the column wins there at once."""
    boards: int
    """Boards that were looked at: 1, or the guesses of one that is hidden."""
    nodes: int
    """Of all their trees."""

    @classmethod
    def of_none(cls, columns: int) -> "Root":
        """Return what is said where no board was looked at."""
        voices, visits = np.zeros(columns), np.zeros(columns, dtype=np.int64)
        return cls(voices, voices, visits, visits, 0, 0)

    def beside(self, other: "Root") -> "Root":
        """Add up what is said of these boards and of others."""
        return Root(
            self.voices + other.voices,
            self.worth + other.worth,
            self.visits + other.visits,
            self.wins + other.wins,
            self.boards + other.boards,
            self.nodes + other.nodes,
        )


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
        root = Root.of_none(self.geometry.columns)
        tree = self._make_tree() if tree is None else tree
        for board in boards:
            state = self._grow(board, state, len(boards), tree)
            root = root.beside(self._hear(board, tree))
        return root

    def read(self, root: Root, occupied: Word) -> NDArray[np.float64]:
        """Return the chances of the columns with room after a search, float64[columns]."""
        voices = np.where(self._room(occupied), root.voices, 0.0)
        if not voices.any():
            voices = self._room(occupied).astype(np.float64)
        part = voices / voices.max()
        temperature = self.settings.temperature
        if temperature > 0:
            share = part ** (1.0 / temperature)
        else:
            share = (part > 1.0 - SAME).astype(np.float64)
        chances: NDArray[np.float64] = share / share.sum()
        return chances

    def _room(self, occupied: Word) -> NDArray[np.bool_]:
        return self._columns_of(landing_cells(occupied, self.geometry.shape))

    def _columns_of(self, cells: Word) -> NDArray[np.bool_]:
        """Say of every column whether one of these cells is in it, bool[columns]."""
        shape = self.geometry.shape
        columns = (int(column_cells(column, shape)) for column in range(shape.columns))
        return np.array([int(cells) & each != 0 for each in columns])

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
        for _ in looks(seconds / n_boards):
            if not goes_on_chance(tree):
                break
            state = np.uint64(simulate_chance(BETWEEN_LOOKS, state, tree, self._chances))
        return state

    def _hear(self, board: NDArray[np.uint64], tree: ChanceTree) -> Root:
        """Return what the tree of one board says; a win at once needs no simulation."""
        visits = tree.visits[0].astype(np.int64)
        if tree.result[0] == OPEN:
            n, none = max(1, int(visits.sum())), np.zeros_like(visits)
            return Root(visits / n, tree.totals[0] / n, visits, none, 1, int(tree.size[0]))
        wins = self._winning(board)
        voice = wins / max(1, int(wins.sum()))
        return Root(voice, voice, visits, wins, 1, int(tree.size[0]))

    def _winning(self, board: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return 1 for every column that wins at once, int64[columns]."""
        shape = self.geometry.shape
        cells = winning_cells(board[0], board[1], shape) & landing_cells(board[1], shape)
        return self._columns_of(cells).astype(np.int64)


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

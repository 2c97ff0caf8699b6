"""How each level decides: a and b by what they see of the moves, c by what is settled."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, tuple_type
from connectlab.agents.allis.control import DESK, HOLDS, WINS, Desk
from connectlab.agents.allis.judge import VERDICTS, Verdicts, best_cells, judge
from connectlab.agents.allis.proof_search import (
    DISPROVEN,
    PROVEN,
    TREE,
    Tree,
    ask,
    proven_cells,
)
from connectlab.agents.choice import Chances, share_equally
from connectlab.game.bitboard import WORDS, ZERO, landing_cells, winning_cells

SIGHT, RULES, SEARCH, SOLVER = range(4)
"""Who settled a position: a win at once, the rules alone, proof-number search, or the solver."""

_u8, _i8 = types.uint64, types.int64
_words = types.uint64[::1]
_ints = types.int64[::1]
_DECIDED = tuple_type(_i8, _u8)
Words = NDArray[np.uint64]


@kernel(_i8(TREE), inline=True)
def _who(tree: Tree) -> int:
    """Say who settled the root: the rules if nothing below its children was opened."""
    return RULES if tree.size[0] <= 1 + tree.children[0] else SEARCH


@kernel(_DECIDED(_u8, _u8, _i8, TREE, DESK), borrows=True)
def settle_moves(
    mover: Word, occupied: Word, nodes: int, tree: Tree, desk: Desk
) -> tuple[int, Word]:
    """Return who settled a position and the cells of moves that keep its outcome.

    With ``SOLVER`` nobody has, and there are none. In a lost position every move keeps it.
    """
    landing = landing_cells(occupied, desk.shape)
    wins = winning_cells(mover, occupied, desk.shape) & landing
    if wins != ZERO:
        return SIGHT, wins
    answer = ask(mover, occupied, WINS, nodes, tree, desk)
    if answer == DISPROVEN:
        who = _who(tree)
        answer = ask(mover, occupied, HOLDS, nodes, tree, desk)
        if answer == DISPROVEN:
            return max(who, _who(tree)), landing
        if answer == PROVEN:
            return max(who, _who(tree)), proven_cells(tree)
    elif answer == PROVEN:
        return _who(tree), proven_cells(tree)
    return SOLVER, ZERO


@kernel(types.void(WORDS, WORDS, _i8, TREE, DESK, _words, _ints), borrows=True)
def settle_all(
    movers: Words,
    occupied: Words,
    nodes: int,
    tree: Tree,
    desk: Desk,
    allowed: Words,
    who: NDArray[np.int64],
) -> None:
    """Write who settled each of [n] positions and the cells that keep its outcome."""
    for i in range(movers.shape[0]):
        who[i], allowed[i] = settle_moves(movers[i], occupied[i], nodes, tree, desk)


@kernel(
    types.void(WORDS, WORDS, _words, _i8, types.boolean, DESK, VERDICTS, types.float64[:, ::1]),
    borrows=True,
)
def share_all(
    movers: Words,
    occupied: Words,
    allowed: Words,
    depth: int,
    replies: bool,
    desk: Desk,
    verdicts: Verdicts,
    chances: Chances,
) -> None:
    """Write the chances of each of [n] positions: the best of the allowed moves share them."""
    for i in range(movers.shape[0]):
        judge(movers[i], occupied[i], depth, replies, desk, verdicts)
        cells = best_cells(allowed[i], occupied[i], verdicts, desk)
        share_equally(cells, desk.shape, chances[i])

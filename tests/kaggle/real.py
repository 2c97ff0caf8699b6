"""The real ConnectX of kaggle-environments, and its two agents taken apart."""

import copy
import io
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from fractions import Fraction
from types import FunctionType
from typing import Any

from connectlab.game import Geometry, Position

with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
    # Other games of the package warn, and tell what they miss.
    warnings.simplefilter("ignore")
    from kaggle_environments import environments, make, utils
    from kaggle_environments.envs.connectx import connectx

ORIGINAL_DEPTH = 4
"""``max_depth`` of the original, which does not count the ply whose moves it only scores."""


def environment(geometry: Geometry, *, overage: float = 60, **configuration: object) -> Any:
    """The real environment; its time for a game is no configuration but stands in its JSON."""
    board = {"columns": geometry.columns, "rows": geometry.rows, "inarow": geometry.connect}
    specification = copy.deepcopy(connectx.specification)
    assert specification["observation"]["remainingOverageTime"] == 60
    specification["observation"]["remainingOverageTime"] = overage
    parts = {**environments["connectx"], "specification": specification}
    return make(parts, {**board, **configuration})


def observed(position: Position) -> tuple[Any, Any]:
    """What an agent of Kaggle is called with in a position."""
    geometry = position.geometry
    board = {"columns": geometry.columns, "rows": geometry.rows, "inarow": geometry.connect}
    mark = 1 if position.first_to_move else 2
    observation = {"board": position.to_kaggle(), "mark": mark, "step": position.ply}
    return utils.structify(observation), utils.structify(board)


def original_negamax(depth: int) -> Callable[[Any, Any], int]:
    """The original, with another number in the one place where its depth stands."""
    code = connectx.negamax_agent.__code__
    assert code.co_consts.count(ORIGINAL_DEPTH) == 1
    constants = tuple(
        depth if constant == ORIGINAL_DEPTH else constant for constant in code.co_consts
    )
    return FunctionType(code.replace(co_consts=constants), vars(connectx))


class Coins:
    """Stands in for ``choice``: coins of the root fall as told, all others on heads.

    A coin deeper in the tree decides between moves of the same value, which changes nothing above.
    """

    def __init__(self, depth: int, falls: tuple[bool, ...]) -> None:
        self.depth = depth
        self.falls = falls
        self.n_flipped = 0

    def __call__(self, options: list[object]) -> object:
        assert options == [True, False], "it has no other use for chance: a column is always found"
        if sys._getframe(1).f_locals["depth"] != self.depth:
            return True
        self.n_flipped += 1
        return self.falls[self.n_flipped - 1] if self.n_flipped <= len(self.falls) else True


def chances_of(position: Position, depth: int) -> dict[int, Fraction]:
    """How likely the original plays each column: every way in which its coins can fall."""
    chances: dict[int, Fraction] = {}
    waiting: list[tuple[bool, ...]] = [()]
    agent = original_negamax(depth)
    while waiting:
        falls = waiting.pop()
        coins = Coins(depth, falls)
        column = with_choice(coins, agent, position)
        chance = Fraction(1, 2**coins.n_flipped)
        chances[column] = chances.get(column, Fraction(0)) + chance
        # Every coin that was not told fell on heads; each can fall on tails instead.
        told = len(falls)
        for number in range(told, coins.n_flipped):
            waiting.append((*falls, *(True,) * (number - told), False))
    return chances


def with_choice(choice: Callable[..., Any], agent: Callable[..., Any], position: Position) -> int:
    """Ask an agent of connectx whose ``choice`` is replaced."""
    kept = connectx.choice
    connectx.choice = choice
    try:
        return int(agent(*observed(position)))
    finally:
        connectx.choice = kept

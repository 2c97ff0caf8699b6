"""A proof by the plainest means: grids, dictionaries and fractions, and no code of the walk's.

Slow and obviously right, for small boards.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from connectlab.agents import Agent
from connectlab.game import Position
from naive import NaiveGame

Grid = str

KNOWN: dict[tuple[int, Grid], int] = {}
"""What the side to move has in the positions asked for so far, by stones in a line and grid."""


@dataclass
class Found:
    """Of each ply in which the player is to move."""

    positions: dict[int, int] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    faulty: dict[int, int] = field(default_factory=dict)
    holes: dict[int, int] = field(default_factory=dict)
    chance: dict[int, Fraction] = field(default_factory=dict)

    def value(self, game: NaiveGame) -> int:
        """What the side to move has with best play: 1 a win, 0 a draw, -1 a loss."""
        where = game.connect, game.drawing()
        if where not in KNOWN:
            if game.winner():
                KNOWN[where] = -1
            elif game.is_full():
                KNOWN[where] = 0
            else:
                after = [played(game, column) for column in game.legal_columns()]
                KNOWN[where] = max(-self.value(each) for each in after)
        return KNOWN[where]


def played(game: NaiveGame, column: int) -> NaiveGame:
    return NaiveGame(game.columns, game.rows, game.connect, [*game.history, column])


def naive_proof(agent: Agent, side: str, keep: str, *, mirrored: bool) -> Found:
    """Walk through all games of an agent, ply by ply."""
    board = agent.geometry
    found = Found()
    start = NaiveGame(board.columns, board.rows, board.connect)
    result = found.value(start) * (1 if side == "first" else -1)
    now: dict[Grid, tuple[NaiveGame, Fraction]] = {}
    if side == "first":
        now[start.drawing()] = start, Fraction(1)
    else:
        add_replies(now, start, Fraction(1), mirrored=mirrored)
    while now:
        following: dict[Grid, tuple[NaiveGame, Fraction]] = {}
        for game, chance in now.values():
            ply = len(game.history)
            worth = result if keep == "result" else found.value(game)
            faults = 0
            position = Position.from_moves("".join(str(c + 1) for c in game.history), board)
            for column, share in enumerate(agent.policy_of(position)):
                if share == 0:
                    continue
                after = played(game, column)
                goes_on, rest = after.outcome() == "ongoing", chance * Fraction(share)
                if -found.value(after) < worth:
                    faults += 1
                    count(found.chance, ply, rest)
                    goes_on, rest = goes_on and keep == "gifts", Fraction(0)
                if goes_on:
                    add_replies(following, after, rest, mirrored=mirrored)
            count(found.positions, ply, 1)
            count(found.held, ply, int(worth > -1))
            count(found.holes, ply, faults)
            count(found.faulty, ply, int(faults > 0))
        now = following
    return found


def add_replies(
    following: dict[Grid, tuple[NaiveGame, Fraction]],
    game: NaiveGame,
    chance: Fraction,
    *,
    mirrored: bool,
) -> None:
    columns = game.legal_columns()
    for column in columns:
        after = played(game, column)
        if after.outcome() != "ongoing":
            continue
        if mirrored:
            after = min(after, after.mirror(), key=NaiveGame.drawing)
        grid = after.drawing()
        same, before = following.get(grid, (after, Fraction(0)))
        following[grid] = same, before + chance / len(columns)


def count(counts: dict, ply: int, more: int | Fraction) -> None:  # type: ignore[type-arg]
    counts[ply] = counts.get(ply, 0) + more

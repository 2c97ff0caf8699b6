"""Games against players that are asked for their moves: some side by side, in lock step.

A player is asked once a ply for all games it plays, so that looking ahead in thousands of games
takes seconds. The learner's turns are taken one after the other, in the order of game numbers, on
one table: what it learns depends on how many games are played side by side, and on nothing else.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import Agent
from connectlab.agents.forfeits import ForfeitError
from connectlab.agents.qtable.learning import Games, Rule, begin_game
from connectlab.agents.qtable.loops import Rates, Streams, take_replies, take_turns
from connectlab.agents.qtable.table import StateTable
from connectlab.game.batch import PositionBatch
from connectlab.game.bitboard import ONGOING
from connectlab.game.geometry import Geometry
from connectlab.training.learner import LearnerError


def learn_against(
    players: Sequence[Agent],
    numbers: range,
    streams: Streams,
    rates: Rates,
    seats: NDArray[np.int64],
    games: Games,
    table: StateTable,
    rule: Rule,
) -> None:
    """Play the games with these numbers to their end; number i is against player i in turn.

    The learner moves first where ``seats`` is 0, second where it is 1.
    """
    geometry, n = players[0].geometry, len(numbers)
    opponents = np.arange(numbers.start, numbers.stop) % len(players)
    for g in range(n):
        begin_game(g, streams[g], rates[g, 0], rates[g, 1], games)
    stands = np.full(n, ONGOING, dtype=np.int64)
    turn = 0
    while (stands == ONGOING).any():
        goes_on, own = stands == ONGOING, seats == turn % 2
        table.reserve(n * (1 + geometry.columns))
        take_turns(np.flatnonzero(goes_on & own), games, table.arrays, rule, stands)
        for number, player in enumerate(players):
            theirs = np.flatnonzero(goes_on & ~own & (opponents == number))
            if len(theirs):
                columns = _ask(player, _batch(geometry, games, theirs))
                take_replies(theirs, columns, games, table.arrays, rule, stands)
        turn += 1
    games.plies[0] += int(games.turns[:n].sum())
    games.turns[:n] = 0


def _batch(geometry: Geometry, games: Games, which: NDArray[np.intp]) -> PositionBatch:
    mover, occupied, streams = (
        words[which] for words in (games.mover, games.occupied, games.streams)
    )
    fallen = games.turns[which].astype(np.uint64) - np.bitwise_count(occupied)
    return PositionBatch(geometry, mover, occupied, streams, fallen if fallen.any() else None)


def _ask(player: Agent, batch: PositionBatch) -> NDArray[np.int64]:
    """Return the columns of an opponent, which must not forfeit: that would teach nothing."""
    try:
        return player.choose(batch)
    except ForfeitError as error:
        raise LearnerError(f"{error}: learn against a player that keeps to the rules") from error

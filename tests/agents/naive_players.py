"""Slow, obviously right versions of the players, on the grid of ``naive.NaiveGame``."""

import copy
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from connectlab.game import Geometry, Position
from naive import DIRECTIONS, Cell, NaiveGame


def random_games(geometry: Geometry, n: int, seed: int, longest: int = 64) -> Iterator[NaiveGame]:
    """Unfinished games of random length, played at random."""
    random = Random(seed)
    while n > 0:
        game = NaiveGame(geometry.columns, geometry.rows, geometry.connect)
        for _ in range(random.randrange(min(geometry.cells, longest + 1))):
            if game.legal_columns():
                game.play(random.choice(game.legal_columns()))
        if game.legal_columns():
            n -= 1
            yield game


def after(game: NaiveGame, column: int) -> NaiveGame:
    """The game with one more move; the game given stays as it is."""
    longer = copy.deepcopy(game)
    longer.play(column)
    return longer


def position_of(game: NaiveGame) -> Position:
    board = Geometry(game.columns, game.rows, game.connect)
    return Position.from_moves(game.history, board)


def streaks(stones: set[Cell]) -> list[tuple[Cell, list[Cell]]]:
    """Every streak as its direction and its cells in order; lone stones count in each direction."""
    found = []
    for direction in DIRECTIONS:
        for column, row in stones:
            if (column - direction[0], row - direction[1]) in stones:
                continue
            streak = [(column, row)]
            while (after := neighbour(streak[-1], direction, 1)) in stones:
                streak.append(after)
            found.append((direction, streak))
    return found


def neighbour(cell: Cell, direction: Cell, distance: int) -> Cell:
    return cell[0] + distance * direction[0], cell[1] + distance * direction[1]


def extended_lengths(game: NaiveGame) -> dict[int, int]:
    """The length of the longest own streak that each playable column would extend."""
    lengths = dict.fromkeys(game.legal_columns(), 0)
    for direction, streak in streaks(game.stones(game.player)):
        for end in (neighbour(streak[0], direction, -1), neighbour(streak[-1], direction, 1)):
            if end in game.landing_cells():
                lengths[end[0]] = max(lengths[end[0]], len(streak))
    return lengths


def heuristic(game: NaiveGame, player: int) -> Fraction:
    """The streak score of Cheng et al. for one player."""
    total = Fraction(0)
    for _, streak in streaks(game.stones(player)):
        x = len(streak)
        if x >= game.connect:
            total += 2_000_000
        elif x >= 2:
            total += Fraction(x * 2**x, 2)
    for _, streak in streaks(game.stones(3 - player)):
        x = len(streak)
        if x >= game.connect:
            total -= 1_000_000
        elif x >= 2:
            total -= Fraction(x * 2**x, 6)
    return total


def minimax(game: NaiveGame, player: int, depth: int) -> Fraction:
    columns = game.legal_columns()
    if depth == 0 or not columns:
        return heuristic(game, player)
    values = [minimax(after(game, column), player, depth - 1) for column in columns]
    return max(values) if game.player == player else min(values)


def minimax_values(game: NaiveGame, depth: int) -> dict[int, Fraction]:
    return {
        column: minimax(after(game, column), game.player, depth - 1)
        for column in game.legal_columns()
    }


def perfect_scores(game: NaiveGame) -> dict[int, int]:
    """The score of every playable column, by trying everything to the end."""
    return {column: -_score(after(game, column)) for column in game.legal_columns()}


def _score(game: NaiveGame) -> int:
    """Half the stones still to place at the end, for the side to move."""
    if game.winner() != 0:
        stones_of_winner = (len(game.history) + 1) // 2
        of_winner_in_all = (game.columns * game.rows + len(game.history) % 2) // 2
        return -(of_winner_in_all - stones_of_winner + 1)
    return 0 if game.is_full() else max(perfect_scores(game).values())


def kaggle_values(game: NaiveGame, depth: int) -> tuple[dict[int, Fraction], int | None]:
    """What ConnectX's negamax sees: a value for each column, and the column that wins at once."""
    at_once = Fraction(game.columns * game.rows + 1 - len(game.history), 2)
    wins = game.winning_cells(game.player) & game.landing_cells()
    if wins:
        winner = min(column for column, _ in wins)
        return {winner: at_once}, winner
    values = {}
    for column in game.legal_columns():
        if depth == 0:
            values[column] = at_once + _kaggle_neighbours(game, column)
        else:
            values[column] = -_kaggle_value(after(game, column), depth - 1)
    return values, None


def _kaggle_value(game: NaiveGame, depth: int) -> Fraction:
    if game.is_full():
        return Fraction(0)
    return max(kaggle_values(game, depth)[0].values())


def _kaggle_neighbours(game: NaiveGame, column: int) -> int:
    """Own stones beside and below; the original never looks down at the bottom row."""
    row = game.height(column)
    own = game.stones(game.player)
    below = (column, row - 1) in own and row - 1 > 0
    return ((column - 1, row) in own) + ((column + 1, row) in own) + below


def kaggle_chances(game: NaiveGame, depth: int) -> dict[int, Fraction]:
    """How likely each column is: a later one that ties replaces the earlier every second time."""
    values, winner = kaggle_values(game, depth)
    if winner is not None:
        return {winner: Fraction(1)}
    best = max(values.values())
    chances: dict[int, Fraction] = {}
    for column in sorted(column for column in values if values[column] == best):
        chances = {earlier: chance / 2 for earlier, chance in chances.items()}
        chances[column] = 1 - sum(chances.values())
    return chances

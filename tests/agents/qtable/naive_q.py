"""Q-learning as one would write it down: a dictionary of boards, lists of values, sets of cells.

Only the random numbers are those of the package: what a turn draws belongs to the game and the
turn. Values are rounded to 32 bits after each change, as in the table.
"""

import math
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from connectlab.agents.qtable.config import QTableConfig
from connectlab.game.chance import chance_state, next_stream
from connectlab.game.streams import GAMMA, at_ply, below, make_streams, uniform
from naive import DIRECTIONS, Cell, NaiveGame, all_lines

Board = tuple[tuple[int, ...], ...]
"""Rows from the bottom: 1 for the stones of the side that decides, -1 for those of the other."""


def following(state: int) -> np.uint64:
    """The next state of a random stream."""
    return np.uint64((int(state) + int(GAMMA)) % 2**64)


def stones_on(game: NaiveGame) -> int:
    return sum(stone != 0 for row in game.grid for stone in row)


def streak_through(stones: set[Cell], cell: Cell) -> int:
    """The longest row of stones without a gap that a cell is part of."""
    longest = 1
    for right, up in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            column, row = cell[0] + sign * right, cell[1] + sign * up
            while (column, row) in stones:
                length += 1
                column, row = column + sign * right, row + sign * up
        longest = max(longest, length)
    return longest


def wins_at(stones: set[Cell], cell: Cell, config: QTableConfig) -> bool:
    lines = all_lines(config.columns, config.rows, config.connect)
    return any(cell in line and (stones | {cell}).issuperset(line) for line in lines)


def first_values(board: Board, config: QTableConfig) -> list[float]:
    """What the columns of a new state begin with."""
    return [0.0] * config.columns if config.known == "off" else known_values(board, config)


def known_values(board: Board, config: QTableConfig) -> list[float]:
    """What the columns of a state are worth by what a stone does there at once."""
    cells = {(c, r): board[r][c] for r in range(config.rows) for c in range(config.columns)}
    own = {cell for cell, owner in cells.items() if owner == 1}
    other = {cell for cell, owner in cells.items() if owner == -1}
    values = [0.0] * config.columns
    for column in range(config.columns):
        height = sum(1 for row in board if row[column] != 0)
        cell = (column, height)
        if height == config.rows:
            continue
        if wins_at(own, cell, config):
            values[column] = config.known_win
        elif wins_at(other, cell, config):
            values[column] = config.known_block
        elif streak_through(own, cell) >= config.connect - 1:
            values[column] = config.known_streak
    return values


def shaping_reward(board: Board, column: int, config: QTableConfig) -> float:
    """What a stone in a column earns at once; a win earns what the game gives."""
    own = {(c, r) for r, row in enumerate(board) for c, owner in enumerate(row) if owner == 1}
    height = sum(1 for row in board if row[column] != 0)
    wins = wins_at(own, (column, height), config)
    return 0.0 if wins or not config.shaping else known_values(board, config)[column]


def scaled_softmax(values: list[float], temperature: float) -> list[float]:
    """Chances by the softmax of values that are scaled to [-1, 1]; equal ones share."""
    low, high = min(values), max(values)
    if low == high:
        return [1 / len(values)] * len(values)
    powers = [math.exp((2 * (v - low) / (high - low) - 1) / temperature) for v in values]
    return [power / sum(powers) for power in powers]


@dataclass
class NaiveLearner:
    """Learns games one after the other."""

    config: QTableConfig
    values: dict[Board, list[float]] = field(default_factory=dict)
    epsilon: dict[Board, float] = field(default_factory=dict)
    visits: dict[Board, int] = field(default_factory=dict)

    def seen_by(self, game: NaiveGame, player: int) -> Board:
        signs = {0: 0, player: 1, 3 - player: -1}
        return tuple(tuple(signs[stone] for stone in row) for row in game.grid)

    def state(self, board: Board) -> tuple[Board, bool]:
        """The board as it is kept, entered if it is new; and whether it is kept mirrored."""
        mirrored = tuple(row[::-1] for row in board)
        flipped = self.config.mirror and self._key(mirrored) < self._key(board)
        kept = mirrored if flipped else board
        if kept not in self.values:
            self.values[kept] = first_values(kept, self.config)
            self.epsilon[kept] = 1.0
            self.visits[kept] = 0
        return kept, flipped

    def visit(self, board: Board) -> tuple[Board, bool]:
        """The board as it is kept, with its known values if every visit populates them."""
        kept, flipped = self.state(board)
        if self.config.known == "always":
            known = known_values(kept, self.config)
            self.values[kept] = [k or v for k, v in zip(known, self.values[kept], strict=True)]
        return kept, flipped

    @staticmethod
    def _key(board: Board) -> int:
        """Pons's key, spelled out: a marker above each column, and under it the own stones."""
        rows, columns = len(board), len(board[0])
        key = 0
        for column in range(columns):
            stones = [board[row][column] for row in range(rows) if board[row][column] != 0]
            content = 2 ** len(stones) + sum(2**i for i, owner in enumerate(stones) if owner == 1)
            key += content * 2 ** (column * (rows + 1))
        return key

    def learn(self, games: int) -> None:
        config = self.config
        alphas = config.alpha.values(0, games, config.games)
        epsilons = config.epsilon.values(0, games, config.games)
        streams = make_streams(config.seed, games)
        for number in range(games):
            seat = {"first": 0, "second": 1, "both": number % 2}[config.side]
            episode = Episode(self, float(alphas[number]), float(epsilons[number]), streams[number])
            episode.play(seat)


@dataclass
class Episode:
    learner: NaiveLearner
    alpha: float
    greedy_epsilon: float
    stream: np.uint64
    trace: dict[tuple[Board, int], float] = field(default_factory=dict)
    last: tuple[Board, int] | None = None
    last_moves: int = 0
    shaped: float = 0.0
    """The shaping reward of the last move."""

    def play(self, seat: int) -> None:
        config = self.learner.config
        game = NaiveGame(config.columns, config.rows, config.connect)
        while game.outcome() == "ongoing":
            if config.self_play or len(game.history) % 2 == seat:
                self.take_turn(game)
            else:
                self.reply_at_random(game)

    def take_turn(self, game: NaiveGame) -> None:
        config, learner = self.learner.config, self.learner
        player, turn = game.player, len(game.history)
        board = learner.seen_by(game, player)
        kept, flipped = learner.visit(board)
        legal = game.legal_columns()
        place = {c: config.columns - 1 - c if flipped else c for c in legal}
        q = {c: learner.values[kept][place[c]] for c in legal}
        if self.last is not None:
            sign = -1 if config.self_play else 1
            self.update(sign * config.gamma * max(q.values()))
            q = {c: learner.values[kept][place[c]] for c in legal}
        column = self.choose(q, learner.epsilon[kept], turn)
        if q[column] < max(q.values()) or config.traces == "none":
            self.trace = {}
        pair = (kept, place[column])
        again = 0.0 if config.replacing else self.trace.get(pair, 0.0)
        self.trace[pair] = 1.0 + again
        self.last, self.last_moves = pair, len(legal)
        learner.visits[kept] += 1
        if config.traces == "limited":
            self.enter_reachable(game)
        self.shaped = shaping_reward(board, self.move(game, column), config)
        if game.outcome() == "draw":
            self.update(config.reward_draw)
        elif game.outcome() != "ongoing":
            self.update(config.reward_win)

    def reply_at_random(self, game: NaiveGame) -> None:
        config = self.learner.config
        legal = game.legal_columns()
        lot = float(uniform(at_ply(self.stream, stones_on(game))))
        self.move(game, legal[int(lot * len(legal))])
        if game.outcome() == "draw":
            self.update(config.reward_draw)
        elif game.outcome() != "ongoing":
            self.update(config.reward_loss)

    def move(self, game: NaiveGame, column: int) -> int:
        """Make a move, let it slip or a row fall as chance has it; tell where the stone fell."""
        config = self.learner.config
        odds = config.geometry.variant.odds
        state = chance_state(self.stream, stones_on(game))
        if odds.slip:
            state = following(state)
            lot = float(uniform(state))
            towards = column + (-1 if lot < odds.slip / 2 else 1)
            column = towards if lot < odds.slip and towards in game.legal_columns() else column
        game.play(column)
        if odds.drop_row and game.winner() == 0:
            state = following(state)
            if uniform(state) < odds.drop_row:
                game.grid = [*game.grid[1:], [0] * config.columns]
                self.stream = np.uint64(next_stream(self.stream))
        return column

    def choose(self, q: dict[int, float], epsilon_of_state: float, turn: int) -> int:
        config = self.learner.config
        vdbe = config.exploration == "vdbe-softmax"
        state = following(at_ply(self.stream, turn))
        explores = uniform(state) < (epsilon_of_state if vdbe else self.greedy_epsilon)
        state = following(state)
        best = [c for c in q if q[c] == max(q.values())]
        if not explores:
            return best[0] if config.ties == "first" else best[below(state, len(best))]
        columns = list(q)
        if not vdbe or len(best) == len(columns):
            return columns[below(state, len(columns))]
        lot, total = float(uniform(state)), 0.0
        for column, chance in zip(
            columns, scaled_softmax(list(q.values()), config.temperature), strict=True
        ):
            total += chance
            if lot < total:
                return column
        return columns[-1]

    def update(self, target: float) -> None:
        config, learner = self.learner.config, self.learner
        if self.last is None:
            return
        board, place = self.last
        delta = target + self.shaped - learner.values[board][place]
        sign = -1 if config.self_play else 1
        for (state, column), e in self.trace.items():
            moved = learner.values[state][column] + self.alpha * delta * e
            learner.values[state][column] = float(np.float32(moved))
        self.trace = {
            pair: e * sign * config.gamma * config.trace_lambda for pair, e in self.trace.items()
        }
        if config.exploration == "vdbe-softmax":
            power = math.exp(-abs(self.alpha * delta) / config.sigma)
            f = (1 - power) / (1 + power)
            share = config.delta or 1 / self.last_moves
            learner.epsilon[board] = float(
                np.float32(share * f + (1 - share) * learner.epsilon[board])
            )

    def enter_reachable(self, game: NaiveGame) -> None:
        config = self.learner.config
        for column in game.legal_columns():
            after = deepcopy(game)
            after.play(column)
            if after.outcome() == "ongoing":
                viewer = after.player if config.self_play else game.player
                self.learner.state(self.learner.seen_by(after, viewer))

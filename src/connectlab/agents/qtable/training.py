"""How a table learns: the state of a run, advanced in steps of some games."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import Agent
from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.exploration import Manner
from connectlab.agents.qtable.learning import (
    CHANGE,
    ERROR,
    EXPLORED,
    MOVES,
    UPDATES,
    Rule,
    make_games,
)
from connectlab.agents.qtable.lockstep import learn_against
from connectlab.agents.qtable.loops import (
    BOTH,
    Rates,
    learn_games,
    learn_given,
)
from connectlab.agents.qtable.model import KIND, Model, ModelHeader
from connectlab.agents.qtable.table import StateTable
from connectlab.agents.registry import make_agent
from connectlab.game.position import Position
from connectlab.game.streams import make_streams
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import Learner, LearnerError, Metrics
from connectlab.training.pace import games_a_step, longest_plies
from connectlab.training.saved import (
    check_beginning,
    check_kind,
    check_state,
    moves_of_games,
    saved_count,
)

STATE_KIND = f"{KIND}-state"

PLIES_A_STEP = 120_000
"""Plies of a step in compiled loops, were all games as long as the board allows: about 0.1 s."""
BATCHES_A_STEP = 10
"""Batches of games side by side in a step against players that are asked."""
LONGEST_TRACE = 1_000
"""Pairs of a trace where rows fall and games have no end; those before are forgotten."""


class QTableLearner(Learner):
    """A table in training. The same config gives the same table, however the run is cut.

    It learns on one thread, whatever ``threads`` says: what a game finds in the table is what the
    games before it left there.
    """

    Config = QTableConfig
    learns_from_games = True
    config: QTableConfig

    def __init__(self, config: QTableConfig, *, threads: int = 1) -> None:
        super().__init__(config, threads=threads)
        self.plies_done = 0
        self.lessons: list[str] = []
        """The games of others that it has learned from, by names that their givers chose."""
        self._rule = make_rule(config)
        geometry = config.geometry
        self._players = _make_players(config)
        side_by_side = config.parallel if self._players else 1
        longest = LONGEST_TRACE if geometry.variant.drop_row else geometry.cells
        self._games = make_games(side_by_side, geometry.columns, longest)
        self.model = Model(ModelHeader.of(config), self._new_table())
        self.games_a_step = _games_a_step(config)
        """Games of a step; a step ends where their number is a multiple of this."""

    def _new_table(self) -> StateTable:
        vdbe = self.config.exploration == "vdbe-softmax"
        return StateTable(self.config.columns, with_epsilon=vdbe)

    @property
    def table(self) -> StateTable:
        """The states met so far."""
        return self.model.table

    # Learning

    def step(self) -> Metrics:
        """Play and learn the games up to the next multiple of ``games_a_step``.

        Returns ``alpha``; ``explored``, the share of moves that were not the best; ``td_error``,
        the mean of |delta|; ``plies``, the mean length of a game; ``states``, those in the table;
        and ``new_states``, the mean of those that a game added.
        """
        first, size = self.games_done, self.games_a_step
        if first >= self.config.games:
            raise LearnerError(f"all {first:,} games of the run are learned: more games= go on")
        stop = min(self.config.games, (first // size + 1) * size)
        before, plies = len(self.table), int(self._games.plies[0])
        self._games.tally[:] = 0
        rates = self._rates(first, stop - first)
        self._learn_games(range(first, stop), rates)
        self.games_done = stop
        played = int(self._games.plies[0]) - plies
        self.plies_done += played
        games = stop - first
        return {
            "alpha": float(rates[:, 0].mean()),
            **self._means(),
            "plies": played / games,
            "states": float(len(self.table)),
            "new_states": (len(self.table) - before) / games,
        }

    def _means(self) -> dict[str, float]:
        tally = self._games.tally
        return {
            "explored": float(tally[EXPLORED] / max(1.0, tally[MOVES])),
            "td_error": float(tally[ERROR] / max(1.0, tally[UPDATES])),
        }

    def _rates(self, first: int, n: int) -> Rates:
        config = self.config
        schedules = (config.alpha, config.epsilon)
        return np.stack([s.values(first, n, config.games) for s in schedules], axis=1)

    def _learn_games(self, numbers: range, rates: Rates) -> None:
        streams = make_streams(self.config.seed, len(numbers), numbers.start)
        seats = _seats(self.config, numbers)
        if self._players:
            self._learn_asking(numbers, streams, rates, seats)
            return
        done = 0
        while done < len(numbers):
            done += learn_games(
                streams[done:],
                rates[done:],
                seats[done:],
                self._games,
                self.table.arrays,
                self._rule,
            )
            if done < len(numbers):
                self.table.reserve(self._states_a_game)

    def _learn_asking(
        self,
        numbers: range,
        streams: NDArray[np.uint64],
        rates: Rates,
        seats: NDArray[np.int64],
    ) -> None:
        """Learn in batches that end at multiples of ``parallel``."""
        size, begin = self.config.parallel, 0
        while begin < len(numbers):
            end = min(len(numbers), begin + size - numbers[begin] % size)
            part = slice(begin, end)
            learn_against(
                self._players,
                numbers[part],
                streams[part],
                rates[part],
                seats[part],
                self._games,
                self.table,
                self._rule,
            )
            begin = end

    @property
    def _states_a_game(self) -> int:
        """States that one game can add where no row falls."""
        geometry = self.config.geometry
        return geometry.cells * (1 + geometry.columns)

    def learn_from(self, games: Sequence[Position]) -> Metrics:
        """Learn from finished games of others, at once, from the moves of both sides.

        In self-play one look at a game teaches both sides' moves; else each side's moves are
        learned from as that side saw the game. The games come on top of those of the run:
        ``games_done`` stays, and alpha is that of the next game. Returns ``moves`` learned from,
        ``states_added``, ``mean_change`` (the mean of |change of Q(s, a)|), and of the means that
        ``step`` returns ``alpha`` and ``td_error``.
        """
        if self.config.geometry.variant.by_chance:
            raise LearnerError(
                f"games of {self.config.geometry} tell where stones landed, not which columns were "
                "chosen: nothing can be learned from them"
            )
        moves = moves_of_games(games, self.config.geometry)
        alpha = float(self._rates(min(self.games_done, self.config.games - 1), 1)[0, 0])
        before = len(self.table)
        self._games.tally[:] = 0
        for columns in moves:
            for seat in (BOTH,) if self.config.self_play else (0, 1):
                self.table.reserve(self._states_a_game)
                learn_given(columns, seat, alpha, self._games, self.table.arrays, self._rule)
        tally = self._games.tally
        return {
            "alpha": alpha,
            "td_error": self._means()["td_error"],
            "moves": float(tally[MOVES]),
            "states_added": float(len(self.table) - before),
            "mean_change": float(tally[CHANGE] / max(1.0, tally[UPDATES])),
        }

    # Saving

    def checkpoint(self) -> Checkpoint:
        """Return the table to play with, and what it was trained with."""
        return self.model.checkpoint({"config": self.config.plain(), "games_done": self.games_done})

    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""
        header: dict[str, object] = {
            "config": self.config.plain(),
            "games_done": self.games_done,
            "plies_done": self.plies_done,
        }
        if self.lessons:
            header["lessons"] = list(self.lessons)
        return Checkpoint(STATE_KIND, header, self.table.entries())

    def restore(self, state: Checkpoint) -> None:
        """Go on from a state whose config differs from this one in ``games`` at most."""
        games = check_state(state, STATE_KIND, self.config)
        plies = saved_count(state.header, "plies_done")
        lessons = state.header.get("lessons", [])
        if not isinstance(lessons, list) or not all(isinstance(each, str) for each in lessons):
            raise CheckpointError("the saved state is damaged: its lessons are no list of names")
        table = StateTable.from_entries(
            state.arrays, self.config.columns, with_epsilon=self.table.has_epsilon
        )
        self.model = Model(self.model.header, table)
        self.games_done, self.plies_done = games, plies
        self.lessons = list(lessons)

    def begin_from(self, checkpoint: Checkpoint) -> None:
        """Begin with the states of a trained table, which must read boards as this run does."""
        check_kind(checkpoint, KIND)
        other = Model.from_checkpoint(checkpoint)
        read_as = {"columns", "rows", "connect", "variant", "mirror"}
        check_beginning(
            self.games_done,
            self.model.header.model_dump(include=read_as),
            other.header.model_dump(include=read_as),
        )
        table = StateTable.from_entries(
            other.table.entries(), self.config.columns, with_epsilon=self.table.has_epsilon
        )
        self.model = Model(self.model.header, table)


def make_rule(config: QTableConfig) -> Rule:
    """Return the settings of a learner as the kernels take them."""
    manner = Manner(
        config.exploration == "vdbe-softmax",
        config.sigma,
        config.delta or 0.0,
        config.temperature,
        config.ties == "first",
    )
    return Rule(
        ModelHeader.of(config).reading,
        config.geometry.variant.odds,
        manner,
        config.gamma,
        config.trace_lambda,
        -1.0 if config.self_play else 1.0,
        config.reward_win,
        config.reward_draw,
        config.reward_loss,
        config.traces != "none",
        config.traces == "limited",
        config.replacing,
        config.known == "always",
        config.shaping,
    )


def _make_players(config: QTableConfig) -> list[Agent]:
    """Build the players that are asked; none for self-play and random alone."""
    if not config.asks_players:
        return []
    return [make_agent(spec, config.geometry) for spec in config.opponent_specs]


def _seats(config: QTableConfig, numbers: range) -> NDArray[np.int64]:
    """Return for each game where the learner sits: 0 first, 1 second, ``BOTH`` in self-play."""
    fixed = {"first": 0, "second": 1}.get(config.side)
    if config.self_play or fixed is not None:
        return np.full(len(numbers), BOTH if config.self_play else fixed, dtype=np.int64)
    rounds = np.arange(numbers.start, numbers.stop) // len(config.opponent_specs)
    return rounds % 2


def _games_a_step(config: QTableConfig) -> int:
    if config.asks_players:
        return config.parallel * BATCHES_A_STEP
    return games_a_step(PLIES_A_STEP, longest_plies(config.geometry), config.games)

"""The table at which a game is played: a terminal and a page sit at the same one.

Nothing here prints or asks. What is quick is done at once; what takes its time (a player's move, a
hint, an explanation, a review) returns a :class:`~connectlab.lab.thinking.Thinking`, which works
in a thread of its own and can be waited for or stopped from any other::

    table = Table(("human", "minimax:depth=4"), seed=1)
    table.play(3)                       # a person's move, 0-based
    move = table.think().result()       # the player's answer
    table.hint().result().advice      # what perfect play says now

A table may be asked by several threads at once. Whatever changes the game (a move, undo, new, …)
stops the thinking about the old one, so a late answer never falls into another game.

Each game has a random stream of its own, made from the seed and the number of the game; the lot of
a move belongs to that stream and the ply. So moves draw different lots, so do games, and taking a
move back and playing it again changes nothing, not even where stones slip or rows fall.
"""

import threading
import time
from collections.abc import Callable

from connectlab.agents.base import Agent
from connectlab.agents.perfect import shared_solver
from connectlab.errors import GameError
from connectlab.game import Geometry, Position
from connectlab.game.streams import make_streams
from connectlab.lab.history import History, Move
from connectlab.lab.records import HUMAN, RESULTS, UNKNOWN, GameRecord
from connectlab.lab.review import Review, review_game
from connectlab.lab.seats import AgentFailedError, Player, Seats, ask_analysis, ask_move, name_of
from connectlab.lab.state import Explanation, State
from connectlab.lab.thinking import Stopped, Thinking
from connectlab.lab.verdicts import Verdicts, ask_solver
from connectlab.solver import Solver

HINT_SECONDS = 10.0
EXPLAIN_SECONDS = 3.0
REVIEW_SECONDS = 30.0
MAX_NODES = 200_000_000
TABLE_MB = 64


class Table:
    """Two seats, a board, and the moves made on it."""

    def __init__(
        self,
        players: tuple[Player, Player],
        start: Position | None = None,
        *,
        seed: int = 0,
        game: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock = threading.RLock()
        self._clock = clock
        self._thinking: Thinking[Move] | None = None
        self._solver: Solver | None = None
        self._failure: AgentFailedError | None = None
        opening = Position() if start is None else start
        self._begin(opening, Seats(players, opening.geometry), seed, game)

    @classmethod
    def from_record(cls, record: GameRecord) -> "Table":
        """Set a recorded game up again, with its players."""
        table = cls((HUMAN, HUMAN), record.start)
        table.load(record)
        return table

    @property
    def position(self) -> Position:
        """The position on the board."""
        with self._lock:
            return self._history.position

    @property
    def start(self) -> Position:
        """The position in which this game began."""
        with self._lock:
            return self._history.start

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return self.position.geometry

    @property
    def stream(self) -> int:
        """The random stream of this game."""
        with self._lock:
            return int(make_streams(self._seed, 1, self._game)[0])

    @property
    def state(self) -> State:
        """All there is to see, at one moment."""
        with self._lock:
            history = self._history
            return State(
                history.position,
                self._seats.names,
                history.moves,
                self._game,
                RESULTS.get(history.position.outcome),
                history.seconds,
                history.place < history.end,
                self._thinking is not None and self._thinking.running,
                None if self._failure is None else str(self._failure),
            )

    @property
    def agent_to_move(self) -> Agent | None:
        """The agent to move; None if that is a person, or the game is over."""
        with self._lock:
            position = self.position
            seat = 0 if position.first_to_move else 1
            return None if position.is_over else self._seats.agent(seat)

    @property
    def person_to_move(self) -> bool:
        """Whether the game goes on and a person is to move."""
        with self._lock:
            return self.agent_to_move is None and not self.position.is_over

    def play(self, column: int) -> Move:
        """Make the move of the person to move; ``column`` is 0-based."""
        with self._lock:
            agent = self.agent_to_move
            if agent is not None:
                raise GameError(f"it is the turn of {name_of(agent)}")
            return self._attempt(column, HUMAN, max(0.0, self._clock() - self._since))

    def think(self) -> Thinking[Move]:
        """Let the player to move think; its move is made as soon as it is found.

        Asked twice, it thinks once. A player that fails is named by the ``AgentFailedError`` that
        ``result`` raises, and the game stays as it is.
        """
        with self._lock:
            position, stream, agent = self.position, self.stream, self.agent_to_move
            if agent is None:
                raise GameError("the game is over" if position.is_over else "a person is to move")
            if self._thinking is None or not self._thinking.running:
                self._failure = None
                self._thinking = Thinking(
                    lambda _stopped: self._find_move(agent, position, stream), self._lock
                )
            return self._thinking

    def stop_thinking(self) -> None:
        """Stop the player that thinks about its move, if one does; it can be asked again."""
        with self._lock:
            if self._thinking is not None:
                self._thinking.stop()
                self._thinking = None

    def sit(self, seat: int, player: Player) -> None:
        """Give a seat (0 moves first) to another player; the game goes on as it stands."""
        with self._lock:
            self._seats.take(seat, self._seats.invite(player))
            self._changed()

    def undo(self) -> None:
        """Go back to the last position in which a person was to move."""
        with self._lock:
            back = range(self._history.place - 1, -1, -1)
            self._go_to(self._person_turn(back, otherwise=-1))

    def redo(self) -> None:
        """Go on to where a person was to move again, or else to the end of what was taken back."""
        with self._lock:
            place, end = self._history.place, self._history.end
            ahead = range(place + 1, end + 1)
            self._go_to(self._person_turn(ahead, otherwise=max(end, place + 1)))

    def undo_ply(self) -> None:
        """Take back one move, whoever made it."""
        with self._lock:
            self._go_to(self._history.place - 1)

    def redo_ply(self) -> None:
        """Make the move again that was taken back last."""
        with self._lock:
            self._go_to(self._history.place + 1)

    def new_game(self, start: Position | None = None) -> None:
        """Begin the next game, with lots of its own, where this one began or at ``start``."""
        with self._lock:
            opening = self.start if start is None else start
            seats = Seats(self._seats.players, opening.geometry)
            self._begin(opening, seats, self._seed, self._game + 1)

    def load(self, record: GameRecord, players: tuple[Player, Player] | None = None) -> None:
        """Replace the game by a recorded one; on failure it stays.

        It is played on by these players, else by those of the record, else by those who sit here.
        A record without a seed is given the lots of the next game.
        """
        record.check()
        with self._lock:
            seats = Seats(players or record.players or self._seats.players, record.board)
            if record.seed is None:
                self._begin(record.start, seats, self._seed, self._game + 1)
            else:
                self._begin(record.start, seats, record.seed, record.game)
            for column, fell, mover, seconds in zip(
                record.columns, record.falls, record.movers, record.move_seconds, strict=True
            ):
                self._make(Move(column, mover, seconds, fell))

    def record(self) -> GameRecord:
        """Return the game as it stands, without moves that were taken back."""
        with self._lock:
            return GameRecord.of_game(
                self._history, self._seats.names, seed=self._seed, game=self._game
            )

    def hint(
        self, *, deadline_s: float = HINT_SECONDS, max_nodes: int = MAX_NODES
    ) -> Thinking[Verdicts]:
        """Ask what perfect play says of the position; what is not found in time is said so.

        ``max_nodes`` limits each column, ``deadline_s`` the whole question.
        """
        position = self.position
        if position.is_over:
            raise GameError("the game is over")
        _check_plain(position.geometry, "there are no hints")

        def work(stopped: Stopped) -> Callable[[], Verdicts]:
            solver = self._perfect(position.geometry)
            verdicts = ask_solver(
                solver, position, max_nodes=max_nodes, deadline_s=deadline_s, stopped=stopped
            )
            return lambda: verdicts

        return Thinking(work)

    def explain(
        self, *, deadline_s: float = EXPLAIN_SECONDS, max_nodes: int = MAX_NODES
    ) -> Thinking[Explanation]:
        """Ask what a player saw when it made its last move: with the same stream, so the same.

        The limits are those of the comparison with perfect play.
        """
        if self.state.is_hidden:
            raise GameError("what a player saw is told when the game is over: the board is hidden")
        with self._lock:
            moves, stream = self._history.moves, self.stream
            made = [place for place, move in enumerate(moves) if move.mover not in (HUMAN, UNKNOWN)]
            if not made:
                raise GameError("no player has moved yet")
            move, position = moves[made[-1]], self._history.position_at(made[-1])
            agent = self._seats.named(move.mover)
            chosen = move.column if move.chosen is None else move.chosen

        def work(stopped: Stopped) -> Callable[[], Explanation]:
            analysis = ask_analysis(agent, position, stream)
            if not position.geometry.variant.is_plain:
                return lambda: Explanation(move.mover, chosen, analysis, None)
            solver = self._perfect(position.geometry)
            verdicts = ask_solver(
                solver, position, max_nodes=max_nodes, deadline_s=deadline_s, stopped=stopped
            )
            return lambda: Explanation(move.mover, chosen, analysis, verdicts)

        return Thinking(work)

    def review(
        self, *, deadline_s: float = REVIEW_SECONDS, max_nodes: int = MAX_NODES
    ) -> Thinking[Review]:
        """Ask where the moves so far threw away a win or a draw, as far as is found in time."""
        with self._lock:
            start = self.start
            _check_plain(start.geometry, "it cannot review this game")
            columns = [move.column for move in self._history.moves]

        def work(stopped: Stopped) -> Callable[[], Review]:
            solver = self._perfect(start.geometry)
            review = review_game(
                solver, start, columns, deadline_s=deadline_s, max_nodes=max_nodes, stopped=stopped
            )
            return lambda: review

        return Thinking(work)

    def _perfect(self, geometry: Geometry) -> Solver:
        """Return the solver of a board, and hold it: the next question is related to this one."""
        solver = self._solver
        if solver is None or solver.geometry != geometry:
            solver = self._solver = shared_solver(geometry, TABLE_MB)
        return solver

    def _find_move(self, agent: Agent, position: Position, stream: int) -> Callable[[], Move]:
        """Ask an agent, without the lock; what is returned makes the move, with the lock."""
        started = self._clock()
        try:
            column = ask_move(agent, position, stream)
        except AgentFailedError as error:
            failure = error
            return lambda: self._fail(failure)
        seconds = max(0.0, self._clock() - started)
        return lambda: self._make_found(column, name_of(agent), seconds)

    # From here on the lock is held, or nobody else has the table yet.

    def _begin(self, start: Position, seats: Seats, seed: int, game: int) -> None:
        self._seats = seats
        self._seed, self._game = seed, game
        self._history = History(start)
        self._changed()

    def _changed(self) -> None:
        """Stop thinking about what is past, and start the clock of whoever is to move."""
        self.stop_thinking()
        self._failure = None
        self._since = self._clock()

    def _make(self, move: Move) -> Move:
        self._history.add(move)
        self._changed()
        return move

    def _attempt(self, column: int, mover: str, seconds: float) -> Move:
        """Make a move as it was meant; in a game with chance something else may come of it."""
        landed, fell = self.position.chances(column, stream=self.stream)
        chosen = None if landed == column else int(column)
        return self._make(Move(landed, mover, seconds, fell, chosen))

    def _make_found(self, column: int, mover: str, seconds: float) -> Move:
        self._thinking = None  # it ends by itself and is not to be stopped by its own move
        return self._attempt(column, mover, seconds)

    def _fail(self, failure: AgentFailedError) -> Move:
        self._failure = failure
        raise failure

    def _go_to(self, place: int) -> None:
        self._history.go_to(place)
        self._changed()

    def _person_turn(self, places: range, *, otherwise: int) -> int:
        """Return the first of these places in the game where a person was to move."""
        for place in places:
            seat = self._history.seat_at(place)
            over = self._history.position_at(place).is_over
            if self._seats.agent(seat) is None and not over:
                return place
        return otherwise


def _check_plain(geometry: Geometry, so: str) -> None:
    """Refuse a question to perfect play about another game than the plain one."""
    if not geometry.variant.is_plain:
        raise GameError(f"perfect play knows only the plain game, not {geometry.variant}: {so}")

"""A game at the terminal between people and players, as a conversation."""

import itertools
import re
import time
from collections.abc import Callable
from pathlib import Path

from connectlab.cli.table_view import TableView, at_terminal, wait_for
from connectlab.errors import GameError, UserError
from connectlab.game.notation import DIGITS, column_name
from connectlab.lab.records import HUMAN, GameRecord, load_game, save_game
from connectlab.lab.seats import AgentFailedError, AgentForfeitsError
from connectlab.lab.state import State
from connectlab.lab.table import Table

HELP = """
  a column   drop a stone into it
  hint       what perfect play says
  why        what the opponent saw
  undo       take back your last move
  redo       play it again
  new        start another game
  save FILE  keep the game (.txt: moves)
  load FILE  go on with a kept game
  review     where it was lost
  first WHO  who moves first from now on
  second WHO the same for the other seat
  quit       leave
A beginning of a word is enough, unless
the board has a column of that name."""


class LeftTableError(Exception):
    """The person leaves the table."""


class TableGame:
    """A conversation about the game at a table."""

    def __init__(self, table: Table, *, save: Path | None = None, review: bool = False) -> None:
        self._table = table
        self._view = TableView()
        self._save_path = save
        self._reviews = review
        self._kept: GameRecord | None = None
        """The game as it was written to a file last."""
        self._held: State | None = None
        """Where a player failed or was stopped: it is not asked again before something changes."""
        self._words: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "why": self._why,
            "undo": lambda _rest: self._table.undo(),
            "redo": lambda _rest: self._table.redo(),
            "new": self._new,
            "save": self._save,
            "load": self._load,
            "review": self._review,
            "first": lambda rest: self._sit(0, rest),
            "second": lambda rest: self._sit(1, rest),
            "help": lambda _rest: self._view.say(HELP),
            "quit": self._quit,
        }

    def play(self) -> None:
        """Play with at least one person until somebody leaves."""
        self._view.introduce(self._table.state)
        self._talk()

    def watch(self, delay_s: float) -> None:
        """Show a game between two agents; if one fails at a terminal, ask what to do."""
        self._view.introduce(self._table.state)
        self._view.show_in_place(self._table.state)
        try:
            while self._table.agent_to_move is not None:
                self._think()
                self._view.show_in_place(self._table.state)
                self._keep()
                time.sleep(0 if self._table.position.is_over else delay_s)
        except AgentFailedError as error:
            if isinstance(error, AgentForfeitsError) and not at_terminal():
                self._view.say(f"{error}.")
                return
            if not at_terminal():
                raise
            self._hold(str(error))
            self._talk()
        else:
            self._end_game(self._table.state)

    def _talk(self) -> None:
        try:
            while True:
                self._turn()
        except (LeftTableError, EOFError):
            self._keep()
            self._view.say("Goodbye.")

    def _turn(self) -> None:
        """Let whoever is to move do something."""
        self._keep()
        state = self._table.state
        if self._table.agent_to_move is not None and not self._is_held(state):
            self._let_agent_move()
            return
        self._view.show(state)
        if state.result is not None:
            self._end_game(state)
        while self._is_still(state):
            self._listen(state)

    def _is_still(self, state: State) -> bool:
        """Whether nothing has changed since, so that there is nothing new to show."""
        now = self._table.state
        waits = self._table.agent_to_move is None or self._is_held(now)
        return waits and _is_same(state, now)

    def _is_held(self, state: State) -> bool:
        return self._held is not None and _is_same(self._held, state)

    def _hold(self, reason: str) -> None:
        """Leave the agent to move alone until a person has done something about it."""
        self._view.say(f"{reason}.")
        self._held = self._table.state

    def _let_agent_move(self) -> None:
        try:
            self._think()
            self._view.say_move(self._table.state)
        except AgentFailedError as error:
            self._hold(str(error))
        except KeyboardInterrupt:
            if not at_terminal():  # nobody could be asked what now
                raise
            self._hold("Stopped")

    def _think(self) -> None:
        who = self._table.state.players[0 if self._table.position.first_to_move else 1]
        wait_for(self._table.think(), f"{who} is thinking")

    def _end_game(self, state: State) -> None:
        self._view.announce(state)
        if self._reviews:
            self._obey(self._review, "")

    def _listen(self, state: State) -> None:
        """Read a line and do what it says."""
        answer = self._ask(state)
        word, _, rest = answer.partition(" ")
        action = self._action(word.lower())
        if action is not None:
            self._obey(action, rest.strip())
        elif answer:
            self._obey(self._drop, answer.lower())
        elif self._is_held(state):
            self._held = None  # an empty line lets it try again

    def _ask(self, state: State) -> str:
        if state.result is not None:
            return self._view.ask("review, new, undo or quit: ")
        if self._table.person_to_move:
            return self._view.ask_move(state.position)
        return self._view.ask_what_now(state.position)

    def _action(self, word: str) -> Callable[[str], None] | None:
        """Find what a word or its beginning asks for; the name of a column comes first."""
        is_column = len(word) == 1 and word in DIGITS[1 : self._table.geometry.columns + 1]
        if not word or is_column:
            return None
        return next((self._words[known] for known in self._words if known.startswith(word)), None)

    def _obey(self, action: Callable[[str], None], rest: str) -> None:
        """Do what was asked; whatever is wrong with it is told, and the game goes on."""
        try:
            action(rest)
        except UserError as error:
            self._view.tell(str(error))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            self._view.tell(f"{error.filename}: {reason}" if error.filename else reason)
        except KeyboardInterrupt:
            if not at_terminal():
                raise
            self._view.say("Stopped.")

    def _drop(self, answer: str) -> None:
        """Play the column that was typed."""
        geometry = self._table.geometry
        column = DIGITS.find(answer) - 1 if len(answer) == 1 else -1
        if not 0 <= column < geometry.columns:
            last = column_name(geometry.columns - 1, geometry)
            raise GameError(f"type a column from 1 to {last}, or help")
        self._table.play(column)
        self._view.say_chance(self._table.state)

    def _hint(self, _rest: str) -> None:
        self._view.show_hint(wait_for(self._table.hint(), "solving"))

    def _why(self, _rest: str) -> None:
        self._view.show_explanation(wait_for(self._table.explain(), "looking"))

    def _review(self, _rest: str) -> None:
        self._view.show_review(wait_for(self._table.review(), "looking back"))

    def _new(self, _rest: str) -> None:
        if self._may_go():
            self._table.new_game()
            self._next_file()

    def _load(self, rest: str) -> None:
        record = load_game(_path(rest), self._table.geometry)
        if self._may_go():
            self._table.load(record)
            self._next_file()
            self._view.introduce(self._table.state)

    def _save(self, rest: str) -> None:
        path = _path(rest)
        record = self._table.record()
        save_game(record, path)
        if self._save_path is None:  # the file of --save is written all the same
            self._kept = record
        self._view.say(f"Saved as {path}.")

    def _sit(self, seat: int, who: str) -> None:
        if not who:
            raise GameError(f"say who: {HUMAN}, or a player such as minimax:depth=4")
        self._table.sit(seat, who)
        self._view.introduce(self._table.state)

    def _quit(self, _rest: str) -> None:
        if self._may_go():
            raise LeftTableError

    def _may_go(self) -> bool:
        """Ask, at a terminal, before a game that is neither over nor saved is thrown away."""
        state = self._table.state
        self._keep()
        lost = bool(state.moves) and state.result is None and self._table.record() != self._kept
        if not (lost and at_terminal()):
            return True
        answer = self._view.ask("Throw this game away? (y/n) ")
        return answer.lower().startswith("y")

    def _keep(self) -> None:
        """Write the game to the file of ``--save``, if it has changed since."""
        record = self._table.record()
        if self._save_path is None or not record.moves or record == self._kept:
            return
        try:
            save_game(record, self._save_path)
            self._kept = record
        except (UserError, OSError) as error:
            self._save_path = None
            self._view.tell(f"the game is no longer saved: {error}")

    def _next_file(self) -> None:
        """Choose a file of its own for the next game: game.json, game-2.json, …"""
        used = self._save_path if self._kept is not None else None
        self._kept = None
        if used is not None:
            self._save_path = _free_path(used)


def _is_same(one: State, other: State) -> bool:
    """Whether two states look the same: position, players and game."""
    return (
        one.position is other.position and one.players == other.players and one.game == other.game
    )


def _path(text: str) -> Path:
    if not text:
        raise GameError("name a file, as in game.json")
    if "\0" in text:
        raise GameError("a name of a file has no null character")
    return Path(text).expanduser()


def _free_path(path: Path) -> Path:
    """Return the first of name-2, name-3, … that does not exist."""
    stem = re.sub(r"-\d+$", "", path.stem)
    numbers = itertools.count(2)
    return next(
        free
        for number in numbers
        if not (free := path.with_name(f"{stem}-{number}{path.suffix}")).exists()
    )

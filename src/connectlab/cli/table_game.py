"""A game at the terminal between people and players, as a conversation."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from connectlab.cli import console, drawing, perfect
from connectlab.cli.inspect import print_analysis
from connectlab.errors import GameError
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.notation import DIGITS, column_name

if TYPE_CHECKING:
    from rich.text import Text

    from connectlab.agents import Agent, Analysis
    from connectlab.solver import Solver

HINT_SECONDS = 20.0
HELP = """
  a column  drop a stone into it
  hint      what perfect play says of each column
  why       what the opponent saw when it made its last move
  undo      take back your last move
  new       start again
  quit      leave
The first letter of a word is enough, unless the board has a column of that name."""


class LeftTableError(Exception):
    """The human leaves the table."""


class TableGame:
    """A game between two seats; None stands for a human, anything else is an agent."""

    def __init__(
        self, geometry: Geometry, players: "tuple[Agent | None, Agent | None]", *, seed: int
    ) -> None:
        self.geometry = geometry
        self.players = players
        self.position = Position(geometry)
        self._streams = PositionBatch.start(1, geometry, seed=seed).streams
        self._out = console.output()
        self._coloured = drawing.has_colours(self._out)
        self._solver: Solver | None = None
        self._words: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "why": self._why,
            "undo": self._undo,
            "new": self._new,
            "help": lambda: self._out.print(HELP),
            "quit": self._quit,
        }

    def play(self) -> None:
        """Play with at least one human until somebody leaves."""
        self._introduce()
        try:
            while True:
                self._turn()
        except (LeftTableError, EOFError):
            self._out.print("Goodbye.")

    def watch(self, delay_s: float) -> None:
        """Show a game between two agents."""
        self._introduce()
        self._show()
        while not self.position.is_over:
            self._let_agent_move()
            self._show()
            time.sleep(delay_s)
        self._announce()

    def _turn(self) -> None:
        """Let whoever is to move do something."""
        if self.position.is_over:
            self._show()
            self._announce()
            self._ask("new, undo or quit: ")
        elif self._to_move() is None:
            self._show()
            while not self._ask(None):
                pass
        else:
            self._let_agent_move()

    def _to_move(self) -> "Agent | None":
        return self.players[self.position.ply % 2]

    def _let_agent_move(self) -> None:
        agent = self._to_move()
        assert agent is not None, "a human is to move"
        batch = PositionBatch.of([self.position])
        batch.streams[:] = self._streams
        column = int(console.interruptible(lambda: agent.choose(batch))[0])
        self._streams[:] = batch.streams
        self._say(self._stone(), f" {agent.spec} plays {column_name(column, self.geometry)}.")
        self.position = self.position.play(column)

    def _ask(self, question: str | None) -> bool:
        """Read a line and obey it; return whether the position changed."""
        before = self.position
        answer = self._read(question).strip().lower()
        action = self._action(answer)
        if action is not None:
            action()
        elif answer:
            self._drop(answer)
        return self.position is not before

    def _read(self, question: str | None) -> str:
        from rich.text import Text

        last = column_name(self.geometry.columns - 1, self.geometry)
        if question is None:
            hint = f" your move (1-{last}, hint, undo, help): "
            prompt = Text.assemble(self._stone(), hint)
        else:
            prompt = Text(question)
        try:
            answer = self._out.input(prompt)
        except EOFError:
            self._out.print()
            raise
        if not sys.stdin.isatty():
            self._out.print(answer)
        return answer

    def _action(self, answer: str) -> Callable[[], None] | None:
        """Find what a word or its first letter asks for; the name of a column comes first."""
        if answer in self._words:
            return self._words[answer]
        if len(answer) != 1 or answer in DIGITS[1 : self.geometry.columns + 1]:
            return None
        word = next((word for word in self._words if word[0] == answer), None)
        return None if word is None else self._words[word]

    def _drop(self, answer: str) -> None:
        """Play the column that was typed, or say why not."""
        try:
            column = self._column(answer)
            self.position = self.position.play(column)
        except GameError as error:
            text = str(error)
            self._out.print(f"{text[:1].upper()}{text[1:]}.")

    def _column(self, answer: str) -> int:
        column = DIGITS.find(answer) - 1 if len(answer) == 1 else -1
        if not 0 <= column < self.geometry.columns:
            last = column_name(self.geometry.columns - 1, self.geometry)
            raise GameError(f"type a column from 1 to {last}, or help")
        return column

    def _hint(self) -> None:
        if self.position.is_over:
            self._out.print("The game is over.")
            return
        scores = perfect.column_scores(
            self._perfect_player(), self.position, deadline_s=HINT_SECONDS
        )
        drawing.print_board(self._out, self.position, perfect.column_notes(self.position, scores))
        self._out.print(self._advice(scores))

    def _advice(self, scores: list[int | None]) -> str:
        from connectlab.solver import distance_of

        best = perfect.best_columns(self.position, scores)
        if not best:
            return "Below each column is its score; ? could not be found out in time."
        score = max(score for score in scores if score is not None)
        distance = distance_of(score, self.position.ply, self.geometry)
        return (
            f"Perfect play: {' or '.join(best)}, which {perfect.prospect(score, distance)}.\n"
            "Below each column is its score: above 0 wins (more is sooner), below 0 loses."
        )

    def _perfect_player(self) -> "Solver":
        if self._solver is None:
            with console.patience():
                from connectlab.solver import Solver

                self._solver = Solver(self.geometry)
        return self._solver

    def _why(self) -> None:
        """Explain the last move of an agent."""
        position = self.position
        while position.history:
            position = position.undo()
            agent = self.players[position.ply % 2]
            if agent is not None:
                analysis = self._analyse(agent, position)
                if analysis is None:
                    self._out.print(f"{agent.spec} holds no opinion of a position.")
                else:
                    print_analysis(agent.spec, analysis)
                return
        self._out.print("No opponent has moved yet.")

    @staticmethod
    def _analyse(agent: "Agent", position: Position) -> "Analysis | None":
        return console.interruptible(lambda: agent.analyse(position))

    def _undo(self) -> None:
        """Go back to the last position in which a human was to move."""
        position = self.position
        while position.history:
            position = position.undo()
            if self.players[position.ply % 2] is None:
                self.position = position
                return
        self._out.print("There is no move of yours to take back.")

    def _new(self) -> None:
        self.position = Position(self.geometry)

    def _quit(self) -> None:
        raise LeftTableError

    def _name(self, seat: int) -> str:
        player = self.players[seat]
        if player is not None:
            return player.spec
        if self.players == (None, None):
            return "the first player" if seat == 0 else "the second player"
        return "you"

    def _introduce(self) -> None:
        for seat in range(2):
            self._say(drawing.stone(seat == 0, coloured=self._coloured), f" {self._name(seat)}")

    def _show(self) -> None:
        drawing.print_board(self._out, self.position)

    def _announce(self) -> None:
        value = self.position.outcome.first_player_value
        if value == 0:
            self._out.print("A draw.")
            return
        name = self._name(0 if value > 0 else 1)
        stone = drawing.stone(value > 0, coloured=self._coloured)
        self._say(stone, " you win!" if name == "you" else f" {name} wins.")

    def _stone(self) -> "Text":
        """The stone of the side to move."""
        return drawing.stone(self.position.first_to_move, coloured=self._coloured)

    def _say(self, *parts: "Text | str") -> None:
        from rich.text import Text

        self._out.print(Text.assemble(*parts))

"""What is seen of a table at a terminal: boards, who moves, hints, explanations, reviews."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from connectlab.cli import console, drawing
from connectlab.cli.explain import print_analysis
from connectlab.game.notation import column_name
from connectlab.lab.records import HUMAN

if TYPE_CHECKING:
    from rich.text import Text

    from connectlab.game import Position
    from connectlab.lab.review import Review
    from connectlab.lab.state import Explanation, State
    from connectlab.lab.thinking import Thinking
    from connectlab.lab.verdicts import Verdicts

Result = TypeVar("Result")

QUIET_SECONDS = 1.0
"""Nothing is said of thinking that takes no longer."""
STEP_SECONDS = 0.2
SHORT_PROMPT_WIDTH = 60
"""On a terminal that is narrower, the prompt does not list what can be typed."""
ERASE_LINE = "\r\x1b[2K"


class TableView:
    """Writes what happens at a table on standard output."""

    def __init__(self) -> None:
        self.out = console.output()
        self._coloured = drawing.has_colours(self.out)
        self._drawn_lines = 0

    def say(self, *parts: "Text | str") -> None:
        """Write a line."""
        from rich.text import Text

        self._drawn_lines = 0
        self.out.print(Text.assemble(*parts))

    def tell(self, text: str) -> None:
        """Write what an error says as a sentence; a name at its beginning stays as it is."""
        if text.partition(" ")[0].isalpha():
            text = f"{text[:1].upper()}{text[1:]}"
        self.say(text if text.endswith((".", "?", "!")) else f"{text}.")

    def introduce(self, state: "State") -> None:
        """Say who plays."""
        for seat in range(2):
            self.say(self._stone(seat == 0), f" {_name(state, seat)}")

    def show(self, state: "State") -> None:
        """Draw the board, or tell what is seen of it where it is hidden from people."""
        if state.is_hidden:
            for line in count_lines(state.position):
                self.say(line)
            return
        drawing.print_board(self.out, state.position)

    def show_in_place(self, state: "State") -> None:
        """Draw the board and the last move over those drawn last, where a terminal has room."""
        from rich.text import Text

        lines = drawing.board_lines(state.position, coloured=self._coloured, width=self.out.width)
        lines.append(self._last_move(state) if state.moves else Text())
        if self._drawn_lines:
            self.out.file.write(f"\x1b[{self._drawn_lines}F\x1b[J")
        for line in lines:
            self.out.print(line, no_wrap=True, overflow="ellipsis")
        redraws = self.out.is_terminal and not self.out.is_dumb_terminal
        self._drawn_lines = len(lines) if redraws and len(lines) < self.out.height else 0

    def announce(self, state: "State") -> None:
        """Say how the game ended."""
        if state.result == "draw":
            self.say("A draw.")
            return
        name = _name(state, 0 if state.result == "first" else 1)
        won = " you win!" if name == "you" else f" {name} wins."
        self.say(self._stone(state.result == "first"), won)

    def say_move(self, state: "State") -> None:
        """Say who made the last move."""
        self.say(self._last_move(state))

    def _last_move(self, state: "State") -> "Text":
        from rich.text import Text

        move, geometry = state.moves[-1], state.position.geometry
        meant = move.column if move.chosen is None else move.chosen
        name = "" if state.is_hidden else f" {column_name(meant, geometry)}"
        stone = self._stone(not state.position.first_to_move)
        return Text.assemble(stone, f" {move.mover} plays{name}.{self._chance(state)}")

    def say_chance(self, state: "State") -> None:
        """Say what chance made of the last move, if anything."""
        told = self._chance(state)
        if told:
            self.say(told.strip())

    def _chance(self, state: "State") -> str:
        """Tell that a stone slipped or a row fell, as an end of a line."""
        move = state.moves[-1]
        landed = column_name(move.column, state.position.geometry)
        slip = "" if move.chosen is None or state.is_hidden else f" It slips to {landed}."
        return f"{slip} The bottom row falls." if move.fell else slip

    def show_hint(self, verdicts: "Verdicts") -> None:
        """Show the scores below the columns, and what to do."""
        drawing.print_board(self.out, verdicts.position, verdicts.notes())
        self.say(verdicts.advice)
        if verdicts.known:
            self.say(
                "Below the board are the scores: above 0 wins (more is sooner), below 0 loses"
                f"{', ? was not found in time' if verdicts.unknown else ''}."
            )

    def show_explanation(self, explanation: "Explanation") -> None:
        """Show what a player saw before its last move."""
        analysis = explanation.analysis
        played = column_name(explanation.column, analysis.position.geometry)
        self.say(f"{explanation.mover} played {played}.")
        print_analysis(explanation.mover, analysis, explanation.verdicts, out=self.out)

    def show_review(self, review: "Review") -> None:
        """Show where the game was lost."""
        for move in review.blunders:
            self.say(self._stone(move.by_first), f" {move.sentence}")
        for sentence in review.sentences[len(review.blunders) :]:
            self.say(sentence)
        if review.decisive is not None and len(review.blunders) > 1:
            self.say(f"Move {review.decisive.number} decided the game.")

    def ask(self, question: "Text | str") -> str:
        """Read a line; ``EOFError`` at the end of the input."""
        self._drawn_lines = 0
        try:
            if sys.stdin is None:  # closed before the program began
                raise EOFError
            answer = self.out.input(question)
        except EOFError:
            self.out.print()
            raise
        if not at_terminal():
            self.out.print(answer)
        return answer.strip()

    def ask_move(self, position: "Position") -> str:
        """Ask a person for a move, or a word."""
        from rich.text import Text

        last = column_name(position.geometry.columns - 1, position.geometry)
        hint = "" if self.out.width < SHORT_PROMPT_WIDTH else f" (1-{last}, hint, undo, help)"
        return self.ask(Text.assemble(self._stone(position.first_to_move), f" your move{hint}: "))

    def ask_what_now(self, position: "Position") -> str:
        """Ask what to do about a player that does not move; an empty line lets it try again."""
        seat = "first" if position.first_to_move else "second"
        long = f"undo, {seat} WHO, new, quit, or enter to try again: "
        return self.ask("what now? (help) " if self.out.width < SHORT_PROMPT_WIDTH else long)

    def _stone(self, first: bool) -> "Text":
        return drawing.stone(first, coloured=self._coloured)


def count_lines(position: "Position") -> list[str]:
    """Tell what a player may know of a board in the variant counts."""
    import numpy as np

    from connectlab.game.counts import count_runs, runs_shape

    shape = position.geometry.shape
    counts = np.empty(runs_shape(shape), dtype=np.int64)
    count_runs(position.mover, position.occupied, shape, counts)
    room = " ".join(column_name(c, position.geometry) for c in position.legal_columns)
    lines = [f"{position.ply} stones on the board; room in {room}"]
    for side, row in zip(("yours", "theirs"), counts.tolist(), strict=True):
        seen = ", ".join(f"{n} of {x}" for x, n in enumerate(row, start=1) if n)
        lines.append(f"  streaks, {side}: {seen or 'none'}")
    return lines


def at_terminal() -> bool:
    """Whether somebody types, and can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def _name(state: "State", seat: int) -> str:
    name = state.players[seat]
    if name != HUMAN:
        return name
    if state.players == (HUMAN, HUMAN):
        return "the first player" if seat == 0 else "the second player"
    return "you"


def wait_for(thinking: "Thinking[Result]", what: str) -> Result:
    """Wait for a result, and say so on a terminal when it takes long; Ctrl-C stops the thinking."""
    started = time.monotonic()
    with _waiting_line() as write:
        try:
            while not thinking.wait(STEP_SECONDS):
                seconds = time.monotonic() - started
                if seconds >= QUIET_SECONDS:
                    write(f"{what} … {seconds:.0f} s")
        except KeyboardInterrupt:
            thinking.stop()
            raise
    return thinking.result()


@contextmanager
def _waiting_line() -> Iterator[Callable[[str], None]]:
    """Yield a function that writes a line over itself on standard error, if that is a terminal."""
    written = False

    def write(text: str) -> None:
        nonlocal written
        written = True
        width = shutil.get_terminal_size().columns - 1
        shown = text if len(text) <= width else f"…{text[len(text) - width + 1 :]}"
        sys.stderr.write(f"{ERASE_LINE}{shown}")
        sys.stderr.flush()

    try:
        yield write if sys.stderr.isatty() else lambda _text: None
    finally:
        if written:
            sys.stderr.write(ERASE_LINE)
            sys.stderr.flush()

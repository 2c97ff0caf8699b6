"""How well exported players play, in a loop like Kaggle's.

    python benchmarks/kaggle.py games SUBMITTED OPPONENT [--games 2] [--act-s 0.2] [--purse-s 60]
    python benchmarks/kaggle.py accuracy SUBMITTED [--per-class 2] [--act-s 0.2] [--purse-s 60]

The submitted player is exported, run as Kaggle runs it, and keeps to the processor time of a move
and of the purse, so that a busy machine changes nothing. In games it moves first in every other
one, against a player of the laboratory. Accuracy is by stage: moves in solved positions that keep
the outcome, and that are best, each position with a fresh player and a full purse. Without
arguments both run a little.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from connectlab.agents import Agent, make_agent
from connectlab.arena.positions import CLASSES, generate_positions
from connectlab.arena.statistics import wilson
from connectlab.game import Outcome, Position
from connectlab.integrations.kaggle.players import make_submission
from connectlab.solver import Solver

RULES = {"columns": 7, "rows": 6, "inarow": 4}
Scope = dict[str, Any]


class Submitted:
    """An exported player and the purse it has in a game."""

    def __init__(self, spec: str, act_s: float, purse_s: float) -> None:
        self._act_s, self._full_s = act_s, purse_s
        self._files = make_submission(make_agent(spec)).files
        self.times: list[float] = []
        self.begin()

    def begin(self) -> None:
        """Start a new game: Kaggle runs the file anew."""
        self._scope = run_as_kaggle(self._files)
        self.purse_s = self._full_s

    def play(self, position: Position) -> int:
        """Return the column, and take from the purse what the move took too long."""
        seen = {**shown(position), "remainingOverageTime": self.purse_s}
        answer: Callable[..., int] = self._scope["answer"]
        rules = {**RULES, "actTimeout": self._act_s}
        started = time.process_time()
        column = answer(self._scope["PLAYER"], seen, rules, time.process_time)
        self.times.append(time.process_time() - started)
        self.purse_s -= max(0.0, self.times[-1] - self._act_s)
        if self.purse_s < 0.0:
            raise SystemExit("the purse is empty: Kaggle would call the game lost")
        return column


def run_as_kaggle(files: dict[str, bytes]) -> Scope:
    """Run ``main.py`` without a name of its own, its files beside it."""
    scope: Scope = {}
    with TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        main = Path(folder) / "main.py"
        exec(compile(main.read_text(encoding="utf-8"), str(main), "exec"), scope)
    return scope


def shown(position: Position) -> dict[str, object]:
    """Return what Kaggle shows of a position."""
    me, board = 1 + position.ply % 2, position.geometry
    cells = []
    for row in reversed(range(board.rows)):
        for column in range(board.columns):
            cell = board.cell(column, row)
            mark = me if position.mover & cell else 3 - me
            cells.append(mark if position.occupied & cell else 0)
    return {"board": cells, "mark": me}


def play_game(submitted: Submitted, opponent: Agent, number: int) -> float:
    """Return the points of the submitted player in one game."""
    position, first = Position(), number % 2 == 0
    submitted.begin()
    while not position.is_over:
        if (position.ply % 2 == 0) == first:
            column = submitted.play(position)
        else:
            column = opponent.choose_one(position, stream=number)
        position = position.play(column)
    if position.outcome == Outcome.DRAW:
        return 0.5
    return float((position.outcome == Outcome.FIRST_WINS) == first)


def run_games(options: argparse.Namespace) -> None:
    submitted = Submitted(options.submitted, options.act_s, options.purse_s)
    opponent = make_agent(options.opponent)
    points = {"first": [], "second": []}
    lowest = options.purse_s
    for number in range(options.games):
        seat = "second" if number % 2 else "first"
        points[seat].append(play_game(submitted, opponent, number))
        lowest = min(lowest, submitted.purse_s)
    print(f"{options.submitted} (submitted) against {options.opponent}, {options.act_s} s a move")
    for seat, got in points.items():
        won, drawn = got.count(1.0), got.count(0.5)
        print(f"moving {seat:<7}{len(got)} games: {won} won, {drawn} drawn, {got.count(0.0)} lost")
    print(f"longest move {max(submitted.times):.2f} s, purse never below {lowest:.1f} s")


def run_accuracy(options: argparse.Namespace) -> None:
    solver = Solver()
    made = generate_positions(options.per_class, seed=1, threads=1)
    submitted = Submitted(options.submitted, options.act_s, options.purse_s)
    heading = "keeps the outcome       plays a best move    mean s   max s"
    print(f"{options.submitted} (submitted), {options.act_s} s a move, purse {options.purse_s} s\n")
    print(f"{'class':<16}{'positions':>9}  {heading}")
    for name in CLASSES:
        chosen = [p for p, of in zip(made.positions, made.classes, strict=True) if of == name]
        kept = best = 0
        submitted.times.clear()
        for position in chosen:
            submitted.begin()
            column = submitted.play(position)
            scores = solver.analyse(position)
            highest = max(score for score in scores if score is not None)
            got = scores[column]
            assert got is not None
            kept += (got > 0) - (got < 0) == (highest > 0) - (highest < 0)
            best += got == highest
        n, times = len(chosen), submitted.times
        print(
            f"{name:<16}{n:>9}  {share(kept, n):<22}  {share(best, n):<20}"
            f"{sum(times) / n:>7.2f}{max(times):>8.2f}",
            flush=True,
        )


def share(part: int, n: int) -> str:
    """Write a share with its 95 % interval."""
    interval = wilson(part, n)
    return f"{part / n:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=["games", "accuracy", "both"], default="both")
    parser.add_argument("submitted", nargs="?", default="ntuple:champion,depth=3", metavar="SPEC")
    parser.add_argument("opponent", nargs="?", default="negamax", metavar="OPPONENT")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--per-class", type=int, default=2)
    parser.add_argument("--act-s", type=float, default=0.2, help="seconds a move")
    parser.add_argument("--purse-s", type=float, default=60.0, help="seconds beyond, for a game")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse_arguments(arguments)
    if options.what in ("games", "both"):
        run_games(options)
    if options.what in ("accuracy", "both"):
        run_accuracy(options)


if __name__ == "__main__":
    main()

"""How well exported players play, in a loop like Kaggle's.

    python benchmarks/kaggle.py games SUBMITTED OPPONENT [--games 2] [--act-s 0.2] [--purse-s 60]
    python benchmarks/kaggle.py accuracy SUBMITTED [--per-class 2] [--act-s 0.2] [--purse-s 60]
    python benchmarks/kaggle.py policies SUBMITTED [--positions 20]
    python benchmarks/kaggle.py good-games SUBMITTED [--per-class 2] [--act-s 0.2] [--purse-s 60]

The submitted player is exported, run as Kaggle runs it, and keeps to the processor time of a move
and of the purse, so that a busy machine changes nothing. In games it moves first in every other
one, against a player of the laboratory. Accuracy is by stage: moves in solved positions that keep
the outcome, and that are best, each position with a fresh player and a full purse; with good-games
the positions are those of games between strong players, by the number of stones. Policies are
compared with those of the player itself in positions of random games, without time to think beyond
what is set. Without arguments games and accuracy run a little.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from connectlab.agents import Agent, make_agent
from connectlab.arena.positions import CLASSES, generate_positions
from connectlab.arena.statistics import wilson
from connectlab.game import Outcome, Position
from connectlab.game.random_lines import random_lines
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
    made = generate_positions(options.per_class, seed=1, threads=1)
    rows = list(zip(made.positions, made.classes, strict=True))
    print_accuracy(options, {name: [p for p, of in rows if of == name] for name in CLASSES})


def run_good_games(options: argparse.Namespace) -> None:
    sets = {f"{n} stones": good_positions(n, options.per_class) for n in (12, 13, 14, 15, 16, 18)}
    print_accuracy(options, sets)


def good_positions(stones: int, n: int) -> list[Position]:
    """Return positions of games of the champion after four random moves, none won at once."""
    champion = make_agent("ntuple:champion,depth=5")
    batch = random_lines(5 * n, 4, 4, seed=7).batch
    while len(batch) and batch.plies[0] < stones:
        batch = batch.play(champion.choose(batch))
        batch = batch[batch.outcomes == Outcome.ONGOING]
    found = {(p.mover, p.occupied): p for p in map(batch.position, range(len(batch)))}
    open_ones = [p for p in found.values() if not any(p.play(c).is_over for c in p.legal_columns)]
    return open_ones[:n]


def print_accuracy(options: argparse.Namespace, sets: dict[str, list[Position]]) -> None:
    solver = Solver()
    submitted = Submitted(options.submitted, options.act_s, options.purse_s)
    heading = "keeps the outcome       plays a best move    mean s   max s"
    print(f"{options.submitted} (submitted), {options.act_s} s a move, purse {options.purse_s} s\n")
    print(f"{'class':<16}{'positions':>9}  {heading}")
    for name, positions in sets.items():
        kept = best = 0
        submitted.times.clear()
        for position in positions:
            submitted.begin()
            column = submitted.play(position)
            scores = solver.analyse(position)
            highest = max(score for score in scores if score is not None)
            got = scores[column]
            assert got is not None
            kept += (got > 0) - (got < 0) == (highest > 0) - (highest < 0)
            best += got == highest
        n, times = len(positions), submitted.times
        print(
            f"{name:<16}{n:>9}  {share(kept, n):<22}  {share(best, n):<20}"
            f"{sum(times) / n:>7.2f}{max(times):>8.2f}",
            flush=True,
        )


def run_policies(options: argparse.Namespace) -> None:
    agent = make_agent(options.submitted)
    submission = make_submission(agent)
    batch = random_lines(8 * options.positions, 0, 41, seed=1).batch[: options.positions]
    started = time.process_time()
    scope = run_as_kaggle(submission.files)
    loading_s = time.process_time() - started
    found, times = [], []
    for position in map(batch.position, range(len(batch))):
        clock = scope["Clock"](0.0, 1e7, time.process_time)
        started = time.process_time()
        found.append(scope["PLAYER"].policy(position.mover, position.occupied, clock))
        times.append(time.process_time() - started)
    differ = int((np.abs(np.array(found) - agent.policy(batch)).max(axis=1) > 1e-9).sum())
    sizes = {name: len(content) for name, content in submission.files.items()}
    print(f"{options.submitted} (submitted): {sizes}, archive {len(submission.tarball):,} bytes")
    print(f"loading {loading_s:.2f} s; {differ} of {len(batch)} policies are others")
    print(f"mean {1000 * np.mean(times):.2f} ms a move, longest {1000 * max(times):.1f} ms")


def share(part: int, n: int) -> str:
    """Write a share with its 95 % interval."""
    interval = wilson(part, n)
    return f"{part / n:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


RUNS = {
    "games": run_games,
    "accuracy": run_accuracy,
    "good-games": run_good_games,
    "policies": run_policies,
}


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=[*RUNS, "both"], default="both")
    parser.add_argument("submitted", nargs="?", default="ntuple:champion,depth=3", metavar="SPEC")
    parser.add_argument("opponent", nargs="?", default="negamax", metavar="OPPONENT")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--per-class", type=int, default=2)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--act-s", type=float, default=0.2, help="seconds a move")
    parser.add_argument("--purse-s", type=float, default=60.0, help="seconds beyond, for a game")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse_arguments(arguments)
    for name in ("games", "accuracy") if options.what == "both" else (options.what,):
        RUNS[name](options)


if __name__ == "__main__":
    main()

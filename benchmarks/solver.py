"""How fast the solver is: sets of positions by kind, and random ones side by side with BitBully.

    python benchmarks/solver.py                     # positions of its own making, a minute or two
    python benchmarks/solver.py --sets FOLDER       # Pons's Test_L?_R?.txt, those that are there
    python benchmarks/solver.py --positions 200     # more random positions

One thread, exact scores, no book. Times are CPU time. "fresh" clears the table before each
position, as Pons's own benchmark does; "kept" never does, and solves the set in one call. A node
is a position whose moves are looked at. BitBully (``mtdf``) and the solver take turns, position by
position, both with their tables kept. At last the best moves, as the perfect player asks for them,
beside the scores of all moves: with the book, each from an empty table.
"""

import argparse
import random
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from connectlab.arena.positions import generate_positions
from connectlab.game import Position, PositionBatch
from connectlab.solver import Solver

Solved = list[tuple[Position, int]]


def read_sets(folder: Path, hard: int, limit: int | None) -> Iterator[tuple[str, Solved]]:
    """Yield the name and the solved positions of each set in a folder."""
    for path in sorted(folder.glob("Test_L?_R?.txt"), reverse=True):
        rows = [line.split() for line in path.read_text().splitlines() if line.strip()]
        n = hard if path.stem.endswith("L1_R3") else limit
        yield path.stem, [(Position.from_moves(row[0]), int(row[1])) for row in rows[:n]]


def make_sets(per_class: int, hard: int) -> Iterator[tuple[str, Solved]]:
    """Yield sets of the same six kinds from random play."""
    made = generate_positions(per_class, seed=1)
    for name in reversed(made.class_names):
        rows = zip(made.positions, made.scores, made.classes, strict=True)
        chosen = [(position, int(score)) for position, score, kind in rows if kind == name]
        yield name, chosen[:hard] if name == "begin-hard" else chosen


def check(positions: Solved, scores: list[int]) -> None:
    """Stop the benchmark at a wrong score."""
    for (position, expected), score in zip(positions, scores, strict=True):
        if score != expected:
            raise SystemExit(f"{position!r} scores {score}, not {expected}")


def measure(name: str, positions: Solved, solver: Solver, *, fresh: bool) -> str:
    """Solve a set, check every score, and return a row of the table."""
    nodes, seconds = 0, 0.0
    solver.clear()
    for batch in [[row] for row in positions] if fresh else [positions]:
        if fresh:
            solver.clear()
        stones = PositionBatch.of(position for position, _ in batch)
        started = time.process_time()
        found = solver.solve_many(stones)
        seconds += time.process_time() - started
        nodes += int(found.nodes.sum())
        check(batch, found.scores.tolist())
    n = len(positions)
    return (
        f"{name:15} {'fresh' if fresh else 'kept':5} {n:5} {1000 * seconds / n:11.3f}"
        f" {nodes / n:13,.0f} {nodes / max(seconds, 1e-9) / 1e6:8.2f}"
    )


def random_positions(stones: int, seed: int) -> Iterator[Position]:
    """Yield positions of random games with this many stones that are not over."""
    rng = random.Random(f"{seed} {stones}")
    while True:
        position = Position()
        while position.ply < stones and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if position.ply == stones and not position.is_over:
            yield position


def compare(stones: int, n: int, seed: int, solver: Solver) -> str:
    """Solve random positions with both solvers in turn and return a row of the table."""
    from bitbully import bitbully_core

    peer = bitbully_core.BitBullyCore()
    peer.resetNodeCounter()
    solver.clear()
    ours = theirs = 0.0
    nodes = 0
    for position in islice(random_positions(stones, seed), n):
        board = bitbully_core.BoardCore()
        board.setBoard(list(position.history or ()))
        started = time.process_time()
        solution = solver.solve(position)
        between = time.process_time()
        score = peer.mtdf(board, 0)
        theirs += time.process_time() - between
        ours += between - started
        nodes += solution.nodes
        if solution.score != score:
            raise SystemExit(f"{position!r} scores {solution.score}, with BitBully {score}")
    return (
        f"{stones:6} {n:5} {1000 * ours / n:11.3f} {1000 * theirs / n:11.3f} {ours / theirs:6.2f}"
        f" {nodes / n:13,.0f} {peer.getNodeCounter() / n:13,.0f}"
    )


def compare_best(stones: int, n: int, seed: int, table_mb: int) -> str:
    """Find best moves in two ways, check that they agree, and return a row of the table."""
    batch = PositionBatch.of(islice(random_positions(stones, seed), n))
    started = time.process_time()
    best = Solver(table_mb=table_mb).best_moves_many(batch).moves
    between = time.process_time()
    scores = Solver(table_mb=table_mb).analyse_many(batch)
    ended = time.process_time()
    if (best != (scores == scores.max(axis=1, keepdims=True))).any():
        raise SystemExit(f"best moves after {stones} stones are not those of the highest score")
    ours, every = between - started, ended - between
    return f"{stones:6} {n:5} {1000 * ours / n:11.3f} {1000 * every / n:11.3f} {ours / every:6.2f}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", type=Path, help="folder with Pons's Test_L?_R?.txt")
    parser.add_argument("--limit", type=int, help="positions of each set (all)")
    parser.add_argument("--hard", type=int, help="positions of the hardest set (22; own making 3)")
    parser.add_argument("--per-class", type=int, default=50, help="positions to make (50)")
    parser.add_argument("--stones", default="12,14,16,20", help="of random positions")
    parser.add_argument("--positions", type=int, default=100, help="random positions each (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table-mb", type=int, default=128)
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    solver = Solver(table_mb=arguments.table_mb, book=False)
    sets = (
        read_sets(arguments.sets, arguments.hard or 22, arguments.limit)
        if arguments.sets
        else make_sets(arguments.per_class, arguments.hard or 3)
    )
    print(f"{'set':15} {'table':5} {'n':>5} {'ms':>11} {'nodes':>13} {'M/s':>8}")
    for name, positions in sets:
        for fresh in (True, False):
            print(measure(name, positions, solver, fresh=fresh), flush=True)
    print(
        f"\n{'stones':>6} {'n':>5} {'ms':>11} {'BitBully':>11} {'ratio':>6} {'nodes':>13}"
        f" {'BitBully':>13}"
    )
    for stones in arguments.stones.split(","):
        row = compare(int(stones), arguments.positions, arguments.seed, solver)
        print(row, flush=True)
    print(f"\n{'stones':>6} {'n':>5} {'best, ms':>11} {'all, ms':>11} {'ratio':>6}")
    for stones in (13, 15, 17, 21):
        row = compare_best(stones, arguments.positions, arguments.seed, arguments.table_mb)
        print(row, flush=True)


if __name__ == "__main__":
    main()

"""Simulations a second of Monte Carlo tree search, beside OpenSpiel's C++ bot in the same run.

    python benchmarks/mcts.py [--iterations 20000] [--rounds 5] [--moves 4453] [--strength …]

Both search the same position with UCT and random rollouts, turn by turn on one core, timed in CPU
time; neither proves anything nor keeps its tree. The exit code is 1 if ours is not at least
four times as fast. With ``--strength SPEC …`` each of these players then meets the usual ones.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

import pyspiel

from connectlab.agents import make_agent
from connectlab.arena.match import play_match
from connectlab.errors import UserError
from connectlab.game import Position, PositionBatch

REQUIRED_RATIO = 4.0
EXPLORATION = 1.4
OPPONENTS = ("random", "extend", "minimax", "negamax", "ntuple:champion", "perfect")


def ours(iterations: int, position: Position, extra: str) -> Callable[[int], None]:
    """Return a search of ours, given a seed."""
    agent = make_agent(f"mcts:iterations={iterations},exploration={EXPLORATION}{extra}")

    def search(seed: int) -> None:
        agent.policy(PositionBatch.of([position], seed=seed))

    return search


def openspiel(iterations: int, position: Position) -> Callable[[int], None]:
    """Return a search of OpenSpiel's bot, given a seed."""
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for column in position.moves:
        state.apply_action(int(column) - 1)

    def search(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, iterations, 1_000, False, seed, False)
        bot.mcts_search(state)

    return search


def cpu_seconds(search: Callable[[int], None], seed: int) -> float:
    started = time.process_time()
    search(seed)
    return time.process_time() - started


def compare(iterations: int, rounds: int, position: Position) -> float:
    """Print simulations a second of each search; return the ratio of ours to OpenSpiel's."""
    searches = {
        "connectlab": ours(iterations, position, ",solver=false,stop_at_win=false"),
        "connectlab, defaults": ours(iterations, position, ""),
        "connectlab, heuristic rollouts": ours(iterations, position, ",rollouts=heuristic"),
        "OpenSpiel": openspiel(iterations, position),
    }
    times: dict[str, list[float]] = {name: [] for name in searches}
    for seed in range(rounds + 1):
        for name, search in searches.items():
            times[name].append(cpu_seconds(search, seed))
    rates = {name: iterations / statistics.median(found[1:]) for name, found in times.items()}
    print(f"{iterations:,} simulations from {position.moves or 'the empty board'}, one core\n")
    print(f"{'search':<34}{'simulations/s':>15}{'ratio':>8}")
    for name, rate in rates.items():
        print(f"{name:<34}{rate:>15,.0f}{rate / rates['OpenSpiel']:>8.1f}")
    return rates["connectlab"] / rates["OpenSpiel"]


def measure_strength(specs: Sequence[str], games: int) -> None:
    """Print the score of each player against the usual opponents."""
    print(f"\nscore in percent over {games} games, half of them moving first\n")
    for spec in specs:
        for opponent in OPPONENTS:
            tally = play_match(make_agent(spec), make_agent(opponent), games, seed=7).tally
            low, high = (100 * end for end in tally.score_rate_interval)
            score = f"{100 * tally.score_rate:.0f} [{low:.0f}, {high:.0f}]"
            print(f"{spec:<48}{opponent:<20}{score:>16}", flush=True)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--iterations", type=int, default=20_000, help="simulations a search")
    parser.add_argument("--rounds", type=int, default=5, help="searches of each kind")
    parser.add_argument("--moves", default="", help="position to search")
    parser.add_argument("--strength", nargs="*", metavar="SPEC", default=[], help="players to try")
    parser.add_argument("--games", type=int, default=40, help="games of each pairing")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    ratio = compare(options.iterations, options.rounds, Position.from_moves(options.moves))
    print(f"\n{ratio:.1f} times as many simulations a second as OpenSpiel")
    if options.strength:
        measure_strength(options.strength, options.games)
    return 0 if ratio >= REQUIRED_RATIO else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"error: {error}")

"""How fast the arena plays: random against random, and the share of it that is the arena's own.

    python benchmarks/arena.py [--games 1000000]

Prints games a second on one thread and on one for each core, and beside them OpenSpiel (when it is
installed) driven from Python, the usual way to play two agents there. The aim is 5 million games
a minute on one core, 83,333 a second.
"""

import argparse
import os
import random
import time
from collections.abc import Callable

from connectlab.agents import make_agent
from connectlab.arena import play_games

AIM = 5_000_000 / 60


def rate(play: Callable[[int], object], games: int, repeats: int = 3) -> float:
    """Return games a second, the best of a few runs: other work on the machine only slows."""
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        play(games)
        best = min(best, time.perf_counter() - began)
    return games / best


def play_open_spiel(games: int) -> None:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="games of each run")
    games = parser.parse_args().games
    chance = make_agent("random")
    one = 0.0
    for threads in dict.fromkeys((1, os.cpu_count() or 1)):
        speed = rate(lambda n, t=threads: play_games(chance, chance, n, threads=t), games)
        one = one or speed
        print(f"connectlab, {threads} thread(s)  {speed:12,.0f} games/s  {speed / AIM:6.1f} x aim")
    try:
        speed = rate(play_open_spiel, max(1, games // 500))
    except ImportError:
        print("OpenSpiel is not installed")
        return
    print(f"OpenSpiel from Python    {speed:12,.0f} games/s  {one / speed:6.1f} x slower")


if __name__ == "__main__":
    main()

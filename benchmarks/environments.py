"""Random play, steps a second and core: our environments beside those of others, in one run.

    python benchmarks/environments.py [--rounds 3] [--seconds 0.5] [--pgx-python PYTHON]

A step is one move applied, with the observation and the mask of legal moves that follow it, in the
game for two (``opponent="self"``, which is what all the others play). Choosing the move is counted
too: the highest of some random numbers, made beforehand, among the columns that are open. Games
that end give way to new ones. Everything runs on one thread, and CPU time is what counts; all
contestants take turns, and of several rounds the best counts.

PettingZoo's connect_four_v3 needs pygame, OpenSpiel pyspiel, Pgx jax; who is missing is left out.
Pgx may live in an environment of its own: ``--pgx-python`` names its interpreter. It runs as it is
fastest: many steps compiled into one program, moves chosen in there, on several batch sizes.

The exit code is 1 if the single environment is not five times as fast as PettingZoo's, or the
vector environment not ahead of all others and above five million steps.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

import numpy as np

BATCHES = (64, 1024, 4096, 16384)
PGX_BATCHES = (256, 1024, 4096)
ROWS = 64
"""Rows of random numbers that are used again and again."""
SINGLE, VECTOR = "connectlab.pettingzoo", "connectlab vector"
PETTINGZOO = "PettingZoo connect_four_v3"
TIMES_PETTINGZOO, LEAST = 5.0, 5e6

Run = Callable[[float], float]
"""Plays for some seconds; returns steps a second."""


@dataclass
class Contestant:
    name: str
    run: Run
    rates: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        return max(self.rates)


def rate_of(advance: Callable[[], int], seconds: float) -> float:
    """Take steps for some seconds of this thread; return their number a second."""
    steps, began = 0, time.thread_time()
    while (spent := time.thread_time() - began) < seconds:
        steps += advance()
    return steps / spent


OURS = "connectlab.integrations.pettingzoo"
THEIRS = "pettingzoo.classic.connect_four.connect_four"


def aec(module: str, maker: str = "env") -> Run:
    """Return the loop that PettingZoo's documentation shows, for one of two environments."""

    def run(seconds: float) -> float:
        env = getattr(import_module(module), maker)()
        lots = np.random.default_rng(0).random((ROWS, 7))

        def game() -> int:
            env.reset()
            for number, _ in enumerate(env.agent_iter()):
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                else:
                    env.step(int((lots[number % ROWS] * observation["action_mask"]).argmax()))
            return number - 1  # the two last ones only take leave

        return rate_of(game, seconds)

    return run


def single(seconds: float) -> float:
    """Play with the environment of Gymnasium for one agent."""
    from connectlab.integrations.gymnasium import ConnectEnv

    env, lots = ConnectEnv("self"), np.random.default_rng(0).random((ROWS, 7))

    def game() -> int:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            action = int((lots[steps % ROWS] * info["action_mask"]).argmax())
            _, _, over, _, info = env.step(action)
            steps += 1
        return steps

    return rate_of(game, seconds)


def vector(n: int, *, sync: bool = False, opponent: str = "self") -> Run:
    """Play with many environments: ours, or Gymnasium's way to run many single ones."""

    def run(seconds: float) -> float:
        from gymnasium.vector import SyncVectorEnv

        from connectlab.integrations.gymnasium import ConnectEnv
        from connectlab.integrations.vector import ConnectVectorEnv

        envs = (
            SyncVectorEnv([lambda: ConnectEnv(opponent)] * n)
            if sync
            else ConnectVectorEnv(n, opponent=opponent)
        )
        lots = np.random.default_rng(0).random((ROWS, n, 7), dtype=np.float32)
        state = {"mask": envs.reset(seed=0)[1]["action_mask"], "number": 0}

        def step() -> int:
            actions = (lots[state["number"] % ROWS] * state["mask"]).argmax(axis=1)
            *_, terminations, _, infos = envs.step(actions)
            state["mask"], state["number"] = infos["action_mask"], state["number"] + 1
            # A step that only begins a new game is not counted.
            began = state.get("over", 0)
            state["over"] = int(terminations.sum())
            return n - began

        return rate_of(step, seconds)

    return run


def open_spiel(seconds: float) -> float:
    """Play with OpenSpiel's states, one after another, with observation and mask of each."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    lots = np.random.default_rng(0).random((ROWS, 7))

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            mask = state.legal_actions_mask()
            state.apply_action(int((lots[steps % ROWS] * mask).argmax()))
            state.observation_tensor(0)
            steps += 1
        return steps

    return rate_of(play, seconds)


def open_spiel_bots(seconds: float) -> float:
    """Let OpenSpiel play random games within its own C++, without observations."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]

    def play() -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, 0)
        return len(state.history())

    return rate_of(play, seconds)


class Pgx:
    """Pgx in a process of its own, which answers one line for each line."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, __file__, "--pgx-worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def batch(self, n: int) -> Run:
        def run(seconds: float) -> float:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            print(n, seconds, file=self.process.stdin, flush=True)
            return float(self.process.stdout.readline())

        return run

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def serve_pgx() -> None:
    """Answer lines "batch seconds" with steps a second, on one core."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    programs: dict[int, Callable[[], int]] = {}
    for line in sys.stdin:
        n, seconds = int(line.split()[0]), float(line.split()[1])
        if n not in programs:
            programs[n] = compile_pgx(n)
        steps, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            steps += programs[n]()
        print(steps / spent, flush=True)


def compile_pgx(n: int) -> Callable[[], int]:
    """Return a program that takes ``ROWS`` steps in each of ``n`` games, and goes on from there."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))
    keys = jax.random.split(jax.random.PRNGKey(0), n)
    lots = jax.random.uniform(jax.random.PRNGKey(1), (ROWS, n, 7))
    state = {"now": jax.jit(jax.vmap(env.init))(keys)}

    @jax.jit
    def roll(begin):
        def body(now, row):
            return step(now, jnp.argmax(row * now.legal_action_mask, axis=1), keys), None

        return jax.lax.scan(body, begin, lots)[0]

    def program() -> int:
        state["now"] = jax.block_until_ready(roll(state["now"]))
        return ROWS * n

    program()
    return program


def contestants(pgx: Pgx | None) -> Iterator[Contestant]:
    """Yield everybody who can take part here."""
    yield Contestant(SINGLE, aec(OURS))
    if find_spec("pygame") is not None:
        yield Contestant(PETTINGZOO, aec(THEIRS))
        yield Contestant(f"{PETTINGZOO}, bare", aec(THEIRS, "raw_env"))
    yield Contestant("connectlab gymnasium", single)
    if find_spec("pyspiel") is not None:
        yield Contestant("OpenSpiel, state by state", open_spiel)
        yield Contestant("OpenSpiel, bots in C++, nothing seen", open_spiel_bots)
    yield Contestant("Gymnasium SyncVectorEnv of ours, 64", vector(64, sync=True))
    for n in BATCHES:
        yield Contestant(f"{VECTOR}, {n}", vector(n))
    yield Contestant("connectlab vector against random, 4096", vector(4096, opponent="random"))
    if pgx is not None:
        for n in PGX_BATCHES:
            yield Contestant(f"Pgx, {n}", pgx.batch(n))


def judge(found: Sequence[Contestant]) -> list[str]:
    """Return what falls short of what we promise."""
    best = {contestant.name: contestant.best for contestant in found}
    ours = max(rate for name, rate in best.items() if name.startswith(f"{VECTOR}, "))
    short = []
    if PETTINGZOO in best and best[SINGLE] < TIMES_PETTINGZOO * best[PETTINGZOO]:
        short.append(f"{SINGLE} should be {TIMES_PETTINGZOO:.0f} times as fast as PettingZoo's")
    if ours < LEAST:
        short.append(f"{VECTOR} should reach {LEAST:,.0f} steps/s")
    short += [
        f"{VECTOR} should be ahead of {name}"
        for name, rate in best.items()
        if not name.startswith("connectlab") and rate >= ours
    ]
    return short


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=2, help="how often everybody plays")
    parser.add_argument("--seconds", type=float, default=0.3, help="time of each in a round")
    parser.add_argument("--pgx-python", help="an interpreter that has pgx and jax")
    parser.add_argument("--pgx-worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    if options.pgx_worker:
        serve_pgx()
        return 0
    python = options.pgx_python or (sys.executable if find_spec("pgx") else None)
    pgx = None if python is None else Pgx(python)
    playing = list(contestants(pgx))
    for number in range(options.rounds + 1):
        for contestant in playing:
            rate = contestant.run(options.seconds if number else 0.05)
            if number:  # the first round only loads and compiles
                contestant.rates.append(rate)
    if pgx is not None:
        pgx.close()
    print(f"{'random play, one core':<44}{'steps/s':>14}")
    for contestant in playing:
        print(f"{contestant.name:<44}{contestant.best:>14,.0f}")
    short = judge(playing)
    for line in short:
        print(line, file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())

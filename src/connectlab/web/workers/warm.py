"""What the process is told to do from which all workers are forked: load everything, once.

Importing this module *is* the warming: the forkserver of multiprocessing can do nothing else than
import. It happens before the first fork, in a process with a single thread, so a worker has
kernels, opening book and champion in memory the moment it is born, and shares them with the others.

A kernel that is not in the cache yet is compiled here, which can take a minute or two. A helper
loads the same things from the other end meanwhile, and what either has compiled the other finds in
the cache: with two cores a first start takes half as long.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

# Ctrl-C in a terminal reaches every process of the group; the server ends the others by itself.
signal.signal(signal.SIGINT, signal.SIG_IGN)

WATCH_S = 0.25


def _end_with_parent() -> None:
    """End when the parent is gone: nobody needs what is compiled here any more.

    A thread that watches is not to be had here, where workers are forked.
    """
    parent = os.getppid()

    def look(_number: int, _frame: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, WATCH_S, WATCH_S)


_end_with_parent()

# Threads of a library would be lost, with whatever they hold, by a fork.
for _library in ("OPENBLAS", "OMP", "MKL", "NUMEXPR"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

from connectlab.agents.registry import make_agent  # noqa: E402
from connectlab.errors import UserError  # noqa: E402
from connectlab.game import STANDARD, Position  # noqa: E402
from connectlab.lab.seats import ask_analysis, ask_move  # noqa: E402
from connectlab.lab.verdicts import ask_solver  # noqa: E402
from connectlab.web.questions import (  # noqa: E402, F401
    contents,
    games,
    players,
    pupils,
    solver,
    table,
    tuples,
)
from connectlab.web.questions.keeping import solver_of  # noqa: E402

PLAYERS = (
    "ntuple:champion",
    "ntuple:champion,depth=2",
    "minimax",
    "negamax",
    "mcts:iterations=50",
    "mcts:iterations=50,value=ntuple:champion",
    "perfect",
    "mlp:best",
    "qtable:cheng-known",
    "dqn:best",
    "random",
    "extend",
    "allis",
)
"""Players whose kernels are loaded; one that is missing in this build is passed over.

The one with the most to compile stands last, where the helper begins.
"""
POSITION = Position.from_moves("44")


def warm(specs: Iterable[str]) -> None:
    """Ask some players and the solver once."""
    for spec in specs:
        with suppress(UserError):
            agent = make_agent(spec, STANDARD)
            ask_move(agent, POSITION, 0)
            ask_analysis(agent, POSITION, 0)
    ask_solver(solver_of(STANDARD), POSITION)


@contextmanager
def _helped() -> Iterator[None]:
    """Let another process warm up from the last player to the first, as long as that helps."""
    helper = os.fork()
    if helper == 0:
        try:
            _end_with_parent()
            warm(reversed(PLAYERS))
        finally:
            os._exit(0)
    try:
        yield
    finally:
        os.kill(helper, signal.SIGKILL)
        os.waitpid(helper, 0)


with _helped():
    warm(PLAYERS)
signal.setitimer(signal.ITIMER_REAL, 0)
signal.signal(signal.SIGALRM, signal.SIG_DFL)

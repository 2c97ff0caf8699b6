"""What the process is told to do from which all workers are forked: load everything, once.

Importing this module *is* the warming: the forkserver of multiprocessing can do nothing else than
import. It happens before the first fork, in a process with a single thread, so a worker has
kernels, opening book and champion in memory the moment it is born, and shares them with the others.

A kernel that is not in the cache yet is compiled here, which can take a minute or two.
"""

import os
import signal

# Ctrl-C in a terminal reaches every process of the group; the server ends the others by itself.
signal.signal(signal.SIGINT, signal.SIG_IGN)

PARENT = os.getppid()
WATCH_S = 0.25


def _end_with_server(_number: int, _frame: object) -> None:
    """End when the server is gone: nobody needs what is compiled here any more."""
    if os.getppid() != PARENT:
        os._exit(1)


# A thread that watches is not to be had here, where workers are forked.
signal.signal(signal.SIGALRM, _end_with_server)
signal.setitimer(signal.ITIMER_REAL, WATCH_S, WATCH_S)

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
    "allis",
    "mlp:best",
    "qtable:cheng-known",
    "dqn:best",
    "random",
    "extend",
)
"""Players whose kernels are loaded; one that is missing in this build is passed over."""
POSITION = Position.from_moves("44")


def warm() -> None:
    """Ask every player and the solver once."""
    for spec in PLAYERS:
        try:
            agent = make_agent(spec, STANDARD)
            ask_move(agent, POSITION, 0)
            ask_analysis(agent, POSITION, 0)
        except UserError:
            continue
    ask_solver(solver_of(STANDARD), POSITION)


warm()
signal.setitimer(signal.ITIMER_REAL, 0)
signal.signal(signal.SIGALRM, signal.SIG_DFL)

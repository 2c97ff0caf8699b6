"""What a worker keeps between two questions, because the next one is likely to need it."""

from collections import OrderedDict

from connectlab.agents.perfect import PerfectAgent, shared_solver
from connectlab.game import Geometry
from connectlab.lab.table import TABLE_MB
from connectlab.solver import Solver

KEPT = 2
"""Solvers whose tables are kept, those asked last: some 64 MB each."""

_solvers: OrderedDict[tuple[Geometry, int], Solver] = OrderedDict()


def solver_of(geometry: Geometry) -> Solver:
    """Return the solver of a board, with what it learned from earlier questions."""
    solver = shared_solver(geometry, TABLE_MB)
    _keep(geometry, TABLE_MB, solver)
    return solver


def keep(agent: object) -> None:
    """Hold what makes a player quick when it is asked again."""
    if isinstance(agent, PerfectAgent):
        _keep(agent.geometry.plain, agent.settings.table_mb, agent.solver)


def _keep(geometry: Geometry, table_mb: int, solver: Solver) -> None:
    _solvers[geometry, table_mb] = solver
    _solvers.move_to_end((geometry, table_mb))
    while len(_solvers) > KEPT:
        _solvers.popitem(last=False)

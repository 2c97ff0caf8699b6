"""Perfect play: exact scores of positions and best moves."""

from connectlab.solver.book import Book
from connectlab.solver.moves import ILLEGAL
from connectlab.solver.solver import (
    Objective,
    Progress,
    Solution,
    Solutions,
    Solver,
    SolverError,
    distance_of,
)

__all__ = [
    "ILLEGAL",
    "Book",
    "Objective",
    "Progress",
    "Solution",
    "Solutions",
    "Solver",
    "SolverError",
    "distance_of",
]

"""Perfect play: exact scores of positions and best moves."""

from connectlab.solver.book import Book
from connectlab.solver.moves import ILLEGAL
from connectlab.solver.solver import (
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
    "Progress",
    "Solution",
    "Solutions",
    "Solver",
    "SolverError",
    "distance_of",
]

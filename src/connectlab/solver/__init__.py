"""Perfect play: exact scores of positions and best moves."""

from connectlab.solver.book import Book
from connectlab.solver.moves import ILLEGAL
from connectlab.solver.solver import Solution, Solutions, Solver, SolverError, distance_of

__all__ = ["ILLEGAL", "Book", "Solution", "Solutions", "Solver", "SolverError", "distance_of"]

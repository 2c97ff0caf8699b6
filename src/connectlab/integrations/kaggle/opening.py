"""What a perfect player takes along for the opening: a book, and the scores of the first moves."""

import numpy as np
from numpy.typing import NDArray

from connectlab.game import PositionBatch
from connectlab.solver import Solver
from connectlab.solver.book import RECORD, TOP_BIT, Book
from connectlab.solver.moves import spread_children

OPENING_STONES = 3
"""Positions of up to so many stones have their scores in the file; beyond, a search is quick."""

Arrays = dict[str, NDArray[np.generic]]


def book_arrays(book: Book) -> Arrays:
    """Return the book as the runtime reads it: steps between keys by bytes, [4, n], and scores."""
    records = book.arrays.records.view(RECORD)
    keys = records["key"].astype(np.uint32) ^ TOP_BIT
    steps = np.diff(keys, prepend=np.uint32(0)).astype("<u4")
    planes = np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 4).T)
    return {
        "book_steps": planes,
        "book_scores": book.arrays.scores[records["value"].view(np.uint8)],
    }


def opening_arrays(solver: Solver) -> Arrays:
    """Return the keys and exact scores of all positions with 1 to ``OPENING_STONES`` stones."""
    geometry = solver.geometry
    batch = PositionBatch.start(1, geometry=geometry)
    keys, scores = [], []
    for _ in range(OPENING_STONES):
        _, _, (mover, occupied) = spread_children(batch.mover, batch.occupied, geometry.shape)
        key, first = np.unique(mover + occupied + geometry.shape.bottom, return_index=True)
        mover, occupied = mover[first], occupied[first]
        keys.append(key)
        scores.append(solver.solve_many((mover, occupied)).scores)
        batch = PositionBatch(geometry, mover, occupied, np.zeros_like(mover))
    return {"keys": np.concatenate(keys), "scores": np.concatenate(scores)}

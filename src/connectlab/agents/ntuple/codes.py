"""Weights in a byte each: a code book of 256 values, chosen to fit the weights of a network best.

A network that plays adds up 140 weights, so it does not matter much where each one lies exactly.
The book is that of Lloyd (1982), "Least Squares Quantization in PCM": every weight takes the
nearest value, every value is the mean of the weights that take it, over and over. Value 0 is the
first of the book: many weights of a large network were never touched, and stay what they are.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Codes = NDArray[np.uint8]

BOOK_SIZE = 256
ROUNDS = 100
"""Rounds of Lloyd's algorithm; the error changes by less than a thousandth after half of them."""


def encode(weights: Floats) -> tuple[Codes, Floats]:
    """Return the code of each weight, and the book float32[256] that they refer to.

    Weights are numbers that float16 can hold, and are first rounded to it.
    """
    values, counts = np.unique(weights.astype(np.float16).astype(np.float64), return_counts=True)
    touched = values != 0
    book = np.zeros(BOOK_SIZE)
    if touched.any():
        chosen = _fit(values[touched], counts[touched], BOOK_SIZE - 1)
        book[1 : 1 + len(chosen)] = chosen
    rounded = book.astype(np.float32)
    order = np.argsort(rounded, kind="stable")
    borders = (rounded[order][1:] + rounded[order][:-1]) / 2
    nearest = order[np.searchsorted(borders, weights, side="left")]
    return np.where(weights == 0, 0, nearest).astype(np.uint8), rounded


def decode(codes: Codes, book: Floats) -> Floats:
    """Return the weights that the codes stand for."""
    return book[codes]


def _fit(values: NDArray[np.float64], counts: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Return at most ``size`` values, rising, that stand for sorted ones so often met.

    Begins with as many values where the density is d as the cube root of d asks for, which is best
    for a great many of them (Panter and Dite 1951).
    """
    if len(values) <= size:
        return values
    gaps = np.gradient(values)
    room = np.cumsum(np.cbrt(counts / gaps) * gaps)
    wanted = (np.arange(size) + 0.5) / size * room[-1]
    chosen = np.unique(values[np.searchsorted(room, wanted)])
    for _ in range(ROUNDS):
        nearest = np.searchsorted((chosen[1:] + chosen[:-1]) / 2, values)
        first = np.flatnonzero(np.diff(nearest, prepend=-1))
        chosen = np.add.reduceat(values * counts, first) / np.add.reduceat(counts, first)
    return chosen

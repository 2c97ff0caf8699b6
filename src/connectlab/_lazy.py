"""Packages whose names are imported when they are first used.

``import connectlab.agents`` must cost nothing: settings are read, listed and checked without Numba.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package: ``names`` maps each of its names to a module."""

    def load(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found: object = getattr(import_module(names[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return load

"""What this environment is made of: pinned packages, and the package of Kaggle itself."""

import re
from importlib.metadata import distributions, version
from pathlib import Path

from real import connectx, environment

from connectlab.game import STANDARD

ROOT = Path(__file__).parents[2]
UNPINNED = {"connectlab", "pip", "setuptools"}
"""Ourselves, and what a new environment comes with."""


def pins() -> dict[str, str]:
    found = {}
    for name in ("constraints.txt", "constraints-kaggle.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                package, _, pinned = line.partition("==")
                found[canonical(package)] = pinned
    return found


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_everything_installed_is_pinned_exactly() -> None:
    installed = {canonical(found.name): found.version for found in distributions()}
    assert len(installed) > 20
    others = {name: found for name, found in installed.items() if name not in UNPINNED}
    assert {name: pins().get(name) for name in others} == others


def test_it_is_the_real_connectx() -> None:
    assert version("kaggle-environments") == pins()["kaggle-environments"]
    assert "site-packages" in connectx.__file__
    real = environment(STANDARD)
    assert (real.name, real.version) == ("connectx", "1.0.1")
    assert real.interpreter is connectx.interpreter

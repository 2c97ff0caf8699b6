"""All experiments by name."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module

from connectlab.agents.spec import suggest
from connectlab.errors import UserError
from connectlab.lab.papers.experiment import Experiment

PAPERS = ("learners", "thill", "konen", "cheng", "fausser", "dangel")
"""Modules of this folder; each has its ``EXPERIMENTS``."""


@cache
def experiments() -> dict[str, Experiment]:
    """Return every experiment, paper by paper."""
    found: list[Experiment] = []
    for paper in PAPERS:
        module = import_module(f"connectlab.lab.papers.{paper}")
        found += module.EXPERIMENTS
    return {each.name: each for each in found}


def find_experiments(names: Sequence[str]) -> list[Experiment]:
    """Return the experiments of these names; an unknown name gets a suggestion."""
    known = experiments()
    for name in names:
        if name not in known:
            raise UserError(f"there is no experiment {name!r}{suggest(name, list(known))}")
    return [known[name] for name in dict.fromkeys(names)]

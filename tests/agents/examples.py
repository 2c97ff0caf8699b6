"""Which player a conformance test builds for each registered name."""

from connectlab.agents import Agent, make_agent, registered
from connectlab.game import STANDARD, Geometry

SPECS: dict[str, str] = {}
"""Spec strings for names that need more than the name, such as a path or a quick setting."""

NAMES = sorted(registered())


def example(name: str, geometry: Geometry = STANDARD) -> Agent:
    return make_agent(SPECS.get(name, name), geometry)

"""What a player costs: the time of a move, and the memory of a process that plays with it."""

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from connectlab.agents import Agent, make_agent
from connectlab.game import Geometry, Position
from connectlab.training.signals import born_deaf, end_with_parent

MOST_SECONDS = 3.0
"""Where measuring the time of a move ends, after at least one move."""
WARM_UP = 2
"""Moves before the first that counts: kernels are loaded, tables are found."""
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Cost:
    """Time and memory of a player."""

    move_ms: float
    """Milliseconds of a move, asked for one position at a time: the median."""
    move_ms_range: tuple[float, float]
    """Where nine of ten moves lie: the quantiles 0.05 and 0.95."""
    moves: int
    """Moves that were timed."""
    memory_mb: float | None
    """Megabytes (2^20 bytes) that a process which plays with it alone held at most.

    None where the system cannot say. Programs that the player starts are not counted.
    """

    def to_json(self) -> dict[str, object]:
        """Return the cost as plain data."""
        return {
            "move_ms": self.move_ms,
            "move_ms_range": list(self.move_ms_range),
            "moves_timed": self.moves,
            "memory_mb": self.memory_mb,
        }


def measure_cost(agent: Agent, positions: Sequence[Position]) -> Cost:
    """Let a player choose in these positions one by one, here and in a process of its own."""
    times = _time_moves(agent, positions)
    low, middle, high = np.quantile(times, [0.05, 0.5, 0.95]) * 1000
    memory = _memory_elsewhere(agent.spec, agent.geometry, positions[: WARM_UP + 1])
    return Cost(float(middle), (float(low), float(high)), len(times), memory)


def _time_moves(agent: Agent, positions: Sequence[Position]) -> list[float]:
    for position in positions[:WARM_UP]:
        agent.choose_one(position)
    times: list[float] = []
    for number, position in enumerate(positions[WARM_UP:] or positions):
        began = time.perf_counter()
        agent.choose_one(position, stream=number)
        times.append(time.perf_counter() - began)
        if sum(times) > MOST_SECONDS:
            break
    return times


def _memory_elsewhere(spec: str, geometry: Geometry, positions: Sequence[Position]) -> float | None:
    """Ask a new process, in which nothing else was ever loaded."""
    with ProcessPoolExecutor(1, get_context("spawn"), end_with_parent) as pool:
        with born_deaf():
            future = pool.submit(peak_memory, spec, geometry, positions)
        return future.result()


def peak_memory(spec: str, geometry: Geometry, positions: Sequence[Position]) -> float | None:
    """Make a player, let it move in each position; return the most MB this process ever held."""
    agent = make_agent(spec, geometry)
    for position in positions:
        agent.choose_one(position)
    return _peak_of_this_process()


def _peak_of_this_process() -> float | None:
    if STATUS.exists():  # Linux: ru_maxrss would count the process that started this one
        (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024

"""The same seed gives the same weights in a process that compiles kernels and in one that loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LEARN = """
import hashlib
from typing import get_args
from connectlab.agents.ntuple.config import NTupleConfig, Rule
from connectlab.agents.ntuple.training import NTupleLearner

for rule in get_args(Rule):
    for trace_lambda in (0.0, 0.8):
        settings = {"rule": rule, "trace_lambda": trace_lambda, "games": 60, "seed": 5}
        if rule.startswith("tcl"):
            settings |= {"alpha": 0.1, "beta": 2.7}
        learner = NTupleLearner(NTupleConfig.model_validate({"tuples": 12, **settings}))
        while learner.games_done < 60:
            learner.step()
        weights = hashlib.sha256(learner.network.weights.tobytes()).hexdigest()
        print(rule, trace_lambda, weights)
"""


def learned(cache: Path) -> list[str]:
    """Learn with every rule in a process of its own."""
    env = {**os.environ, "CONNECTLAB_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", LEARN], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_process_that_compiles_learns_what_one_that_loads_does(tmp_path: Path) -> None:
    cold, warm = learned(tmp_path), learned(tmp_path)
    assert len(cold) == 24
    assert cold == warm

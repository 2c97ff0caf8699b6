"""Step-size rules on small cases that can be worked out by hand, and what they promise."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from connectlab.agents.ntuple import step_sizes
from connectlab.agents.ntuple.config import NTupleConfig, Rule
from connectlab.agents.ntuple.kernels import make_views
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.step_sizes import LOWEST, RULES, compute, limit
from connectlab.agents.ntuple.traces import Trace, make_trace
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.game import Geometry
from connectlab.training.learner import LearnerError

PARAMETERS = {"beta": 2.7, "theta": 1.0, "mu": 0.1}


def trace_of(eligibilities: list[float]) -> Trace:
    layout = Layout(Geometry(4, 4, 3), (((0, 0), (0, 1)),), 4, True)
    trace = make_trace(make_views(layout, 1), 1, 16, np.zeros(1, dtype=np.float32))
    trace.used[0] = len(eligibilities)
    trace.e[: len(eligibilities)] = eligibilities
    trace.gradient[: len(eligibilities)] = eligibilities
    return trace


def changes(
    rule: str, trace: Trace, alpha: float, delta: float, pull: float = 0.0
) -> NDArray[np.float32]:
    described = RULES[rule]
    parameter = PARAMETERS[described.parameter] if described.parameter else 0.0
    compute(described.code, trace, alpha, delta, pull, parameter)
    return trace.change[: trace.used[0]].copy()


@pytest.mark.parametrize("rule", [name for name in RULES if name not in ("autostep", "elk1")])
def test_a_first_step_is_alpha_times_delta_times_eligibility(rule: str) -> None:
    found = changes(rule, trace_of([1.0, 0.5]), 0.1, 0.4)
    assert found == pytest.approx([0.04, 0.02], rel=1e-5)


@pytest.mark.parametrize(
    ("rule", "second", "share"),
    [
        ("tcl", -0.5, 1 / 3),
        ("tcl-exp", -0.5, math.exp(2.7 * (1 / 3 - 1))),
        ("tcl-linear", -0.1, 1 + 2.7 * (0.9 / 1.1 - 1)),
        ("tcl-linear", -0.5, math.exp(-2.7)),
        ("tcl-linear", 0.5, 1.0),
    ],
)
def test_coherence_follows_its_transfer_functions(rule: str, second: float, share: float) -> None:
    """Changes of 1 and -0.5 leave |N| / A = 1/3, for example."""
    trace = trace_of([1.0])
    changes(rule, trace, 0.1, 1.0)
    changes(rule, trace, 0.1, second)
    assert trace.numbers[0] == pytest.approx(1 + second)
    assert trace.numbers[1] == pytest.approx(1 + abs(second))
    assert changes(rule, trace, 0.1, 1.0)[0] == pytest.approx(0.1 * share, rel=1e-5)


@given(st.floats(-8, 0))
def test_the_fast_exponential_is_as_exact_as_it_says(z: float) -> None:
    found, expected = step_sizes.exp(np.float32(z)), math.exp(np.float32(z))
    assert abs(found - expected) < min(2e-6, 2e-5 * expected)


@pytest.mark.parametrize("rule", ["idbd", "autostep", "elk1"])
def test_agreeing_steps_grow_and_contradicting_steps_shrink(rule: str) -> None:
    agreeing, contradicting = trace_of([1.0]), trace_of([1.0])
    for step in range(20):
        changes(rule, agreeing, 0.01, 0.5)
        changes(rule, contradicting, 0.01, 0.5 if step % 2 else -0.5)
    assert agreeing.numbers[0] > 0 > contradicting.numbers[0]


def test_idbd_takes_its_second_step_as_published() -> None:
    trace = trace_of([1.0])
    changes("idbd", trace, 0.1, 1.0)
    assert trace.numbers[1] == pytest.approx(0.1)
    step = 0.1 * math.exp(0.5 * 0.1)
    assert changes("idbd", trace, 0.1, 0.5)[0] == pytest.approx(step * 0.5, rel=1e-5)
    assert trace.numbers[1] == pytest.approx(0.1 * (1 - step) + step * 0.5, rel=1e-5)


def test_idbd_lets_a_weight_that_is_not_active_now_keep_its_trace_of_changes() -> None:
    trace = trace_of([1.0, 0.8])
    trace.gradient[1] = 0.0
    trace.numbers[1:4:2] = 0.1
    found = changes("idbd", trace, 0.1, 0.5)
    steps = 0.1 * np.exp(0.5 * np.array([1.0, 0.8]) * 0.1)
    assert found == pytest.approx(steps * 0.5 * np.array([1.0, 0.8]), rel=1e-5)
    kept = [0.1 * (1 - steps[0]), 0.1]
    assert trace.numbers[1:4:2] == pytest.approx(np.array(kept) + found, rel=1e-5)


@pytest.mark.parametrize("rule", ["idbd", "autostep", "elk1"])
def test_step_sizes_never_fall_below_their_lowest(rule: str) -> None:
    """Sutton 1992 stops ln(alpha_i) at -10, so that a step size can grow again."""
    trace = trace_of([1.0])
    parameter = 1.0 if rule == "autostep" else 10.0
    lowest = 0.0
    for _ in range(30):
        trace.numbers[1] = -1.0  # the changes before this one went the other way
        compute(RULES[rule].code, trace, 0.01, 0.5, 0.0, parameter)
        lowest = min(lowest, float(trace.numbers[0]))
    assert lowest == LOWEST == -10.0


def test_elk1_divides_by_the_variance_of_the_prediction() -> None:
    found = changes("elk1", trace_of([1.0, 0.5]), 0.2, 0.3)
    total = 1 + 0.2 * (1 + 0.25)
    assert found == pytest.approx([0.2 * 0.3 / total, 0.2 * 0.5 * 0.3 / total], rel=1e-5)


def test_autostep_keeps_what_it_divided_by() -> None:
    trace = trace_of([1.0] * 10)
    assert changes("autostep", trace, 0.5, 1.0) == pytest.approx([0.1] * 10, rel=1e-5)
    assert trace.numbers[:20:2] == pytest.approx([math.log(0.2)] * 10, rel=1e-4)


@pytest.mark.parametrize("rule", ["autostep", "elk1"])
@given(
    e=st.lists(st.floats(0.01, 2), min_size=1, max_size=30),
    deltas=st.lists(st.floats(-2, 2), min_size=1, max_size=8),
    alpha=st.floats(0.001, 10),
)
def test_no_step_goes_beyond_its_target(
    rule: str, e: list[float], deltas: list[float], alpha: float
) -> None:
    trace = trace_of(e)
    for delta in deltas:
        moved = float(changes(rule, trace, alpha, delta) @ trace.e[: len(e)])
        assert abs(moved) <= abs(delta) * 1.0001
        assert moved * delta >= 0


def test_alpha_bounds_takes_the_least_bound_seen_and_keeps_it() -> None:
    trace = trace_of([1.0])
    assert changes("alpha-bounds", trace, 1.0, 1.0, pull=-3.0)[0] == 1.0
    assert changes("alpha-bounds", trace, 1.0, 1.0, pull=4.0)[0] == pytest.approx(0.25)
    assert changes("alpha-bounds", trace, 1.0, 1.0, pull=2.0)[0] == pytest.approx(0.25)
    assert changes("alpha-bounds", trace, 0.1, 1.0, pull=2.0)[0] == pytest.approx(0.1)


@given(
    e=st.lists(st.floats(0, 2), min_size=1, max_size=30),
    delta=st.floats(-2, 2),
    alpha=st.floats(0.001, 10),
)
def test_a_limited_step_goes_at_most_all_the_way(
    e: list[float], delta: float, alpha: float
) -> None:
    trace = trace_of(e)
    free = changes("fixed", trace, alpha, delta)
    limit(trace, delta)
    limited = trace.change[: len(e)]
    moved = float(limited @ trace.e[: len(e)])
    assert abs(moved) <= abs(delta) * 1.0001
    if abs(float(free @ trace.e[: len(e)])) <= 0.999 * abs(delta):
        assert np.array_equal(free, limited)


def test_rules_name_settings_that_exist() -> None:
    for rule in RULES.values():
        assert rule.parameter is None or rule.parameter in NTupleConfig.model_fields
    assert tuple(RULES) == get_args(Rule)
    documented = NTupleConfig.model_fields["rule"].description or ""
    assert all(name in documented for name in RULES)


def test_an_unknown_rule_is_refused_with_all_names() -> None:
    with pytest.raises(ValidationError, match=r"should be 'fixed', 'tcl'.* or 'alpha-bounds'"):
        NTupleConfig.model_validate({"rule": "adam"})


BREAKING = {
    "creation": "walk",
    "rule": "tcl-exp",
    "alpha": 0.5,
    "tuples": 70,
    "games": 20_000,
}


def test_values_stuck_in_the_flat_of_tanh_stop_the_run() -> None:
    with pytest.raises(LearnerError, match=r"exploded in game .* stuck at -1 or 1.*bounded=true"):
        NTupleLearner(NTupleConfig.model_validate(BREAKING)).learn(20_000)


def test_bounded_steps_keep_the_same_run_out_of_the_flat_of_tanh() -> None:
    learner = NTupleLearner(NTupleConfig.model_validate({**BREAKING, "bounded": True}))
    learner.learn(3_000)
    assert learner.games_done == 3_000
    assert np.abs(learner.network.weights).max() < 1.0


@pytest.mark.parametrize("side", [-1, 1])
def test_values_stuck_at_either_end_stop_the_run(side: int) -> None:
    """Totals of plus or minus 140 are as flat on the one side as on the other."""
    config = NTupleConfig.model_validate({"creation": "walk", "games": 10_000})
    learner = NTupleLearner(config)
    learner.network.weights[:] = side
    with pytest.raises(LearnerError, match="stuck at -1 or 1"):
        learner.learn(1_000)


def test_positions_that_are_stuck_are_counted_over_many_short_steps() -> None:
    learner = NTupleLearner(NTupleConfig.model_validate({"creation": "walk", "games": 10_000}))
    learner.network.weights[:] = 1
    with pytest.raises(LearnerError, match="stuck at -1 or 1"):
        while learner.games_done < 1_000:
            learner.learn(10)

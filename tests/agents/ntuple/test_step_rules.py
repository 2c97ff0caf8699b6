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
from connectlab.agents.ntuple.direct import make_row, move_coherently
from connectlab.agents.ntuple.kernels import make_views
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.meta_steps import LOWEST
from connectlab.agents.ntuple.step_sizes import RULES, compute, limit
from connectlab.agents.ntuple.traces import Trace, make_trace
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.game import Geometry
from connectlab.training.learner import LearnerError

FORMS_OF_IDBD = ["idbd", "nl-idbd", "idbd-mse"]
PARAMETERS = {"beta": 2.7, "theta": 1.0, "mu": 0.1}


def trace_of(eligibilities: list[float]) -> Trace:
    layout = Layout(Geometry(4, 4, 3), (((0, 0), (0, 1)),), 4, True)
    trace = make_trace(make_views(layout, 1), 1, 16, np.zeros(1, dtype=np.float32))
    trace.used[0] = len(eligibilities)
    trace.e[: len(eligibilities)] = eligibilities
    trace.gradient[: len(eligibilities)] = eligibilities
    return trace


def changes(
    rule: str, trace: Trace, alpha: float, delta: float, pull: float = 0.0, value: float = 0.0
) -> NDArray[np.float32]:
    described = RULES[rule]
    parameter = PARAMETERS[described.parameter] if described.parameter else 0.0
    compute(described.code, trace, alpha, delta, pull, value, False, parameter)
    return trace.change[: trace.used[0]].copy()


@pytest.mark.parametrize(
    "rule", [name for name in RULES if name not in ("autostep", "k1", "elk1", "rprop")]
)
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


LINEAR = [
    (beta, x)
    for beta in (0.0, 0.5, 1.0, 2.7, 8.0)
    for x in (0.0, 0.25, 0.5, 0.6, 0.625, 0.75, 0.9, 1.0)
]


def piecewise_linear(x: float, beta: float) -> float:
    """g of the authors' framework, the tangent of exp(beta (x - 1)) at 1 and the same least."""
    return max(math.exp(-beta), 1 + beta * (x - 1))


@pytest.mark.parametrize(("beta", "x"), LINEAR)
def test_piecewise_linear_coherence_is_the_one_of_the_framework(beta: float, x: float) -> None:
    trace = trace_of([1.0])
    trace.numbers[:2] = [x, 1.0]
    compute(RULES["tcl-linear"].code, trace, 0.1, -1.0, 0.0, 0.0, False, beta)
    assert trace.change[0] == pytest.approx(-0.1 * piecewise_linear(x, beta), rel=3e-5, abs=1e-8)


@pytest.mark.parametrize(("beta", "x"), LINEAR)
def test_piecewise_linear_coherence_is_the_same_without_traces(beta: float, x: float) -> None:
    """Where nothing lasts, weights are moved by a kernel of their own."""
    weights, words = np.zeros(4, dtype=np.float32), np.zeros(4, dtype=np.uint64)
    words.view(np.float32)[4:6] = [-x, 1.0]
    index = np.array([2], dtype=np.uint32)
    code = RULES["tcl-linear"].code
    move_coherently(code, weights, words, 0, index, False, 1.0, 0.1, -1.0, beta, make_row(1))
    assert weights[2] == pytest.approx(-0.1 * piecewise_linear(x, beta), rel=3e-5, abs=1e-8)
    assert np.flatnonzero(weights).tolist() == [2]


@given(st.floats(-8, 0))
def test_the_fast_exponential_is_as_exact_as_it_says(z: float) -> None:
    found, expected = step_sizes.exp(np.float32(z)), math.exp(np.float32(z))
    assert abs(found - expected) < min(2e-6, 2e-5 * expected)


@pytest.mark.parametrize("rule", [*FORMS_OF_IDBD, "autostep", "k1", "elk1", "rprop"])
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


def sink(rule: str, trace: Trace, alpha: float, steps: int = 60) -> None:
    """Let the step size of the only weight fall as far as it goes."""
    parameter = 1.0 if rule == "autostep" else 10.0
    for _ in range(steps):
        trace.numbers[1] = -1.0  # the changes before this one went the other way
        compute(RULES[rule].code, trace, alpha, 0.5, 0.0, 0.0, False, parameter)


@pytest.mark.parametrize("alpha", [1.0, 0.01, 1e-4])
@pytest.mark.parametrize("rule", [*FORMS_OF_IDBD, "autostep", "k1", "elk1"])
def test_step_sizes_never_fall_below_their_lowest(rule: str, alpha: float) -> None:
    """Sutton 1992 stops ln(alpha_i) at -10, so that a step size can grow again."""
    trace = trace_of([1.0])
    sink(rule, trace, alpha)
    assert math.log(alpha) + trace.numbers[0] == pytest.approx(LOWEST, abs=1e-5)
    assert LOWEST == -10.0


@pytest.mark.parametrize("rule", [*FORMS_OF_IDBD, "autostep", "k1", "elk1"])
def test_the_lowest_step_size_is_the_same_whatever_alpha_is_now(rule: str) -> None:
    """A schedule that lowers alpha does not lower a step size at its bound any more."""
    trace = trace_of([1.0])
    sink(rule, trace, 0.1)
    assert trace.change[0] == pytest.approx(0.5 * math.exp(-10), rel=1e-3)
    sink(rule, trace, 0.001, steps=2)
    assert trace.change[0] == pytest.approx(0.5 * math.exp(-10), rel=1e-3)


@pytest.mark.parametrize("rule", RULES)
def test_without_a_step_size_nothing_moves(rule: str) -> None:
    trace = trace_of([1.0, 0.5])
    for delta in (1.0, -0.5, 0.5):
        assert changes(rule, trace, 0.0, delta, value=0.3).tolist() == [0.0, 0.0]
    assert np.isfinite(trace.numbers[:4]).all()


# IDBD for a unit that is not linear: h and the change of b against derivatives taken numerically


def cross_entropy(target: float, value: float) -> float:
    """Return the cross entropy of chances (1 + T) / 2 and (1 + V) / 2."""
    t, p = (1 + target) / 2, (1 + value) / 2
    return -t * math.log(p) - (1 - t) * math.log(1 - p)


def squared_error(target: float, value: float) -> float:
    return (target - value) ** 2 / 2


ERRORS = {"nl-idbd": cross_entropy, "idbd-mse": squared_error}
LESSONS = [(1.0, 0.9), (2.0, -0.6), (1.0, 0.2), (1.0, -0.8), (2.0, 0.7)]
"""Input and target of one weight, one after the other."""


def weight_after(rule: str, beta: float, lessons: list[tuple[float, float]]) -> float:
    """Return the weight that gradient descent on the rule's error, done numerically, ends with."""
    w, tiny = 0.4, 1e-6
    for x, target in lessons:
        up, down = (ERRORS[rule](target, math.tanh((w + d) * x)) for d in (tiny, -tiny))
        w -= math.exp(beta) * (up - down) / (2 * tiny)
    return w


def slope_in_beta(rule: str, beta: float, lessons: list[tuple[float, float]]) -> float:
    up, down = (weight_after(rule, beta + d, lessons) for d in (1e-3, -1e-3))
    return (up - down) / 2e-3


def learn(rule: str, trace: Trace, w: float, theta: float, lesson: tuple[float, float]) -> float:
    """Let the rule learn with an alpha of 0.05; return its weight afterwards."""
    (x, target), value = lesson, math.tanh(w * lesson[0])
    trace.e[0] = trace.gradient[0] = x if rule == "nl-idbd" else x * (1 - value**2)
    compute(RULES[rule].code, trace, 0.05, target - value, 0.0, value, False, theta)
    return w + float(trace.change[0])


@pytest.mark.parametrize("rule", ERRORS)
def test_h_is_the_derivative_of_the_weight_by_the_logarithm_of_its_step_size(rule: str) -> None:
    w, trace = 0.4, trace_of([0.0])
    for n, lesson in enumerate(LESSONS, start=1):
        w = learn(rule, trace, w, 0.0, lesson)
        assert w == pytest.approx(weight_after(rule, math.log(0.05), LESSONS[:n]), rel=1e-4)
        expected = slope_in_beta(rule, math.log(0.05), LESSONS[:n])
        assert trace.numbers[1] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("rule", ERRORS)
def test_step_sizes_go_down_the_slope_of_the_rules_own_error(rule: str) -> None:
    """b changes by -dE/dbeta, theta 1, for E of the weight that beta led to."""
    beta, trace = math.log(0.05), trace_of([0.0])
    first, second = LESSONS[:2]
    w = learn(rule, trace, 0.4, 1.0, first)
    learn(rule, trace, w, 1.0, second)

    def error(beta: float) -> float:
        return ERRORS[rule](second[1], math.tanh(weight_after(rule, beta, [first]) * second[0]))

    expected = -(error(beta + 1e-3) - error(beta - 1e-3)) / 2e-3
    assert trace.numbers[0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("rule", ["k1", "elk1"])
def test_gains_are_divided_by_the_variance_of_the_prediction(rule: str) -> None:
    found = changes(rule, trace_of([1.0, 0.5]), 0.2, 0.3)
    total = 1 + 0.2 * (1 + 0.25)
    assert found == pytest.approx([0.2 * 0.3 / total, 0.2 * 0.5 * 0.3 / total], rel=1e-5)


def test_autostep_keeps_what_it_divided_by() -> None:
    trace = trace_of([1.0] * 10)
    assert changes("autostep", trace, 0.5, 1.0) == pytest.approx([0.1] * 10, rel=1e-5)
    assert trace.numbers[:20:2] == pytest.approx([math.log(0.2)] * 10, rel=1e-4)


def test_autostep_remembers_no_division_below_the_lowest_step_size() -> None:
    trace = trace_of([1000.0])
    assert changes("autostep", trace, 0.5, 1.0)[0] == pytest.approx(1e-3, rel=1e-5)
    assert math.log(0.5) + trace.numbers[0] == pytest.approx(LOWEST, abs=1e-5)


@pytest.mark.parametrize("rule", ["autostep", "k1", "elk1"])
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


def test_rprop_looks_at_signs_only() -> None:
    """A step grows by 1.2, is halved without a move, and is then taken as it is."""
    trace, alpha = trace_of([1.0, 1e-3, 0.0]), 0.01
    taken = [changes("rprop", trace, alpha, delta) for delta in (0.5, 0.001, 2.0, -0.1, -0.3, -1)]
    steps = [0.01, 0.012, 0.0144, 0.0, -0.0072, -0.00864]
    assert np.array(taken)[:, 0] == pytest.approx(steps, rel=1e-5)
    assert np.array_equal(np.array(taken)[:, 0], np.array(taken)[:, 1])
    assert not np.array(taken)[:, 2].any()


@pytest.mark.parametrize("alpha", [0.01, 0.001])
def test_rprop_keeps_its_steps_within_bounds(alpha: float) -> None:
    growing, shrinking = trace_of([1.0]), trace_of([1.0])
    for _ in range(60):
        largest = changes("rprop", growing, alpha, 1.0)[0]
        shrinking.numbers[1] = -1.0
        assert changes("rprop", shrinking, alpha, 1.0)[0] == 0
    assert largest == pytest.approx(0.1, rel=1e-5)
    assert changes("rprop", shrinking, alpha, 1.0)[0] == pytest.approx(1e-7, rel=1e-4)


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
    with pytest.raises(ValidationError, match=r"should be 'fixed', 'tcl'.* or 'rprop'"):
        NTupleConfig.model_validate({"rule": "adam"})


def preset(rule: str) -> NTupleConfig:
    return NTupleConfig.model_validate(NTupleConfig.presets[f"konen-rules-{rule}"].settings)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_preset_with_the_traces_of_the_framework(rule: str) -> None:
    config = preset(rule)
    assert config.rule == rule
    assert (config.trace_lambda, config.traces) == (0.8, "rr")


@pytest.mark.parametrize(
    ("rule", "beta_init", "theta"),
    [
        ("idbd", -5.0, 3.0),
        ("idbd-mse", -5.0, 2.0),
        ("k1", -4.7, 6.0),
        ("elk1", -4.5, 5.0),
        ("nl-idbd", -3.52 - math.log(4), 3.1),
    ],
)
def test_presets_begin_where_the_framework_does(rule: str, beta_init: float, theta: float) -> None:
    config = preset(rule)
    assert math.log(config.alpha.start) == pytest.approx(beta_init)
    assert config.alpha.start == config.alpha.end
    assert config.theta == theta


def test_nl_idbd_is_that_of_a_logistic_unit_with_four_times_the_step_size() -> None:
    """The framework's unit: y = 1 / (1 + exp(-w x)), Koop's IDBD, targets from 0 to 1."""
    trace, w = trace_of([0.0]), 0.4
    weight, beta, h, theta = 2 * w, math.log(4 * 0.05), 0.0, 3.1
    for x, target in LESSONS:
        w = learn("nl-idbd", trace, w, theta, (x, target))
        y = 1 / (1 + math.exp(-weight * x))
        delta = (1 + target) / 2 - y
        beta += theta * delta * x * h
        change = math.exp(beta) * delta * x
        h = h * max(0.0, 1 - math.exp(beta) * x**2 * y * (1 - y)) + change
        weight += change
        assert w == pytest.approx(weight / 2, rel=1e-4)
    assert trace.numbers[0] == pytest.approx(beta - math.log(4 * 0.05), rel=1e-4)


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


@pytest.mark.parametrize(("rule", "rate"), [("idbd", "theta=1000"), ("autostep", "mu=10")])
def test_advice_against_weights_that_explode_names_what_the_rule_has(rule: str, rate: str) -> None:
    name, _, value = rate.partition("=")
    settings = {**BREAKING, "rule": rule, "output": "linear", name: float(value)}
    with pytest.raises(LearnerError, match=rf"{rate}.*: try a smaller {name} or a smaller alpha"):
        NTupleLearner(NTupleConfig.model_validate(settings)).learn(20_000)


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

"""Konen, Bagheri and Thill 2015: the poster on n-tuple systems, eligibility traces and TCL."""

from connectlab.lab.papers.curves import CurvesExperiment
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.konen_eligibility import EligibilityExperiment
from connectlab.lab.papers.konen_lambda import (
    ALL_KINDS,
    LONG,
    draw_lambda,
    lambda_lines,
    tell_lambda,
)
from connectlab.lab.papers.konen_rules import draw_rules, rule_lines, rule_presets, tell_rules
from connectlab.lab.papers.konen_runs import REWARDED, SIZES, broken_table, core_minutes, settings
from connectlab.lab.papers.konen_traces import (
    LEARNERS,
    TRACES,
    UNTRACED,
    draw_traces,
    tell_traces,
    trace_lines,
)
from connectlab.lab.papers.konen_transfer import TransferExperiment
from connectlab.lab.papers.konen_verdict import lambda_claims, trace_claims

PAPER = "Konen 2015"
SPEED, SPEED_OF_RULES = 20_000, 12_000
"""Games a second of one core, measured: TDL, TCL and TCL-EXP with traces; the mean of all rules."""

EXPERIMENTS: list[Experiment] = [
    CurvesExperiment(
        name="konen-traces",
        paper=PAPER,
        title="TDL, TCL and TCL-EXP with four kinds of eligibility traces",
        published="curves without numbers; in related papers 80 % 2 to 4 times sooner than TDL",
        sizes=SIZES,
        core_minutes=core_minutes(len(LEARNERS) * (len(TRACES) + 1) + len(UNTRACED), SPEED),
        lines=trace_lines,
        settings=settings(
            "Lambda 0.8; plain traces [et], resetting, replacing, and both [rr], the last with the "
            f"{REWARDED} too; TDL and TCL-EXP without traces (lambda 0)"
        ),
        tell=tell_traces,
        pictures=draw_traces,
        tables=broken_table(trace_lines),
        claims=trace_claims,
    ),
    CurvesExperiment(
        name="konen-lambda",
        paper=PAPER,
        title="TCL-EXP from lambda 0 to 0.95 (Figure 1)",
        published="breaks down for lambda of 0.9 and more without replacing and resetting traces",
        sizes=SIZES,
        core_minutes=core_minutes(sum(len(kind.lambdas) for kind in ALL_KINDS), SPEED),
        lines=lambda_lines,
        settings=settings(
            f"TCL-EXP, alpha 0.05, beta 2.7; [et] and [rr], from lambda {LONG[0]:g} on with the "
            f"{REWARDED} too"
        ),
        tell=tell_lambda,
        pictures=draw_lambda,
        tables=broken_table(lambda_lines),
        claims=lambda_claims,
    ),
    TransferExperiment(
        name="konen-transfer",
        paper=PAPER,
        title="Transfer functions of temporal coherence",
        published="a plot of g(x): identity, piecewise linear, exponential",
        sizes={scale: Size() for scale in SIZES},
        core_minutes=dict.fromkeys(SIZES, 0.0),
    ),
    EligibilityExperiment(
        name="konen-eligibility",
        paper=PAPER,
        title="Eligibility of a weight over a game (Figure 3)",
        published="a sketch: isolated points without traces, resets, replaced activations",
        sizes={scale: Size() for scale in SIZES},
        core_minutes=dict.fromkeys(SIZES, 0.0),
    ),
    CurvesExperiment(
        name="konen-rules",
        paper=PAPER,
        title="Step-size rules with their best settings",
        published="curves without numbers; games to 80 % and 90 % are what compares",
        sizes=SIZES,
        core_minutes=core_minutes(len(rule_presets()), SPEED_OF_RULES),
        lines=rule_lines,
        settings=settings("Lambda 0.8 [rr], the framework's rewards; every step-size rule"),
        tell=tell_rules,
        pictures=draw_rules,
        tables=broken_table(rule_lines),
    ),
]

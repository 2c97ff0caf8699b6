"""Every step-size rule of the learner with its best settings, in the settings of the poster."""

from collections.abc import Sequence
from typing import get_args

from connectlab.agents.ntuple.config import FRAMEWORKS_HASTE, Rule
from connectlab.lab.compare import RunGroup
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.konen_runs import SILENT, line
from connectlab.lab.papers.konen_tell import led, tell_failures
from connectlab.lab.papers.lines import Line, time_text
from connectlab.lab.papers.page import Compared, Picture
from connectlab.lab.papers.panels import Panel, draw_panels, draw_times
from connectlab.lab.papers.ranking import overlap_line, span_of_time
from connectlab.lab.papers.sentences import paragraphs

FIXED = "fixed"
RULES_A_PANEL = 4
ON_POSTER = ("fixed", "tcl", "tcl-exp")
LEVELS = {0.8: "#2166ac", 0.9: "#b2182b"}
"""Shares of the success of perfect play, and their colours."""


def rule_presets() -> dict[str, str]:
    """Return the preset of every step-size rule that the learner has, in its order."""
    return {rule: f"konen-rules-{rule}" for rule in get_args(Rule)}


def rule_lines(size: Size) -> Sequence[Line]:
    """Return every step-size rule with its best settings, lambda 0.8 [rr]."""
    return [line(rule, preset, size) for rule, preset in rule_presets().items()]


def draw_rules(curves: Curves) -> Sequence[Picture]:
    """Draw the games to both levels, and the curves, a few rules a panel and fixed in each."""
    others = [rule for rule in rule_presets() if rule != FIXED]
    chunks = [others[i : i + RULES_A_PANEL] for i in range(0, len(others), RULES_A_PANEL)]
    panels = [Panel(", ".join(chunk), [FIXED, *chunk]) for chunk in chunks]
    groups = curves.comparison.groups
    times = draw_times(groups, LEVELS, float(curves.size.games))
    caption = (
        "Games to 80 % and 90 % of perfect play: median over the runs, its 95 % interval from five "
        "runs on, with an arrow where that is open, and how many runs reached it"
    )
    return [
        Picture("times.png", times, caption),
        Picture("curves.png", draw_panels(curves.comparison, panels), curves.caption),
    ]


def tell_rules(curves: Curves) -> Told:
    """Put the games that each rule takes side by side; the poster gives no numbers."""
    groups = curves.comparison.groups
    compared = [_compared_time(group, level) for level in LEVELS for group in groups]
    why = paragraphs(
        tell_failures(curves, rule_lines(curves.size)),
        f"{SILENT} Settings are the best that the authors' framework loads for each rule "
        "(docs/ntuple.md lists them; it tells where the framework has none, too). Outputs and "
        f"rewards are the framework's as well: a win after n stones is worth 1 - "
        f"{FRAMEWORKS_HASTE:g} n. Of the rules its IDBD-MSE, K1, ELK1, Autostep, alpha-bounds and "
        "RProp are not quite ours, as docs/ntuple.md tells. "
        "Games to a level are those of the first judgement that reached it: a curve that jumps "
        "reaches it sooner than one that is calm.",
    )
    return compared, why, led(curves) or _fastest(groups)


def _compared_time(group: RunGroup, level: float) -> Compared:
    time = group.games_to(level)
    return Compared(
        f"{group.name}, games to {100 * level:.0f} %",
        "curve without numbers" if group.name in ON_POSTER else "nothing",
        time_text(time),
        None if time is None else time.median,
    )


def _fastest(groups: Sequence[RunGroup]) -> str:
    """Name the rule that reaches 80 % soonest, where all have runs enough."""
    times = {group.name: time for group in groups if (time := group.games_to(0.8)) is not None}
    known = [(time.median, name) for name, time in times.items() if time.median is not None]
    if not known:
        return "no rule is known to reach 80 % in most runs"
    games, name = min(known)
    near = overlap_line(name, {each: span_of_time(time) for each, time in times.items()})
    return f"{name} reaches 80 % first, after {games:,.0f} games in the median; {near}"

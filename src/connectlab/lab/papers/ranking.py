"""Which of several lines is first: told of three runs or more of each, with what overlaps it."""

import math
from collections.abc import Mapping, Sequence

from connectlab.arena.statistics import Interval
from connectlab.lab.compare import RunGroup
from connectlab.lab.statistics import FEWEST, Spread, TimeTo
from connectlab.lab.wording import count

FEWEST_TO_RANK = 3
"""Of fewer runs nobody knows whether it is the lines that differ."""
ANYWHERE = Interval(0.0, math.inf)
"""Where a median may be of which no interval is told."""
SPANS = "Of fewer than five runs the lowest and the highest stand for the interval of a mean."


def too_few_to_rank(groups: Sequence[RunGroup]) -> str:
    """Say how many runs there are, where they are too few to rank the lines; else nothing."""
    runs = [len(group.measured) for group in groups]
    fewest, most = min(runs), max(runs)
    if most == 0:
        return "not computed"
    if fewest >= FEWEST_TO_RANK:
        return ""
    each = count(most, "run") if fewest == most else f"{fewest} to {count(most, 'run')}"
    return f"{each} of each line, too few to rank them"


def span_of_mean(spread: Spread) -> Interval:
    """Return the interval of a mean, or of fewer than five runs the lowest and the highest."""
    return spread.mean_interval or Interval(spread.lowest, spread.highest)


def span_of_time(time: TimeTo) -> Interval:
    """Return the interval of a median; an end that nothing bounds is later than was watched.

    Of fewer than five runs it might be anywhere.
    """
    if time.runs < FEWEST:
        return ANYWHERE
    low, high = (math.inf if end is None else end for end in time.median_interval)
    return Interval(low, high)


def overlap_line(first: str, spans: Mapping[str, Interval]) -> str:
    """Say how many other lines may be as good as the first, by their spans."""
    low, high = spans[first]
    if (low, high) == ANYWHERE:
        return "of too few runs for an interval"
    others = [span for name, span in spans.items() if name != first]
    near = sum(span.low <= high and low <= span.high for span in others)
    return f"its interval meets those of {near or 'none'} of {count(len(others), 'other')}"

"""Figure 1 of the poster: TCL-EXP from lambda 0 to 0.95, with and without [rr]."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from connectlab.agents.ntuple.config import FRAMEWORKS_HASTE
from connectlab.lab.compare_plot import legend_below
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.konen_runs import REWARDED, REWARDS, SILENT, line
from connectlab.lab.papers.konen_tell import broken_runs, tell_failures
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import LONGEST_SUMMARY, Compared, Picture, spread_text
from connectlab.lab.papers.panels import (
    Panel,
    draw_against,
    draw_panels,
    new_panels,
)
from connectlab.lab.papers.sentences import in_runs, joined, paragraphs
from connectlab.lab.papers.verdict import Agrees
from connectlab.lab.statistics import FEWEST, Spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Late: TypeAlias = Mapping[float, Spread | None]
"""Late means by lambda."""
LAMBDAS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
COLOURS = ("#4d4d4d", "#440154", "#3b528b", "#21918c", "#5ec962", "#b2182b", "#e08214")
"""Of the curves of each lambda: those that should break down stand out."""


@dataclass(frozen=True)
class Kind:
    """Runs with the same traces and rewards, at some lambdas."""

    name: str
    traces: str
    colour: str
    """Against lambda."""
    lambdas: Sequence[float] = LAMBDAS
    haste: float = 0.0

    def line(self, value: float) -> str:
        """Return the name of the line of a lambda, such as "[rr], lambda 0.8"."""
        return f"{self.name}, lambda {value:g}"


ET = Kind("[et]", "et", "#b2182b")
RR = Kind("[rr]", "rr", "#2166ac")
KINDS = (ET, RR)
"""What the poster is about."""
LONG = (0.8, 0.9, 0.95)
"""The lambdas that decide."""
ET_REWARDED = Kind(f"[et], {REWARDED}", "et", "#e08214", LONG, FRAMEWORKS_HASTE)
RR_REWARDED = Kind(f"[rr], {REWARDED}", "rr", "#5aae61", LONG, FRAMEWORKS_HASTE)
REWARDED_KINDS = {ET_REWARDED: ET, RR_REWARDED: RR}
"""As the framework rewards games, and what differs from each in its rewards alone."""
ALL_KINDS = (*KINDS, *REWARDED_KINDS)
DETAILS = ("single runs", "worse")
"""What else may be told of a kind, the more important one first."""
ASIDE = 0.011
"""How far the intervals of two kinds stand apart, in lambda."""
TOO_LONG = 0.9
"""From this lambda on, the poster says, the system breaks down."""
BROKEN = 0.5
"""A line counts as broken down if its late mean is below this share of the best with its traces."""


def lambda_lines(size: Size) -> Sequence[Line]:
    """Return TCL-EXP with plain and with replacing and resetting traces, at every lambda."""
    return [
        line(
            kind.line(value),
            f"konen-tcl-exp-{kind.traces}",
            size,
            trace_lambda=value,
            haste=kind.haste,
        )
        for kind in ALL_KINDS
        for value in kind.lambdas
    ]


def late_by_lambda(curves: Curves, kind: Kind) -> dict[float, Spread | None]:
    """Return the late mean of every lambda."""
    return {value: curves.late_mean(kind.line(value)) for value in kind.lambdas}


def broken_lambdas(late: Late, others: Late | None = None) -> list[float]:
    """Return the lambdas whose late mean is below half of the best one; all where none learns.

    ``others`` are those of other rewards, which count for what is best: where few lambdas were
    tried, all of them may have broken down.
    """
    return _lambdas_that(late, others, True)


def unsure_lambdas(late: Late, others: Late | None = None) -> list[float]:
    """Return the lambdas of which five runs or more do not tell whether they break down."""
    return _lambdas_that(late, others, None)


def _lambdas_that(late: Late, others: Late | None, answer: Agrees) -> list[float]:
    limit = limit_of(late, others)
    found = {value: spread for value, spread in late.items() if spread is not None}
    return [value for value, spread in found.items() if breaks_down(spread, limit) is answer]


def breaks_down(spread: Spread, limit: float) -> Agrees:
    """Say whether a late mean is below a limit; None where its interval holds that.

    Fewer than five runs have no interval, and the mean alone tells.
    """
    if spread.mean_interval is not None:
        low, high = spread.mean_interval
        if low <= limit <= high and low < high:
            return None
    return spread.mean < limit or limit == 0


def limit_of(late: Late, others: Late | None = None) -> float:
    """Return the late mean under which a line counts as broken down."""
    means = [spread.mean for spread in [*late.values(), *(others or {}).values()] if spread]
    return BROKEN * max(means, default=0.0)


def lower_lambdas(late: Late) -> list[float]:
    """Return the lambdas that are clearly worse than the best one, and surely not broken down.

    Their intervals lie below that of the best; fewer than five runs have no interval.
    """
    found = {value: spread for value, spread in late.items() if spread is not None}
    if not found:
        return []
    best = max(found.values(), key=lambda spread: spread.mean)
    holds = {
        v: spread for v, spread in found.items() if breaks_down(spread, limit_of(late)) is False
    }
    return [v for v, spread in holds.items() if _is_below(spread, best)]


def _is_below(spread: Spread, best: Spread) -> bool:
    if spread.mean_interval is None or best.mean_interval is None:
        return False
    return spread.mean_interval[1] < best.mean_interval[0]


def single_lambdas(curves: Curves, kind: Kind, broken: Sequence[float]) -> list[float]:
    """Return the lambdas that are not among the broken ones, though single runs broke down."""
    runs = broken_runs(curves, lambda_lines(curves.size))
    return [v for v in kind.lambdas if kind.line(v) in runs and v not in broken]


def draw_lambda(curves: Curves) -> Sequence[Picture]:
    """Draw success against lambda, and the curves of all kinds of traces."""
    colours = dict(zip(LAMBDAS, COLOURS, strict=True))
    panels = [
        Panel(
            f"TCL-EXP {kind.name}",
            [kind.line(v) for v in kind.lambdas],
            [colours[v] for v in kind.lambdas],
        )
        for kind in ALL_KINDS
    ]
    caption = (
        f"Success late in the runs against lambda, {_drawn(curves)}; points of the same lambda "
        f"stand side by side, and the poster's system breaks down where lambda is {TOO_LONG:g} or "
        "more (shaded)"
    )
    return [
        Picture("lambda.png", _draw_against_lambda(curves), caption),
        Picture("curves.png", draw_panels(curves.comparison, panels), curves.caption),
    ]


def _drawn(curves: Curves) -> str:
    """Say what points and lines of the picture are, which depends on the number of runs."""
    late = [each for kind in ALL_KINDS for each in late_by_lambda(curves, kind).values()]
    runs = {spread.n for spread in late if spread is not None}
    if not runs:
        return "nothing computed yet"
    if runs == {1}:
        return "one run each"
    if min(runs) >= FEWEST:
        return "mean and 95 % interval over the runs"
    if max(runs) < FEWEST:
        return "mean, and from the lowest to the highest of the runs"
    return "mean and 95 % interval; where there are fewer than five runs, from lowest to highest"


def _draw_against_lambda(curves: Curves) -> "Drawing":
    drawing, (axes,) = new_panels(1)
    axes.axvspan(TOO_LONG - 0.02, 1, color="#f4e3e3", label="published: breaks down with [et]")
    for number, kind in enumerate(ALL_KINDS):
        aside = ASIDE * (number - (len(ALL_KINDS) - 1) / 2)
        late = late_by_lambda(curves, kind)
        draw_against(axes, kind.name, late, kind.colour, aside=aside)
    axes.set(xlim=(-0.02, 1), ylim=(-0.02, 1.04), xlabel="lambda")
    axes.set_ylabel("success, mean of the last 40 %")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    legend_below(axes, columns=1)
    return drawing


def tell_lambda(curves: Curves) -> Told:
    """Say at which lambdas plain traces break down, and whether the other ones do."""
    late = {kind: late_by_lambda(curves, kind) for kind in ALL_KINDS}
    compared = [
        Compared(
            f"{kind.name}, late mean at lambda {value:g}",
            "breaks down" if _is_published_broken(kind, value) else "curve without numbers",
            spread_text(spread),
            None if spread is None else spread.mean,
            None if spread is None else spread.mean_interval,
        )
        for kind in ALL_KINDS
        for value, spread in late[kind].items()
    ]
    silent = f"{SILENT} {REWARDS}"
    posters = {kind: late[kind] for kind in KINDS}
    if not any(spread for each in posters.values() for spread in each.values()):
        return compared, silent, "not computed"
    single = {kind: single_lambdas(curves, kind, broken_lambdas(late[kind])) for kind in KINDS} | {
        kind: single_lambdas(curves, kind, broken_lambdas(late[kind], late[plain]))
        for kind, plain in REWARDED_KINDS.items()
    }
    why = paragraphs(
        [
            *(_tell_breakdown(kind, late[kind], single[kind]) for kind in KINDS),
            *(
                _tell_rewarded(kind, late[kind], late[plain], single[kind])
                for kind, plain in REWARDED_KINDS.items()
            ),
            _tell_limits(late),
            *tell_failures(curves, lambda_lines(curves.size)),
        ],
        silent,
    )
    return compared, why, _summary(late, single)


def _summary(late: Mapping[Kind, Late], single: Mapping[Kind, Sequence[float]]) -> str:
    """Say where each kind breaks down, and what else there is if that leaves room for it."""
    told = [
        f"breaks down: {_places(late, single, details)}; {_rests_on(late)}"
        for details in (DETAILS, DETAILS[:1], ())
    ]
    return next((each for each in told if len(each) <= LONGEST_SUMMARY), told[-1])


def _places(
    late: Mapping[Kind, Late], single: Mapping[Kind, Sequence[float]], details: Sequence[str]
) -> str:
    """Say where each kind of traces breaks down, with some details of each."""
    plain = [
        f"{kind.name} {_where(late[kind])}{_more(kind, late, single, details)}" for kind in KINDS
    ]
    rewarded = [
        f"{kind.name} {_where(late[with_rewards], late[kind])}"
        f"{_more(with_rewards, late, single, details)}"
        for with_rewards, kind in REWARDED_KINDS.items()
        if None not in late[with_rewards].values()
    ]
    return "; ".join([*plain, *([f"{REWARDED}: {', '.join(rewarded)}"] if rewarded else [])])


def _more(
    kind: Kind,
    late: Mapping[Kind, Late],
    single: Mapping[Kind, Sequence[float]],
    details: Sequence[str],
) -> str:
    """Say where single runs break down or all are worse, and of which lambdas nothing is known."""
    lower = [] if kind in REWARDED_KINDS else lower_lambdas(late[kind])
    missing = [value for value, spread in late[kind].items() if spread is None]
    found = dict(zip(DETAILS, (single[kind], lower), strict=True))
    told = [f", {what} at {_numbers(found[what])}" for what in details if found[what]]
    return "".join(told) + f" (not computed: {_numbers(missing)})" * bool(missing)


def _where(late: Late, others: Late | None = None) -> str:
    broken, unsure = broken_lambdas(late, others), unsure_lambdas(late, others)
    if len(broken) == len(late):
        return "everywhere"
    told = [f"at {_numbers(broken)}" if broken else "", _perhaps(unsure)]
    return " and ".join(filter(None, told)) or "nowhere"


def _perhaps(unsure: Sequence[float]) -> str:
    return f"perhaps at {_numbers(unsure)}" if unsure else ""


def _is_published_broken(kind: Kind, value: float) -> bool:
    """Whether the poster says that the system breaks down there."""
    return kind.traces == "et" and value >= TOO_LONG


def _rests_on(late: Mapping[Kind, Late]) -> str:
    """Say how many runs there are of each line: "in the one run of each"."""
    runs = [each.n for means in late.values() for each in means.values() if each is not None]
    if min(runs) == max(runs):
        return f"{in_runs(max(runs))} of each"
    return f"in {min(runs)} to {max(runs)} runs of each"


def _tell_breakdown(kind: Kind, late: Late, single: Sequence[float]) -> str:
    """Put where some traces break down beside where the poster says they do."""
    found = {value: spread for value, spread in late.items() if spread is not None}
    if not found:
        return ""
    broken, unsure = broken_lambdas(late), unsure_lambdas(late)
    expected = [value for value in kind.lambdas if _is_published_broken(kind, value)]
    best = max(found, key=lambda value: found[value].mean)
    is_same = broken == expected and not (single or unsure) and len(found) == len(late)
    agrees = ", as on the poster" * is_same
    where = _breaks_down_at(_with_means(broken, found), _with_means(unsure, found))
    told = [f"{where}{agrees}"]
    seen = {*broken, *unsure}
    if missed := [value for value in expected if value in found and value not in seen]:
        told.append(f"not at {_with_means(missed, found)}, where the poster says it does")
    if others := [value for value in broken if value not in expected]:
        told.append(f"which the poster does not say of {_numbers(others)}")
    if single:
        told.append(f"{'and' if broken else 'though'} single runs do at {_numbers(single)}")
    if lower := lower_lambdas(late):
        told.append(
            f"{'and' if broken else 'but'} is clearly worse than at its best at {_numbers(lower)}"
        )
    return (
        f"TCL-EXP {kind.name}: {', '.join(told)} ({_rests_on({kind: late})}; best at "
        f"lambda {best:g}, {found[best].mean:.3f})."
    )


def _tell_rewarded(kind: Kind, late: Late, plain: Late, single: Sequence[float]) -> str:
    """Put the lambdas that were tried with the framework's rewards beside rewards of 1 and -1."""
    both = [
        (value, spread, other)
        for value, spread in late.items()
        if spread is not None and (other := plain[value]) is not None
    ]
    if not both:
        return ""
    found = {value: spread for value, spread, _ in both}
    broken, unsure = broken_lambdas(found, plain), unsure_lambdas(found, plain)
    tried = joined([f"{value:g}" for value, _, _ in both])
    told = [f"{spread.mean:.3f} ({other.mean:.3f})" for _, spread, other in both]
    where = _breaks_down_at(_numbers(broken), _numbers(unsure))
    return (
        f"TCL-EXP {kind.name}, tried at lambda {tried}: {where}"
        + f", {'and' if broken else 'though'} single runs do at {_numbers(single)}" * bool(single)
        + f"; late means {joined(told)}, in brackets those with rewards of 1 and -1 "
        f"({_rests_on({kind: late})})."
    )


def _breaks_down_at(broken: str, unsure: str) -> str:
    """Say where it does, and where its interval holds the limit, so that these runs do not tell."""
    surely = f"at lambda {broken}" if broken else ""
    perhaps = f"perhaps at {unsure}, where the interval holds the limit" if unsure else ""
    return f"breaks down {', '.join(filter(None, (surely, perhaps))) or 'nowhere'}"


def _tell_limits(late: Mapping[Kind, Late]) -> str:
    """Say what counts as broken down, in numbers."""
    limits = [
        f"{limit_of(late[plain], late[kind]):.3f} with {kind.name}"
        for kind, plain in REWARDED_KINDS.items()
    ]
    plain = [f"{limit_of(late[kind]):.3f} with {kind.name}" for kind in KINDS]
    return (
        "A line counts as broken down here if its late mean is less than half of the best lambda's "
        "with the same traces, and with five runs all of its interval; with the framework's "
        f"rewards, of the best with either rewards. That is less than {joined([*plain, *limits])}."
    )


def _with_means(values: Sequence[float], late: Mapping[float, Spread]) -> str:
    return joined([f"{value:g} (late mean {late[value].mean:.3f})" for value in values])


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)

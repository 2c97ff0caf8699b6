"""What runs of the poster's learners did: which broke down, which learned nothing, who led."""

from collections.abc import Mapping, Sequence

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.konen_runs import SIZES
from connectlab.lab.papers.lines import Line, trained_of
from connectlab.lab.papers.ranking import too_few_to_rank
from connectlab.lab.papers.sentences import LEARNED, MEANT, few_of, joined, late_and_end, learned
from connectlab.lab.statistics import Spread
from connectlab.lab.wording import count


def tell_failures(curves: Curves, lines: Sequence[Line]) -> list[str]:
    """Return sentences on the runs that broke down, learned nothing or lost what they had."""
    broken = broken_runs(curves, lines)
    _, nothing = learned(curves, [group.name for group in curves.comparison.groups])
    weak = [name for name in nothing if name not in broken]
    lost = _lost(curves, [*broken, *weak])
    return [
        _tell_broken(curves, broken),
        f"Learned nothing: {joined([_numbers(curves, name) for name in weak])}. {MEANT}"
        if weak
        else "",
        f"Runs that ended under {LEARNED} in lines that learned: {joined(lost)}." if lost else "",
        shorter(curves),
    ]


def broken_runs(curves: Curves, lines: Sequence[Line]) -> dict[str, list[int]]:
    """Return the games after which runs broke down, by the names of their lines."""
    found = {
        each.name: [t.games for _, t in trained_of(each, curves.found) if t.broke_down]
        for each in lines
    }
    return {name: sorted(games) for name, games in found.items() if games}


def _tell_broken(curves: Curves, broken: Mapping[str, Sequence[int]]) -> str:
    """Say which lines broke down, in how many runs and after how many games."""
    if not broken:
        return "No run broke down." if _measured(curves) else ""
    told = [
        f"{name} in {_of(len(games), len(curves[name].curves))}, after "
        f"{joined([f'{at:,}' for at in dict.fromkeys(games)])} games"
        for name, games in broken.items()
    ]
    return f"Runs that broke down before their end: {'; '.join(told)}."


def _of(number: int, runs: int) -> str:
    return "the one run" if runs == 1 else f"{number} of {count(runs, 'run')}"


def _measured(curves: Curves) -> bool:
    return any(group.measured for group in curves.comparison.groups)


def _numbers(curves: Curves, name: str) -> str:
    runs = len(curves[name].measured)
    return f"{name} ({late_and_end(curves, name)}, {'one run' if runs == 1 else f'{runs} runs'})"


def _lost(curves: Curves, told: Sequence[str]) -> list[str]:
    """Return the lines of which some runs ended with next to nothing, but for those told of."""
    found = []
    for group in curves.comparison.groups:
        ends = [curve.last for curve in group.measured if curve.last is not None]
        low = sorted(end for end in ends if end < LEARNED)
        if low and group.name not in told:
            values = joined([f"{end:.3f}" for end in low])
            found.append(f"{group.name} in {_of(len(low), len(ends))} ({values})")
    return found


def shorter(curves: Curves) -> str:
    """Say what shorter runs may have to do with a difference."""
    assumed = SIZES["full"].games
    if curves.size.games >= assumed or not _measured(curves):
        return ""
    return (
        f"Runs are shorter here, {curves.size.games:,} games where {assumed:,} are assumed of the "
        "poster, and an alpha that falls does so as much faster: any difference may be that."
    )


def led(curves: Curves) -> str:
    """Name the lines that ended highest and lowest, where runs are too few to rank; else nothing.

    No more is said of the lines between.
    """
    few = too_few_to_rank(curves.comparison.groups)
    ends = {
        group.name: spread
        for group in curves.comparison.groups
        if (spread := group.spread("last")) is not None
    }
    if not few or not ends:
        return few
    means = {name: round(spread.mean, 3) for name, spread in ends.items()}
    first, last = max(means.values()), min(means.values())
    if first == last:
        return f"{few}: all ended at {first:.3f}"
    return f"{few}: highest at the end {_those(ends, first)}, lowest {_those(ends, last)}"


def _those(ends: Mapping[str, Spread], mean: float) -> str:
    """Write the lines with a mean, such as "tcl-exp 0.812 (0.810 to 0.815)"."""
    found = {name: spread for name, spread in ends.items() if round(spread.mean, 3) == mean}
    names = few_of(list(found))
    spread = next(iter(found.values()))
    if len(found) > 1 or spread.lowest == spread.highest:
        return f"{names} {mean:.3f}"
    return f"{names} {mean:.3f} ({spread.lowest:.3f} to {spread.highest:.3f})"

"""A proof, or the sample of one, for people to read."""

from typing import TYPE_CHECKING

from connectlab.cli import console

if TYPE_CHECKING:
    from connectlab.training.measurement import Figure, Measurement

ASSUMES = "rests on the solver's outcomes and on the policy as it was asked here"
SYMMETRY = "and on its symmetry, tested in some positions: a mirror image counts as the same"
SELDOM = 0.01
"""Chances below are told as one in so many games."""


def print_proof(measurement: "Measurement") -> None:
    """Print what was found by ply, then what it means and what it rests on."""
    _print_plies(measurement)
    out, facts = console.output(), measurement.facts
    out.print()
    out.print(_verdict(measurement))
    if "shortest_hole" in facts:
        move = facts["shortest_hole_move"]
        does = "makes no move" if move is None else f"plays {move}"
        moves = facts["shortest_hole"]
        out.print(f"  the earliest: {f'after {moves}' if moves else 'at once'} it {does}")
        out.print(f"  an opponent who plays at random finds a hole in {_chance(measurement)}")
    out.print(f"  {ASSUMES}{f', {SYMMETRY}' if facts['mirror_images_merged'] else ''}")


def _print_plies(measurement: "Measurement") -> None:
    what = "a sample" if measurement.facts["sampled"] else "all games"
    rows = console.table(what, "positions", "to hold", "holes")
    for name, part in measurement.parts.items():
        rows.add_row(name, *(f"{part.counts[key]:,}" for key in ("positions", "held", "holes")))
    keys = ("positions_walked", "positions_to_hold", "holes")
    rows.add_row("all", *(f"{measurement.counts[key]:,}" for key in keys))
    console.show(rows)


def _verdict(measurement: "Measurement") -> str:
    from connectlab.lab.proving import what_is_held

    held = what_is_held(*(measurement.facts[key] for key in ("keep", "side", "result")))
    if measurement.facts["sampled"]:
        return (
            f"an estimate, no proof: in {_digits(measurement.figure)} of the positions met it "
            f"holds {held}"
        )
    if measurement.facts["proven"]:
        return f"proven: whatever anybody plays, nobody takes from it {held}"
    holes = console.count(measurement.counts["holes"], "hole")
    return f"not proven: {holes} where it gives away {held}"


def _digits(figure: "Figure") -> str:
    low, high = figure.interval or (0.0, 1.0)
    return f"{figure.value:.6f} [{low:.6f}, {high:.6f}]"


def _chance(measurement: "Measurement") -> str:
    figure = measurement.find("hole_chance")
    assert figure is not None and figure.value is not None
    value, ends = figure.value, figure.interval
    if value >= SELDOM:
        between = "" if ends is None else f" [{100 * ends[0]:.1f}, {100 * (ends[1] or 1):.1f}]"
        return f"{100 * value:.1f} %{between} of the games"
    if ends is None:
        return f"one of {1 / value:,.0f} games"
    return f"one of {1 / value:,.0f} games [{_one_of(ends[1])}, {_one_of(ends[0])}]"


def _one_of(chance: float | None) -> str:
    return f"{1 / chance:,.0f}" if chance else "…"

"""A proof, or the sample of one, for people to read."""

from typing import TYPE_CHECKING

from connectlab.cli import console

if TYPE_CHECKING:
    from connectlab.training.measurement import Measurement

ASSUMES = (
    "rests on the solver's outcomes, on the policy as it was asked here, and on all that the rules "
    "allow the opponent"
)


def print_proof(measurement: "Measurement") -> None:
    """Print what was found by ply, then what it means."""
    _print_plies(measurement)
    out, facts = console.output(), measurement.facts
    out.print()
    out.print(_verdict(measurement))
    if "shortest_hole" in facts:
        move = facts["shortest_hole_move"]
        does = "makes no move" if move is None else f"plays {move}"
        moves = str(facts["shortest_hole"]) or "the empty board"
        out.print(f"  the earliest: after {moves} it {does}")
    chance = measurement.find("hole_chance")
    if chance is not None and measurement.counts["holes"]:
        out.print(f"  an opponent who plays at random finds one in {_one_in(chance.value)} games")
    merged = "merged" if facts["mirror_images_merged"] else "apart"
    out.print(f"  {ASSUMES}; mirror images {merged}; {measurement.seconds:.0f} s")


def _print_plies(measurement: "Measurement") -> None:
    titles = ("stones", "positions", "to hold", "holes")
    rows = console.table("sampled" if measurement.facts["sampled"] else "all games", *titles[1:])
    for name, part in measurement.parts.items():
        counts = [part.counts[key] for key in ("positions", "held", "holes")]
        rows.add_row(name, *(f"{count:,}" for count in counts))
    counts = [measurement.counts[key] for key in ("positions_walked", "held_positions", "holes")]
    rows.add_row("all", *(f"{count:,}" for count in counts))
    console.show(rows)


def _verdict(measurement: "Measurement") -> str:
    facts, counts = measurement.facts, measurement.counts
    held = _held(measurement)
    if facts["sampled"]:
        rate = measurement.figure
        low, high = rate.interval or (0.0, 1.0)
        return (
            f"it held {held} in {rate.value:.6f} [{low:.6f}, {high or 1.0:.6f}] of the positions "
            "looked at; this is an estimate and proves nothing"
        )
    if facts["proven"]:
        return f"proven: nobody can take from it {held}, whatever they play"
    holes = console.count(counts["holes"], "hole")
    return f"not proven: {holes} where it gives away {held}"


def _held(measurement: "Measurement") -> str:
    side, result = measurement.facts["side"], measurement.facts["result"]
    if measurement.facts["keep"] == "result":
        return f"the {result} of the {side} player"
    return f"every win and draw that comes to the {side} player"


def _one_in(chance: float | None) -> str:
    if not chance:
        return "unknown"
    return f"{1 / chance:,.0f}"

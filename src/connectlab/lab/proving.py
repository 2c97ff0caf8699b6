"""What a proof, or the sample of one, says as a measurement, and its holes as a file."""

from collections.abc import Iterable
from pathlib import Path

from connectlab.arena.hole_lines import HoleLine
from connectlab.arena.proof import Proof, SampledProof
from connectlab.arena.walk import Claim, Ply
from connectlab.lab.measures import ProofMeasure
from connectlab.storage.files import write_text
from connectlab.training.measurement import Figure, Measurement, Part, Plain

RESULTS = {1: "win", 0: "draw", -1: "loss"}


def measured(measure: ProofMeasure, found: Proof | SampledProof) -> Measurement:
    """Return a proof or its estimate as figures, and what they rest on."""
    held = chance = None
    if isinstance(found, SampledProof):
        held, chance = found.held_rate_interval, found.hole_chance_interval
    return Measurement(
        measure.spec,
        (
            Figure("held_rate" if held is None else "met_held_rate", found.held_rate, held),
            Figure("hole_chance", found.hole_chance, chance),
        ),
        opponent="anybody",
        counts={
            "positions_walked": found.positions,
            "positions_to_hold": found.held,
            "faulty_positions": found.faulty,
            "holes": found.holes,
        },
        facts={**_facts(found), "perfect_success_rate": 1.0},
        parts={f"ply {each.ply}": _part(each) for each in found.plies},
        seconds=found.seconds,
    )


def _facts(found: Proof | SampledProof) -> dict[str, Plain]:
    facts: dict[str, Plain] = {
        "side": found.claim.side,
        "keep": found.claim.keep,
        "result": RESULTS[found.claim.result],
        "mirror_images_merged": found.symmetric,
        "sampled": isinstance(found, SampledProof),
        "proven": isinstance(found, Proof) and found.is_proven,
    }
    shortest = found.shortest
    if shortest is not None:
        facts |= {"shortest_hole": shortest.moves, "shortest_hole_move": shortest.move}
    return facts


def _part(ply: Ply) -> Part:
    counts = {"positions": ply.positions, "held": ply.held, "holes": ply.holes}
    return Part((Figure("hole_chance", ply.hole_chance),), counts)


def what_is_held(keep: Plain, side: Plain, result: Plain) -> str:
    """Say what a player had to hold, for a sentence, from the facts of its measurement."""
    if keep == "result":
        return f"the {result} of the {side} player"
    return f"every win and draw that comes to the {side} player"


def write_holes(path: Path, lines: Iterable[HoleLine], agent: str, claim: Claim) -> None:
    """Write a line for each hole: the moves up to it, the player's move there, and the chance."""
    text = [
        f"# holes of {agent} as {claim.side} player on {claim.geometry}: moves that give away "
        f"{what_is_held(claim.keep, claim.side, RESULTS[claim.result])}",
        "# moves up to it, the move, the chance that random replies lead there first of all holes",
        *map(_line, lines),
    ]
    write_text(path, "\n".join(text) + "\n")


def _line(line: HoleLine) -> str:
    """Return a hole as moves, move and chance; the empty board has no moves that could be read."""
    rest = f"{line.move or '-'} {line.chance:.3e}"
    return f"{line.moves} {rest}" if line.moves else f"# at once {rest}"

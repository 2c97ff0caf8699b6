"""``connectlab reproduce --list``: what there is, how long it takes, and what is done."""

from collections.abc import Sequence
from pathlib import Path

from connectlab.cli import console
from connectlab.lab.papers.cell_archive import COMMITTED
from connectlab.lab.papers.experiment import SCALES
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.writer import PAGE
from connectlab.lab.wording import about_minutes


def print_list(chosen: Sequence[Reproduction], out: Path, *, json: bool) -> None:
    """Print a row for each experiment."""
    rows = [_row(each, out) for each in chosen]
    if json:
        console.print_json(rows)
        return
    made = console.table("name", "paper", "shows", *SCALES, "computed", "report", left=3)
    for row in rows:
        minutes = row["core_minutes"]
        assert isinstance(minutes, dict)
        made.add_row(
            *(str(row[key]) for key in ("name", "paper", "title")),
            *(about_minutes(minutes.get(scale)) for scale in SCALES),
            f"{row['computed']} of {row['cells']}",
            str(row["report"] or "-"),
        )
    console.show(made)
    scale = chosen[0].scale if chosen else "quick"
    console.output().print(
        f"\nTimes are those of one core. Computed: cells of the scale {scale}. Reports: by scale; "
        "those in brackets come with the source."
    )


def _row(each: Reproduction, out: Path) -> dict[str, object]:
    found = each.found()
    experiment = each.experiment
    return {
        "name": experiment.name,
        "paper": experiment.paper,
        "title": experiment.title,
        "published": experiment.published,
        "scale": each.scale,
        "core_minutes": dict(experiment.core_minutes),
        "cells": len(found.cells),
        "computed": len(found.cells) - found.missing,
        "report": _reports(experiment.name, out),
    }


def _reports(name: str, out: Path) -> str:
    """Say at which scales there is a report."""
    own = [scale for scale in SCALES if (out / name / scale / PAGE).is_file()]
    committed = [scale for scale in SCALES if (COMMITTED / name / scale / PAGE).is_file()]
    return " ".join([*own, *(f"({scale})" for scale in committed)])

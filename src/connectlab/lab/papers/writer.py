"""Writing the report of an experiment: a page, its pictures, and the data behind them."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from connectlab.errors import UserError
from connectlab.lab.markdown import markdown_table
from connectlab.lab.papers.cell_archive import ARCHIVE, count_archived, write_archive
from connectlab.lab.papers.page import Compared, Report, Table
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.results import CellResult, Found
from connectlab.lab.papers.verdict import Claim, Verdict
from connectlab.lab.wording import command_line, count
from connectlab.storage.files import check_writable, save_png, write_text
from connectlab.training.display import duration
from connectlab.training.measurement import mapping, whole

MINIATURE = "*A miniature: it shows that everything works, and its figures mean nothing.*"
PAGE = "README.md"
DATA = "report.json"
RULE_PAGE = f"../../{PAGE}#the-verdicts"
"""Where the page of all reports explains verdicts, seen from a report."""


def report_folder(out: Path, reproduction: Reproduction) -> Path:
    """Return where the report of an experiment at a scale goes."""
    return out / reproduction.experiment.name / reproduction.scale


def rests_on(folder: Path) -> int:
    """Return how many cells the report in a folder rests on, or keeps; 0 if there is none."""
    try:
        document = mapping(json.loads((folder / DATA).read_text(encoding="utf-8")))
        told = whole(document["cells"]) - whole(document["missing"])
    except (OSError, ValueError, KeyError, RecursionError):
        told = 0
    return max(told, count_archived(folder))


def check_report(folder: Path, reproduction: Reproduction) -> None:
    """Refuse a folder whose page is of something else, or in which nothing can be written."""
    path = folder / PAGE
    if path.is_file() and _whose(reproduction) not in path.read_text("utf-8", errors="replace"):
        raise UserError(f"{path} is no such report and would be lost: choose another --out")
    check_writable(path)


def write_report(out: Path, reproduction: Reproduction) -> tuple[Path, Report]:
    """Write pictures, cells, data and page; each is whole or not there, the page comes last."""
    found = reproduction.found()
    report = reproduction.experiment.report(found, reproduction.size)
    folder = report_folder(out, reproduction)
    for picture in report.pictures:
        save_png(picture.drawing, folder / picture.file)
    write_archive(folder, found)
    document = to_json(reproduction, found, report)
    write_text(folder / DATA, json.dumps(document, indent=1, allow_nan=False) + "\n")
    write_text(folder / PAGE, page(reproduction, found, report))
    return folder / PAGE, report


def to_json(reproduction: Reproduction, found: Found, report: Report) -> dict[str, object]:
    """Return the report as plain data; what is endless or no number is null."""
    experiment, size = reproduction.experiment, reproduction.size
    return {
        "name": experiment.name,
        "paper": experiment.paper,
        "title": experiment.title,
        "published": experiment.published,
        "scale": reproduction.scale,
        "games": size.games,
        "repeats": size.repeats,
        "cells": len(found.cells),
        "missing": found.missing,
        "core_seconds": core_seconds(found),
        "made": _dates(found.there),
        "versions": _all_versions(found.there),
        "commits": sorted({result.commit or "unknown" for result in found.there}),
        "machines": sorted({result.machine for result in found.there}),
        "sources": sorted({result.source for result in found.there if result.source}),
        "command": _command(reproduction),
        "summary": report.summary,
        "verdict": judged(reproduction, report),
        "claims": [each.to_json() for each in report.claims if _decides(reproduction)],
        "compared": [finite(each.to_json()) for each in report.compared],
        "data": finite(dict(report.data)),
    }


def finite(plain: object) -> object:
    """Return plain data with null for numbers of which JSON knows nothing."""
    if isinstance(plain, float):
        return plain if math.isfinite(plain) else None
    if isinstance(plain, Mapping):
        return {key: finite(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [finite(value) for value in plain]
    return plain


def judged(reproduction: Reproduction, report: Report) -> Verdict | None:
    """Return the verdict of a report: nothing is decided with fewer games than the paper's."""
    return report.verdict if _decides(reproduction) or report.verdict is None else "not decided"


def _decides(reproduction: Reproduction) -> bool:
    """Say whether there are as many games as in the paper."""
    return reproduction.scale == "full" or not reproduction.cells


def core_seconds(found: Found) -> float:
    """Return the time of one core that all cells took, as it is told everywhere."""
    return round(sum(result.seconds for result in found.there), 1)


def page(reproduction: Reproduction, found: Found, report: Report) -> str:
    """Return the page."""
    experiment = reproduction.experiment
    parts = [
        f"# {experiment.title}",
        f"**{experiment.paper}**, {_whose(reproduction)}. Published: {experiment.published}",
        MINIATURE if reproduction.scale == "mini" else "",
        _incomplete(found),
        _verdict(judged(reproduction, report), report.summary),
        report.settings,
        f"## Published, and ours\n\n{_compared_table(report.compared)}" if report.compared else "",
        _claims(report.claims) if _decides(reproduction) else "",
        *(f"![{each.caption}]({each.file})\n\n*{each.caption}*" for each in report.pictures),
        *(_table(table) for table in report.tables),
        f"## Where and why we differ\n\n{report.differences}",
        _provenance(reproduction, found),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _whose(reproduction: Reproduction) -> str:
    """Return what tells the page of an experiment at a scale from all others."""
    return f"`{reproduction.experiment.name}`, scale *{reproduction.scale}*"


def _incomplete(found: Found) -> str:
    if not found.missing:
        return ""
    there = len(found.cells) - found.missing
    return (
        f"**Not complete:** {there} of {count(len(found.cells), 'cell')} were computed; what "
        "follows rests on those."
    )


def _verdict(verdict: Verdict | None, summary: str) -> str:
    return (
        "" if verdict is None else f"**Verdict: {verdict}**, by [one rule]({RULE_PAGE}): {summary}"
    )


def _compared_table(compared: Sequence[Compared]) -> str:
    rows = [(each.what, each.published, each.ours) for each in compared]
    return markdown_table(("what", "published", "ours"), rows, words=3)


def _claims(claims: Sequence[Claim]) -> str:
    """Return what the verdict counts; nothing where other tables of the report tell it."""
    if not claims:
        return ""
    rows = [(each.what, each.answer, each.how) for each in claims]
    table = markdown_table(("published", "ours", "by"), rows, words=3)
    return f"## What the verdict counts\n\n{table}"


def _table(table: Table) -> str:
    note = f"\n\n{table.note}" if table.note else ""
    return f"## {table.title}\n\n{markdown_table(table.headings, table.rows)}{note}"


def _provenance(reproduction: Reproduction, found: Found) -> str:
    results = found.there
    if not results:
        made = "Nothing was computed yet." if found.cells else "Nothing had to be computed for it."
    else:
        first, last = _dates(results)
        seconds = core_seconds(found)
        versions = ", ".join(f"{name} {value}" for name, value in _all_versions(results).items())
        dates = first[:10] if first[:10] == last[:10] else f"{first[:10]} to {last[:10]}"
        made = (
            f"{count(len(results), 'cell')} computed on {dates} in {duration(seconds)} of one "
            f"core's time, with {versions}.{_taken_over(results)}"
        )
    cells = f", and the results of the cells in [{ARCHIVE}]({ARCHIVE})" if results else ""
    return (
        f"## How it was made\n\n{made} All figures are in [{DATA}]({DATA}){cells}.\n\n"
        f"```text\n{_command(reproduction)}\n```"
    )


def _taken_over(results: Sequence[CellResult]) -> str:
    """Say how many results were not computed as cells, and where they come from."""
    sources = Counter(result.source for result in results if result.source is not None)
    return "".join(
        f" Of these, {count(number, 'cell')} were taken over: {source}"
        for source, number in sources.items()
    )


def _dates(results: Sequence[CellResult]) -> list[str]:
    """Return when the first and the last result was finished."""
    made = sorted(result.made for result in results)
    return [made[0], made[-1]] if made else []


def _all_versions(results: Sequence[CellResult]) -> dict[str, str]:
    """Return every version that was at work, by name."""
    names = dict.fromkeys(name for result in results for name in result.versions)
    return {
        name: " and ".join(sorted({r.versions[name] for r in results if name in r.versions}))
        for name in names
    }


def _command(reproduction: Reproduction) -> str:
    words = ["connectlab", "reproduce", reproduction.experiment.name, "--scale", reproduction.scale]
    repeats = [] if reproduction.repeats is None else ["--repeats", str(reproduction.repeats)]
    return command_line(*words, *repeats)

"""The reports that come with the source say what the code says today of the cells beside them."""

import json
from pathlib import Path
from typing import Any

import pytest

from connectlab.lab.papers.cell_archive import COMMITTED, Archives
from connectlab.lab.papers.index import find_reports, index_page
from connectlab.lab.papers.registry import experiments
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import DATA, to_json

REPORTS = sorted(COMMITTED.glob(f"*/*/{DATA}"))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> CellStore:
    told: list[str] = []
    found = CellStore(tmp_path_factory.mktemp("cells"), Archives([COMMITTED], told.append))
    assert not told
    return found


def said(document: dict[str, Any]) -> dict[str, object]:
    """Return what a reader sees; numbers themselves may end in other bits on another processor."""
    figures = [(each["what"], each["published"], each["ours"]) for each in document["compared"]]
    kept = {key: document[key] for key in ("summary", "verdict", "claims", "cells", "missing")}
    return {**kept, "figures": figures}


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.parent.name)
def test_a_committed_report_is_what_its_cells_say(path: Path, store: CellStore) -> None:
    written = json.loads(path.read_text(encoding="utf-8"))
    experiment = experiments()[written["name"]]
    each = Reproduction(experiment, written["scale"], store, written["repeats"])
    report = experiment.report(each.found(), each.size)
    assert said(to_json(each, each.found(), report)) == said(written), (
        f"write the page anew: {written['command']} --so-far --out docs/results"
    )


def test_the_page_of_all_reports_lists_them_as_they_are() -> None:
    written = (COMMITTED / "README.md").read_text(encoding="utf-8")
    assert written == index_page(find_reports(COMMITTED), COMMITTED)

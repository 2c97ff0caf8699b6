"""Verdicts: the rule, where they are shown, and what a miniature may say."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree
from threading import Event

import pytest
from toy_experiments import Here, Toy

from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.index import find_reports, write_index
from connectlab.lab.papers.page import Report
from connectlab.lab.papers.reproduction import Reproduction, compute
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.verdict import RULE, Claim, Verdict, read_verdict, verdict_of
from connectlab.lab.papers.writer import write_report
from connectlab.training.display import duration


@pytest.mark.parametrize(
    ("figures", "verdict"),
    [
        ([], "not decided"),
        ([None, None], "not decided"),
        ([True, None, None], "not decided"),
        ([True, None], "reproduced"),
        ([True, True, True], "reproduced"),
        ([True, True, False], "partly"),
        ([True, False], "partly"),
        ([True, False, False], "differs"),
        ([False, False, None], "differs"),
        ([False], "differs"),
    ],
)
def test_a_verdict_counts_the_figures_that_agree(
    figures: list[bool | None], verdict: Verdict
) -> None:
    assert verdict_of(figures) == verdict


def test_only_a_verdict_is_read_as_one() -> None:
    assert read_verdict("partly") == "partly"
    assert [read_verdict(value) for value in (None, "", "fine", 1, ["partly"])] == [None] * 5


@dataclass(frozen=True, kw_only=True)
class Judging(Toy):
    """A toy with a verdict, and sentences for the top of the index."""

    verdict: Verdict | None = None
    claims: tuple[Claim, ...] = ()

    def report(self, found: Found, size: Size) -> Report:
        glance = {"title": "Who is best", "sentences": ["Chance is."], "picture": "chance.png"}
        data = {"glance": {**glance, "headings": ["a"], "rows": [["b"]]}}
        return replace(
            super().report(found, size), verdict=self.verdict, claims=self.claims, data=data
        )


def write(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    scale: Scale,
    verdict: Verdict | None,
    *claims: Claim,
) -> tuple[str, str, Mapping[str, object]]:
    """Write the report of a toy and the index; return both pages, and the data of the report."""
    toy: Experiment = Judging(verdict=verdict, claims=claims)
    monkeypatch.setattr("connectlab.lab.papers.index.experiments", lambda: {"toy": toy})
    each = Reproduction(toy, scale, CellStore(folder / "cells"))
    compute(each.cells, each.store, Here(), Event(), lambda cell, result: None)
    page, _ = write_report(folder, each)
    document = json.loads((page.parent / "report.json").read_text())
    return page.read_text(), write_index(folder).read_text(), document


def test_the_verdict_stands_on_the_page_and_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, index, document = write(tmp_path, monkeypatch, "full", "partly")
    assert "**Verdict: partly**" in page
    assert "| 0.5 | partly | " in index
    assert "| name | shows | published | verdict | ours | scale | time |" in index
    assert RULE in index
    assert document["verdict"] == "partly"


def test_what_a_verdict_counts_stands_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = (Claim("wins half", False, "0.31, Fisher"), Claim("draws", None, "too few"))
    page, _, document = write(tmp_path, monkeypatch, "full", "differs", *claims)
    assert "| wins half | differs | 0.31, Fisher |\n| draws | not decided | too few |" in page
    assert document["claims"] == [
        {"what": "wins half", "agrees": False, "how": "0.31, Fisher"},
        {"what": "draws", "agrees": None, "how": "too few"},
    ]
    page, _, document = write(tmp_path, monkeypatch, "quick", "differs", *claims)
    assert "What the verdict counts" not in page  # with fewer games than the paper's it decides
    assert document["claims"] == []  # nothing
    page, _, _ = write(tmp_path, monkeypatch, "full", "partly")
    assert "What the verdict counts" not in page


def test_who_gives_no_verdict_has_a_dash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, index, document = write(tmp_path, monkeypatch, "full", None)
    assert "Verdict" not in page
    assert "| 0.5 | - | " in index
    assert document["verdict"] is None


def test_nothing_is_decided_with_fewer_games_than_the_paper_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, index, document = write(tmp_path, monkeypatch, "quick", "reproduced")
    assert "**Verdict: not decided**" in page
    assert "| 0.5 | not decided | " in index
    assert document["verdict"] == "not decided"


def test_a_report_of_before_there_were_verdicts_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, monkeypatch, "full", "partly")
    path = tmp_path / "toy" / "full" / "report.json"
    document = json.loads(path.read_text())
    del document["verdict"]
    path.write_text(json.dumps(document))
    assert len(find_reports(tmp_path)) == 1
    assert "| 0.5 | - | " in write_index(tmp_path).read_text()


def test_a_miniature_is_told_in_the_index_and_gives_no_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, index, _ = write(tmp_path, monkeypatch, "mini", "reproduced")
    assert "**Miniatures mean nothing:**" in index
    assert "to measure anything: toy." in index
    assert "Chance is." not in index
    _, index, _ = write(tmp_path, monkeypatch, "quick", "reproduced")
    assert "Miniatures" not in index
    assert "- Chance is." in index


def test_page_and_index_tell_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, document = write(tmp_path, monkeypatch, "full", None)
    store = CellStore(tmp_path / "cells")
    for cell, seconds in zip(Toy().cells(Toy().sizes["full"]), (1499.0, 1599.02), strict=True):
        result = store.find(cell)
        assert result is not None
        store.save(cell, replace(result, seconds=seconds))  # 3098.02 in all
    page, index, document = write_again(tmp_path, store)
    assert document["core_seconds"] == 3098.0
    assert f"in {duration(3098)} of one core's time" in page
    assert f"| {duration(3098)} |" in index


def write_again(folder: Path, store: CellStore) -> tuple[str, str, Mapping[str, object]]:
    page, _ = write_report(folder, Reproduction(Judging(), "full", store))
    document = json.loads((page.parent / "report.json").read_text())
    return page.read_text(), write_index(folder).read_text(), document


def test_the_index_counts_the_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, index, _ = write(tmp_path, monkeypatch, "full", "differs")
    assert "**1 report**: 1 differing; by [one rule](#the-verdicts)." in index
    copytree(tmp_path / "toy", tmp_path / "claimless")
    report = tmp_path / "claimless" / "full" / "report.json"
    document = json.loads(report.read_text())
    report.write_text(json.dumps({**document, "name": "claimless", "verdict": None}))
    both = {name: Judging(name=name) for name in ("toy", "claimless")}
    monkeypatch.setattr("connectlab.lab.papers.index.experiments", lambda: both)
    index = write_index(tmp_path).read_text()
    assert "**2 reports**: 1 differing, 1 without a verdict; by [one rule]" in index

"""The tutorials run, in a miniature, and their pages say what the programs are."""

import re
import runpy
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "ppo.py"
PAGE = ROOT / "docs" / "tutorial-ppo.md"
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"
QUOTED = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_ppo_of_others_learns_on_the_environment_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "ppo.zip"
    few = ["--steps", "2048", "--games", "4", "--positions", "1", "--opponent", "random"]
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *few, "--out", str(model)])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 7
    assert all(re.search(r" [01]\.\d{3} \[[01]\.\d{3}, [01]\.\d{3}\]$", line) for line in printed)
    assert model.is_file()


def test_the_page_on_ppo_quotes_the_example() -> None:
    quoted = QUOTED.findall(PAGE.read_text(encoding="utf-8"))
    assert len(quoted) > 2
    example = EXAMPLE.read_text(encoding="utf-8")
    assert [block for block in quoted if block not in example] == []


@pytest.mark.slow
def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from run_notebook import SMALL, run

    before = nbformat.read(NOTEBOOK, as_version=4)
    after = run(before, tmp_path, SMALL)
    assert [_kinds(cell) for cell in after.cells] == [_kinds(cell) for cell in before.cells]


def _kinds(cell: nbformat.NotebookNode) -> tuple[str, frozenset[str]]:
    """Return what kinds of things a cell shows; a stream may come in pieces."""
    shown = (set(output.get("data", {"text": ""})) for output in cell.get("outputs", []))
    return cell.cell_type, frozenset().union(*shown)


def test_the_notebook_holds_its_results_and_nothing_of_a_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 600_000
    notebook = nbformat.reads(text, as_version=4)
    assert all(cell.outputs for cell in notebook.cells[3:] if cell.cell_type == "code")
    written = [
        output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])
    ]
    assert not [line for line in (*written, str(notebook.metadata)) if re.search(r"/\w+/\w", line)]
    assert notebook.metadata.keys() == {"kernelspec"}

"""Every Python example of the documentation runs, and prints what the page says it prints."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("README.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_examples(text: str, name: str) -> int:
    """Run the ``python`` blocks of a page in order and in one namespace; return their number.

    A block with prompts (``>>>``) is checked against its printed results, any other only runs.
    """
    namespace: dict[str, Any] = {"__name__": "__example__"}
    blocks = list(BLOCK.finditer(text))
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        if ">>> " in block[1]:
            _check_session(block[1], namespace, name, line)
        else:
            exec(compile("\n" * line + block[1], name, "exec"), namespace)
    return len(blocks)


def _check_session(source: str, namespace: dict[str, Any], name: str, line: int) -> None:
    session = doctest.DocTestParser().get_doctest(source, {}, name, name, line)
    session.globs = namespace
    found: list[str] = []
    doctest.DocTestRunner(verbose=False).run(session, out=found.append, clear_globs=False)
    assert not found, "".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_the_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples(page.read_text(encoding="utf-8"), page.name)


def test_the_page_on_the_game_has_examples() -> None:
    assert len(BLOCK.findall((ROOT / "docs" / "game.md").read_text(encoding="utf-8"))) > 3


def test_blocks_of_a_page_share_their_names() -> None:
    page = "```python\na = 1\n```\ntext\n```python\n>>> a + 1\n2\n>>> b = 3\n```\n"
    assert run_examples(page + "```python\nassert b == 3\n```\n", "page") == 3


@pytest.mark.parametrize(
    "block", ["assert 1 == 2\n", ">>> 1 + 1\n3\n", ">>> undefined\n1\n", "import no_such_module\n"]
)
def test_a_wrong_example_fails(block: str) -> None:
    with pytest.raises((AssertionError, ImportError)):
        run_examples(f"```python\n{block}```\n", "page")


def test_other_blocks_are_left_alone() -> None:
    assert run_examples("```sh\nrm everything\n```\n```text\n>>> 1\n```\n", "page") == 0

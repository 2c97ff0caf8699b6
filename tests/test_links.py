"""Every link of the documentation to a file of the repository leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def broken_links(text: str, folder: Path) -> list[str]:
    """Return the relative links of a page that lead nowhere."""
    links = [link for link in LINK.findall(text) if "://" not in link]
    return [link for link in links if not (folder / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_the_page_lead_somewhere(page: Path) -> None:
    assert broken_links(page.read_text(encoding="utf-8"), page.parent) == []


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "here.md").touch()
    text = "[a](here.md#part) [b](https://example.org/x) ![c](gone.png)"
    assert broken_links(text, tmp_path) == ["gone.png"]

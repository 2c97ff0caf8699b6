"""Put what ``--help`` says into docs/cli.md, between its markers.

A block of the page looks like this, and only what stands between the two comments is replaced:

    <!-- help: solve -->
    …
    <!-- end -->

Run it by ``make docs``; a test fails when the page is out of date.
"""

import io
import os
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

from connectlab.cli.app import run
from connectlab.storage.files import write_text

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
BLOCK = re.compile(r"(<!-- help: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def help_text(name: str) -> str:
    """Return what ``connectlab NAME --help`` prints on a terminal of 80 columns."""
    arguments = [] if name == "connectlab" else name.split()
    printed = io.StringIO()
    with patch.dict(os.environ, COLUMNS="80"), redirect_stdout(printed):
        run([*arguments, "--help"])
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines()).strip()


def refresh(page: str) -> str:
    """Return the page with every block up to date."""

    def fill(match: re.Match[str]) -> str:
        return f"{match[1]}```text\n{help_text(match[2])}\n```\n{match[3]}"

    return BLOCK.sub(fill, page)


def main() -> None:
    """Rewrite the page."""
    write_text(PAGE, refresh(PAGE.read_text(encoding="utf-8")))
    sys.stdout.write(f"wrote {PAGE.name}\n")


if __name__ == "__main__":
    main()

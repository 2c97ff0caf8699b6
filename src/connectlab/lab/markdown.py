"""Tables as Markdown has them."""

from collections.abc import Sequence


def markdown_table(
    headings: Sequence[str], cells: Sequence[Sequence[str]], *, words: int = 1
) -> str:
    """Write a table whose first columns hold words and the others numbers."""
    rule = "|".join([*["---"] * words, *["---:"] * (len(headings) - words)])
    lines = [f"| {' | '.join(headings)} |", f"|{rule}|"]
    # A bar ends a cell, even one within a path.
    lines += [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in cells]
    return "\n".join(lines)

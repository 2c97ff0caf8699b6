"""What a player thinks of a position, on a terminal or as plain text.

Like the picture, this shows any ``Analysis`` and knows nothing of the kinds of players.
"""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from connectlab.cli import console, drawing
from connectlab.cli.listing import Column, list_rows
from connectlab.lab.wording import chance, fact

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from connectlab.agents.analysis import Analysis, Group
    from connectlab.game import Geometry
    from connectlab.lab.verdicts import Verdicts
    from connectlab.training.measurement import Plain

GROUPS = 12
"""Groups that are drawn for people; pictures and JSON documents have all."""
PIPE_WIDTH = 100
"""Width for pipes and files."""
WOULD_PLAY = "<- would play"
COLOURS = {"good": "green", "bad": "magenta", "wrong": "bold dark_orange3"}


def print_analysis(
    spec: str,
    analysis: "Analysis",
    verdicts: "Verdicts | None" = None,
    *,
    out: "Console | None" = None,
) -> None:
    """Print an analysis for people, with the solver's scores if they are given."""
    out = out or console.output()
    width = width_of(out)
    print_words(out, _heading(spec, analysis))
    out.print()
    _print_columns(out, analysis, verdicts)
    if analysis.sentences:
        out.print()
    for sentence in analysis.sentences:
        print_words(out, sentence)
    if verdicts is not None:
        out.print()
        _print_verdicts(out, analysis, verdicts)
    print_facts(out, analysis.facts)
    shown = analysis.groups[:GROUPS]
    if shown:
        fewer = f"; the first {len(shown)}" if len(shown) < len(analysis.groups) else ""
        out.print()
        print_words(out, f"{analysis.legend[:1].upper()}{analysis.legend[1:]}{fewer}:")
        print_groups(out, shown, analysis.position.geometry, width)


def width_of(out: "Console") -> int:
    """Return the width to write for: that of the terminal, or a readable one in pipes."""
    return out.width if out.is_terminal else min(out.width, PIPE_WIDTH)


def print_words(out: "Console", words: str, style: str = "") -> None:
    """Print a sentence, broken between words."""
    for line in wrap(words, width_of(out), break_on_hyphens=False):
        out.print(line, style=style, soft_wrap=True)


def print_facts(out: "Console", facts: "Mapping[str, Plain]") -> None:
    """Print figures, one a line, after a blank line."""
    if facts:
        out.print()
    for key, figure in facts.items():
        print_words(out, f"{key.replace('_', ' ')}: {fact(figure)}")


def _heading(spec: str, analysis: "Analysis") -> str:
    if analysis.values is None:
        return f"{spec} holds no values, only chances:"
    unit = f" ({analysis.unit})" if analysis.unit else ""
    return f"{spec} values each column for the side to move{unit}:"


def _print_columns(out: "Console", analysis: "Analysis", verdicts: "Verdicts | None") -> None:
    """Print a row for each column; those that the player may play stand out."""
    from connectlab.game.notation import column_name
    from connectlab.lab.verdicts import format_score

    geometry = analysis.position.geometry
    texts, legal = analysis.value_texts, analysis.position.legal_columns
    rows = [
        [
            column_name(column, geometry),
            chance(analysis.policy[column]) if column in analysis.best else "",
            texts[column],
            format_score(verdicts.scores[column]) if verdicts and column in legal else "",
            verdicts.words(column) if verdicts is not None else "",
            _note(analysis, column),
        ]
        for column in range(geometry.columns)
    ]
    headings = [
        Column("column", words=True),
        Column("chance"),
        Column("value"),
        Column("score"),
        Column("perfect play", words=True),
        Column("", words=True),
    ]
    for line in list_rows(headings, rows, width_of(out)):
        plays = line.row is not None and line.row in analysis.best
        out.print(line.text, style="bold" if plays or line.row is None else "", soft_wrap=True)


def _note(analysis: "Analysis", column: int) -> str:
    notes = [analysis.column_notes[column]] if column in analysis.column_notes else []
    if column not in analysis.position.legal_columns:
        notes.append("full")
    if column in analysis.best:
        notes.append(WOULD_PLAY)
    return "  ".join(notes)


def _print_verdicts(out: "Console", analysis: "Analysis", verdicts: "Verdicts") -> None:
    """Say what perfect play is, and where the player sees it otherwise."""
    from connectlab.lab.disagreement import disagreements, reassurance

    if verdicts.unknown:
        missing = " ".join(verdicts.names(verdicts.unknown))
        print_words(out, f"Too hard to solve within the limits: {missing}.")
    if verdicts.best:
        print_words(out, verdicts.advice)
    found = disagreements(analysis, verdicts)
    for each in found:
        print_words(out, f"Disagreement: {each.sentence}", style=COLOURS["wrong"])
    if not analysis.best:
        return  # it makes no move that could be judged
    if not found and not verdicts.unknown:
        print_words(out, "The player agrees.")
    elif kept := reassurance(analysis, verdicts):
        print_words(out, kept)


def print_groups(
    out: "Console", groups: "Sequence[Group]", geometry: "Geometry", width: int
) -> None:
    """Draw groups as small boards, as many side by side as the width holds."""
    from rich.text import Text

    if not groups:
        return
    coloured = drawing.has_colours(out)
    headings = [_group_heading(group) for group in groups]
    longest = max(len(line) for heading in headings for line in heading)
    block = min(max(geometry.columns, longest), width)
    across = max(1, (width + 2) // (block + 2))
    for start in range(0, len(groups), across):
        out.print()
        blocks = [
            list(_block(group, geometry, block, coloured=coloured))
            for group in groups[start : start + across]
        ]
        tallest = max(len(lines) for lines in blocks)
        filled = [[*[Text("")] * (tallest - len(lines)), *lines] for lines in blocks]
        for line in zip(*filled, strict=True):
            out.print(_side_by_side(line, block), soft_wrap=True)


def _side_by_side(pieces: "Sequence[Text]", width: int) -> "Text":
    from rich.text import Text

    padded = []
    for piece in pieces:
        copy = piece.copy()
        copy.pad_right(width - len(copy))
        padded.append(copy)
    line = Text("  ").join(padded)
    line.rstrip()
    return line


def _group_heading(group: "Group") -> list[str]:
    weight = "" if group.weight is None else f"{group.weight:+.3f}"
    said = " ".join(part for part in (weight, group.note) if part)
    return [line for line in (group.title, said) if line]


def _block(group: "Group", geometry: "Geometry", width: int, *, coloured: bool) -> "Iterator[Text]":
    """Yield the lines of one group: its title, its weight, and its cells on the board."""
    from rich.text import Text

    title, *said = _group_heading(group)
    yield from (Text(line) for line in wrap(title, width))
    style = "" if group.weight is None else COLOURS["good" if group.weight >= 0 else "bad"]
    for words in said:
        yield from (Text(line, style=style) for line in wrap(words, width))
    marks = dict(zip(group.cells, group.marks, strict=True))
    for row in reversed(range(geometry.rows)):
        cells = (marks.get((column, row)) for column in range(geometry.columns))
        yield Text.assemble(*(_cell(mark, coloured) for mark in cells))


def _cell(mark: str | None, coloured: bool) -> "Text":
    """Draw one cell; those outside the group are dots."""
    from rich.text import Text

    if mark is None:
        return Text("·" if coloured else ".", style="dim")
    colours = {"X": drawing.FIRST_COLOUR, "O": drawing.SECOND_COLOUR}
    return Text(mark, style=f"bold {colours[mark]}" if mark in colours else "")

"""A sheet of paper to draw on, measured in inches from its top left corner.

Whoever draws need not know the size of the sheet beforehand: it grows to hold what was drawn.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

INK, FAINT, PALE = "#22272e", "#6b7480", "#d5dae1"
DPI = 130
LINE = 1.38 / 72
"""Inches from one line of text to the next, for each point of its size."""

Align = Literal["left", "center", "right"]


class Sheet:
    """Draws text and simple shapes; every part may carry a name by which it is found again."""

    def __init__(self, margin: float = 0.35) -> None:
        from matplotlib.figure import Figure

        self.figure: Figure = Figure(facecolor="white")
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self._margin = margin
        self._right = self._bottom = 0.0

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 10,
        colour: str = INK,
        bold: bool = False,
        align: Align = "left",
        within: float | None = None,
        name: str = "",
    ) -> float:
        """Write one line whose middle is at height y, smaller if need be; return its width."""
        width = text_width(words, size, bold)
        if within is not None and width > within:
            size, width = size * within / width, within
        weight = "bold" if bold else "normal"
        self._axes.text(
            x,
            y,
            words,
            fontsize=size,
            color=colour,
            weight=weight,
            ha=align,
            va="center_baseline",
            gid=name,
            parse_math=False,
        )
        left = x - {"left": 0.0, "center": width / 2, "right": width}[align]
        self._grow(left + width, y + size * LINE / 2)
        return width

    def paragraph(
        self, x: float, y: float, width: float, words: str, *, size: float = 10, colour: str = INK
    ) -> float:
        """Write words below height y, broken into lines; return the height below them."""
        for line in wrap(words, width, size):
            self.text(x, y + size * LINE / 2, line, size=size, colour=colour, within=width)
            y += size * LINE
        return y

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = "none",
        edge: str = "none",
        line: float = 0.8,
        alpha: float = 1.0,
        rounding: float = 0.0,
        name: str = "",
    ) -> None:
        """Draw a rectangle whose top left corner is at (x, y)."""
        from matplotlib.patches import FancyBboxPatch, Rectangle

        made: Patch
        if rounding:
            corner = min(rounding, width / 2, height / 2)
            made = FancyBboxPatch(
                (x, y), width, height, boxstyle=f"round,pad=0,rounding_size={corner}"
            )
        else:
            made = Rectangle((x, y), width, height)
        made.set(facecolor=fill, edgecolor=edge, linewidth=line, alpha=alpha, gid=name)
        self._axes.add_patch(made)
        self._grow(x + width, y + height)

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: str = "none",
        edge: str = "none",
        line: float = 0.8,
        alpha: float = 1.0,
        dashed: bool = False,
        name: str = "",
    ) -> None:
        """Draw a circle around (x, y)."""
        from matplotlib.patches import Circle

        self._axes.add_patch(
            Circle(
                (x, y),
                radius,
                fc=fill,
                ec=edge,
                lw=line,
                alpha=alpha,
                gid=name,
                linestyle="--" if dashed else "-",
            )
        )
        self._grow(x + radius, y + radius)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], colour: str, width: float = 0.8
    ) -> None:
        """Draw a straight line."""
        x, y = zip(start, end, strict=True)
        self._axes.plot(x, y, color=colour, lw=width, solid_capstyle="round")
        self._grow(max(x), max(y))

    def finish(self) -> "Figure":
        """Cut the sheet to the size of what was drawn."""
        width, height = self._right + self._margin, self._bottom + self._margin
        self.figure.set_size_inches(width, height)
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)
        return self.figure

    def _grow(self, right: float, bottom: float) -> None:
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)


def wrap(words: str, width: float, size: float) -> Iterator[str]:
    """Yield lines of a text that are not wider than ``width`` inches, unless a word is."""
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > width:
            yield line
            longer = word
        line = longer
    if line:
        yield line


def fitting_size(texts: Iterable[str], width: float, size: float) -> float:
    """Return ``size``, or less if some line would otherwise be wider than ``width`` in bold."""
    widest = max((text_width(text, size, True) for text in texts), default=0.0)
    return size if widest <= width else size * width / widest


@lru_cache(maxsize=4096)
def text_width(words: str, size: float, bold: bool = False) -> float:
    """Return how wide a line of text is, in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    width, _, _ = TextToPath().get_text_width_height_descent(words, font, ismath=False)
    return float(width) / 72

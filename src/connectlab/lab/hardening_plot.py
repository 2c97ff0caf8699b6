"""The holes of a network by ply, round by round."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.lab.hardening import Round
from connectlab.storage.files import save_png

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

MOST_LINES = 7
"""Rounds that are drawn by ply: the first, the best, and some between them."""
SIZE = (9.2, 3.8)


def save_holes(rounds: Sequence[Round], path: Path) -> None:
    """Draw the holes of each round, and by ply those of some rounds."""
    save_png(draw_holes(rounds), path)


def draw_holes(rounds: Sequence[Round]) -> "Picture":
    """Return the picture: all holes round by round on the left, by ply on the right."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure as Picture

    picture = Picture(figsize=SIZE, layout="constrained")
    over_rounds, by_ply = picture.subplots(1, 2)
    numbers, holes = [each.number for each in rounds], [each.holes for each in rounds]
    over_rounds.plot(numbers, holes, "o-", color="#2166ac")
    over_rounds.set(xlabel="round", ylabel="holes", title="Holes in all games")
    over_rounds.xaxis.get_major_locator().set_params(integer=True)
    shown = chosen_rounds(rounds)
    for number, each in enumerate(shown):
        plies = sorted(map(int, each.by_ply))
        holes = [each.by_ply[str(ply)] for ply in plies]
        colour = colormaps["viridis"](number / max(1, len(shown) - 1))
        label = f"round {each.number}: {each.holes:,}"
        by_ply.plot(plies, holes, "o-", markersize=3, color=colour, label=label)
    by_ply.set(xlabel="stones on the board", title="Holes by ply")
    by_ply.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    for axes in (over_rounds, by_ply):
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    return picture


def chosen_rounds(rounds: Sequence[Round]) -> list[Round]:
    """Return the first round, the one with the fewest holes, and some between them, in order."""
    best = min(range(len(rounds)), key=lambda i: rounds[i].holes, default=0)
    if best < MOST_LINES:
        return list(rounds[: best + 1])
    steps = range(MOST_LINES)
    return [rounds[round(step * best / (MOST_LINES - 1))] for step in steps]

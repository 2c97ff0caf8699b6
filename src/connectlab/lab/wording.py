"""How numbers are written for people, in tables, reports and lines to paste."""

import shlex
from collections.abc import Sequence


def share(value: float, interval: Sequence[float]) -> str:
    """Write a share with its interval, such as "0.750 [0.661, 0.821]"."""
    low, high = interval
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def percent(value: float, interval: Sequence[float]) -> str:
    """Write a share in percent with its interval, such as "75 [66, 82]", where room is short."""
    low, high = interval
    return f"{100 * value:.0f} [{100 * low:.0f}, {100 * high:.0f}]"


def rating(value: float, interval: Sequence[float]) -> str:
    """Write a rating with its interval, such as "1520 [1480, 1560]"."""
    low, high = interval
    return f"{value:.0f} [{low:.0f}, {high:.0f}]"


def chance(value: float) -> str:
    """Write a chance above 0, such as "14.3 %" or "<1 %"."""
    return f"{100 * value:.3g} %" if value >= 0.01 else "<1 %"


def fact(value: str | float | bool | None) -> str:
    """Write a figure of any kind as people read it."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else value


def signed(value: float, digits: int) -> str:
    """Write a difference with its sign, such as "+0.33"; one that rounds to nothing has none."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def about_minutes(minutes: float | None) -> str:
    """Write how long something takes, such as "12 s", "45 min" or "2.2 h"; "-" if not known."""
    if minutes is None:
        return "-"
    if minutes < 1:
        return f"{60 * minutes:.0f} s"
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def count(number: int, noun: str) -> str:
    """Write a count with its noun, such as "1 game" or "1,200 games"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def command_line(*words: object) -> str:
    """Write words so that a shell reads them as they are, whatever is in a path."""
    return " ".join(shlex.quote(str(word)) for word in words)

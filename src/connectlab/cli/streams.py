"""The three streams of the process, made safe to write to whatever stands behind them.

A character that an encoding lacks is replaced, a closed stream swallows what is written to it, and
a reader that left or a disk that is full ends the program in one line.
"""

import codecs
import errno
import io
import os
import sys
from pathlib import Path
from typing import Literal, TextIO

LOST = 1
"""Exit code when standard output did not take the result."""
REPLACING = "connectlab-replace"
SPELLED = {"…": "...", "×": "x", "±": "+-", "–": "-", "→": "->", "≥": ">=", "≤": "<="}
"""What stands for a character that an encoding lacks; "?" for all others."""


def prepare_streams() -> None:
    """Make the streams of this process safe; called once, before anything is written."""
    codecs.register_error(REPLACING, _spell)
    # In this order each takes the number of the stream that is closed, and no other file does.
    if sys.stdin is None:
        sys.stdin = _null("r")
    if sys.stdout is None:
        sys.stdout = _null("w")
    if sys.stderr is None:
        sys.stderr = _null("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=REPLACING)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def finish_output(code: int) -> int:
    """Flush standard output and return the exit code: a result that is lost is a failure."""
    try:
        sys.stdout.flush()
    except OSError as error:
        forget_output()
        return report_lost(error)
    return code


def report_lost(error: OSError) -> int:
    """Tell that standard output took no more; a reader that left needs no word."""
    if error.errno != errno.EPIPE:
        tell(f"connectlab: standard output: {(error.strerror or str(error)).lower()}\n")
    return LOST


def forget_output() -> None:
    """Lead standard output nowhere, so that what is left in its buffer cannot fail again."""
    if not _lead_nowhere(sys.stdout):
        sys.stdout = _null("w")


def tell(text: str) -> None:
    """Write to standard error if anyone listens: a lost notice is no reason to stop."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        if not _lead_nowhere(sys.stderr):
            sys.stderr = _null("w")


def _lead_nowhere(stream: TextIO) -> bool:
    """Put the null device behind a stream; return whether there was a file to replace."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        return False
    return True


def speaks_unicode() -> bool:
    """Whether standard output can hold every character."""
    name = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    return name.startswith(("utf", "cp65001"))


def _spell(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError), "only what is written is replaced"
    missing = error.object[error.start : error.end]
    return "".join(SPELLED.get(character, "?") for character in missing), error.end


def _null(mode: Literal["r", "w"]) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")

"""The rows of a run as they come: read while another process writes them.

The file grows by whole lines, or is put in place anew when a run that goes on drops what it will
learn again. So only what was added since the last look is read, as long as the file begins as it
did; else it is read anew, and ``version`` counts up.
"""

import json
import os
from pathlib import Path

from connectlab.training.measurement import mapping
from connectlab.training.metrics import MEASURES, Evaluation, ProgressRow, Row


class LiveRows:
    """What ``metrics.jsonl`` holds so far; ``look`` before every use."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Row] = []
        self.version = 0
        """Grows whenever rows that were read before may have gone."""
        self.problem: str | None = None
        self._place = 0
        self._tail = b""
        """The last line that was read: a file in which it is not found is another one."""
        self._seen: tuple[int, int, int] | None = None

    def look(self) -> None:
        """Read what has come; a file without a single change is not opened."""
        try:
            status = self.path.stat()
            seen = status.st_ino, status.st_size, status.st_mtime_ns
            if seen == self._seen:
                return
            with self.path.open("rb") as file:
                if not self._goes_on(file.fileno()):
                    self._forget()
                file.seek(self._place)
                self._take(file.read())
        except FileNotFoundError:
            self._seen = None
            if self._place:
                self._forget()
        else:
            self._seen = seen

    def _goes_on(self, handle: int) -> bool:
        """Say whether the file still has what was read, where it was read."""
        begin = self._place - len(self._tail)
        return os.pread(handle, len(self._tail), begin) == self._tail

    def _forget(self) -> None:
        self.rows, self.problem = [], None
        self._place, self._tail = 0, b""
        self.version += 1

    def _take(self, written: bytes) -> None:
        """Read whole lines; one that is not finished waits for the next look."""
        whole, newline, _ = written.rpartition(b"\n")
        if not newline or self.problem is not None:
            return
        for line in whole.split(b"\n"):
            try:
                self.rows.append(_parse(line))
            except (ValueError, KeyError, RecursionError):
                self.problem = f"{self.path} is damaged in line {len(self.rows) + 1}"
                return
            self._place += len(line) + 1
            self._tail = line + b"\n"

    @property
    def evaluations(self) -> list[Evaluation]:
        """All evaluations, by games."""
        found = [row for row in self.rows if isinstance(row, Evaluation)]
        return sorted(found, key=lambda row: row.games)

    @property
    def last_progress(self) -> ProgressRow | None:
        """The last row that is no evaluation."""
        found = (row for row in reversed(self.rows) if isinstance(row, ProgressRow))
        return next(found, None)


def _parse(line: bytes) -> Row:
    plain = mapping(json.loads(line))
    return Evaluation.of(plain) if MEASURES in plain else ProgressRow.of(plain)

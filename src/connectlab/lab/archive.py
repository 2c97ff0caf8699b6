"""Finished games in a folder: one JSON file each, as ``connectlab play --load`` takes it.

The name of a file is the id of its game, which whoever played it has made. A game that is kept once
more changes nothing, so it can be sent again when nobody knows whether it arrived.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from connectlab.errors import GameError
from connectlab.lab.records import GameRecord, load_game
from connectlab.storage.files import write_text

ID = r"[A-Za-z0-9_-]{8,64}"
ENDING = ".json"


class ArchiveError(GameError):
    """A game that cannot be kept or is not there."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status
        """What HTTP calls that."""


@dataclass(frozen=True)
class KeptGame:
    """A game of the archive."""

    id: str
    saved: str
    """When it was kept, in UTC."""
    record: GameRecord


class Archive:
    """The folder of finished games."""

    def __init__(self, folder: Path, *, most_games: int, most_bytes: int) -> None:
        self._folder = folder
        self._most_games = most_games
        self._most_bytes = most_bytes

    def __len__(self) -> int:
        return sum(1 for _ in self._files())

    def keep(self, identity: str, record: GameRecord) -> KeptGame:
        """Keep a finished game; the same one may come again, another one of this id is refused."""
        path = self._path(identity)
        record.check()
        if record.result is None:
            raise ArchiveError("only a game that is over is kept", 400)
        text = record.to_text()
        if len(text.encode()) > self._most_bytes:
            raise ArchiveError(f"a game of at most {self._most_bytes:,} bytes is kept", 413)
        if os.path.lexists(path):
            if not path.is_file():
                raise ArchiveError(f"something that is no game lies where {identity} would", 409)
            if load_game(path) != record:
                raise ArchiveError(f"another game is kept as {identity}", 409)
        elif len(self) >= self._most_games:
            raise ArchiveError(f"{self._most_games:,} games are kept, and no more", 409)
        else:
            write_text(path, text)
        return self.find(identity)

    def find(self, identity: str) -> KeptGame:
        """Return a game by its id."""
        path = self._path(identity)
        if not path.is_file():
            raise ArchiveError(f"no game is kept as {identity}", 404)
        return KeptGame(identity, _when(path.stat().st_mtime), load_game(path))

    def newest(self, n: int, offset: int = 0) -> list[KeptGame]:
        """Return games, the last kept first; a file that is no game is passed over."""
        files = sorted(self._files(), key=lambda file: (-_changed(file), file.name))
        found = []
        for file in files[offset : offset + n]:
            try:
                found.append(self.find(file.name.removesuffix(ENDING)))
            except (GameError, OSError):
                continue
        return found

    def _path(self, identity: str) -> Path:
        if re.fullmatch(ID, identity) is None:
            raise ArchiveError("the id of a game has 8 to 64 letters, digits, - and _", 400)
        return self._folder / f"{identity}{ENDING}"

    def _files(self) -> Iterator["os.DirEntry[str]"]:
        if not self._folder.is_dir():
            return
        with os.scandir(self._folder) as entries:
            for entry in entries:
                name = entry.name.removesuffix(ENDING)
                if name != entry.name and re.fullmatch(ID, name) and _is_file(entry):
                    yield entry


def _is_file(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _changed(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat().st_mtime_ns
    except OSError:  # it has gone since
        return 0


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")

"""Small tasks for executors; they live in a module, so that other processes can import them."""

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from connectlab.errors import UserError
from connectlab.lab.executors.base import Task
from connectlab.training.learner import BrokeDownError
from connectlab.training.run import RunStoppedError, Stop


@dataclass(frozen=True)
class Square(Task[int]):
    """Squares a number, and may note in a file that it was at work."""

    number: int
    log: Path | None = None

    @property
    def name(self) -> str:
        return f"square {self.number}"

    def run(self, folder: Path | None, stop: Stop) -> int:
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(f"{self.number}\n")
        return self.number**2


@dataclass(frozen=True)
class Refuse(Square):
    """Refuses its work, as soon as a file is there."""

    after: Path | None = None

    def run(self, folder: Path | None, stop: Stop) -> int:
        while self.after is not None and not self.after.exists():
            time.sleep(0.02)
        raise UserError(f"there is no square of {self.number}")


@dataclass(frozen=True)
class BreakDown(Square):
    """Learns nothing but what makes no sense."""

    place: Path | None = None

    @property
    def folder(self) -> Path | None:
        return self.place

    def run(self, folder: Path | None, stop: Stop) -> int:
        raise BrokeDownError(f"{self.number} exploded")


@dataclass(frozen=True)
class Deaf(Square):
    """Notes in a file that it began, and hears nothing of a stop for a minute."""

    def run(self, folder: Path | None, stop: Stop) -> int:
        super().run(folder, stop)
        time.sleep(60)
        return self.number


@dataclass(frozen=True)
class Die(Square):
    """Is killed at its work."""

    def run(self, folder: Path | None, stop: Stop) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


@dataclass(frozen=True)
class Wait(Square):
    """Waits until it is stopped, and notes in a file that it began and that it ended well."""

    place: Path = Path()

    @property
    def folder(self) -> Path:
        return self.place

    def run(self, folder: Path | None, stop: Stop) -> int:
        assert folder is not None
        folder.mkdir(exist_ok=True)
        super().run(folder, stop)
        end = time.monotonic() + 60
        while not stop.is_set() and time.monotonic() < end:
            time.sleep(0.02)
        if stop.is_set():
            (folder / "stopped").touch()
        raise RunStoppedError("stopped")


@dataclass(frozen=True)
class Count(Square):
    """Adds one to the number in its folder, and copies a file that it reads."""

    place: Path = Path()
    read: Path | None = None

    @property
    def folder(self) -> Path:
        return self.place

    @property
    def files(self) -> Sequence[Path]:
        return () if self.read is None else (self.read,)

    def run(self, folder: Path | None, stop: Stop) -> int:
        assert folder is not None
        folder.mkdir(exist_ok=True)
        before = folder / "count"
        count = 1 + (int(before.read_text()) if before.exists() else 0)
        before.write_text(str(count))
        if self.read is not None:
            (folder / "copy").write_bytes(self.read.read_bytes())
        return count


@dataclass(frozen=True)
class Slow(Square):
    """Takes its time; notes by which node it was begun and that it ended."""

    seconds: float = 0.0

    def run(self, folder: Path | None, stop: Stop) -> int:
        self._note("begun")
        time.sleep(self.seconds)
        self._note("ended")
        return self.number**2

    def _note(self, what: str) -> None:
        assert self.log is not None
        with self.log.open("a") as file:
            file.write(f"{self.number} {what} {os.getppid()}\n")

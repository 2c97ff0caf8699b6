"""Work for a keeper that processes of their own can import, and keepers that can be killed."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from connectlab.errors import UserError
from connectlab.lab.keeper import Keeper, Task
from connectlab.lab.orders import Orders
from connectlab.training.run import RunStoppedError, Stop


@dataclass(frozen=True)
class Work:
    """Does what its name says."""

    name: str

    def __call__(self, stop: Stop) -> None:
        if self.name == "refused":
            raise UserError("this cannot be")
        if self.name == "stumbles":
            raise ZeroDivisionError("one by none")
        if self.name == "vanishes":
            import os

            os._exit(7)
        while self.name.startswith(("long", "unsaved")):
            if stop.is_set():
                raise OSError(28, "No space left") if self.name == "unsaved" else RunStoppedError
            time.sleep(0.01)


class Ledger:
    """A ledger in memory."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.busy: set[str] = set()
        self.ended: list[str] = []
        self.reasons: dict[str, str] = {}

    def wanted(self) -> list[str]:
        return list(self.names)

    def is_busy(self, name: str) -> bool:
        return name in self.busy

    def task(self, name: str) -> Task:
        return Work(name)

    def done(self, name: str) -> None:
        self.names.remove(name)
        self.ended.append(name)

    def failed(self, name: str, reason: str) -> None:
        if name in self.names:
            self.names.remove(name)
        self.reasons[name] = reason


def main() -> None:
    """Keep the runs of a folder going until somebody kills this process."""
    Keeper(Orders(Path(sys.argv[1])), at_once=2).open()
    print("ready", flush=True)
    time.sleep(600)


if __name__ == "__main__":
    main()

"""An experiment of seconds: the fake learner, games between simple players, and no paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from connectlab.lab.executors.base import Result, Task, Told
from connectlab.lab.papers.cells import Cell, MatchCell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Report, Table
from connectlab.lab.papers.results import Found, Played
from connectlab.training.run import Stop

SMALL = {"columns": 4, "rows": 4, "connect": 3}


@dataclass(frozen=True, kw_only=True)
class Toy(Experiment):
    """Random against itself, as often as there are repeats."""

    name: str = "toy"
    paper: str = "Nobody 1900"
    title: str = "Chance against chance"
    published: str = "0.5"
    sizes: dict = field(default_factory=lambda: {"mini": Size(games=4, repeats=2),
                                                 "quick": Size(games=8, repeats=2),
                                                 "full": Size(games=16, repeats=2)})  # fmt: skip

    def cells(self, size: Size) -> tuple[Cell, ...]:
        return tuple(
            MatchCell(first="random", second="random", games=size.games, seed=seed, board=SMALL)
            for seed in range(size.repeats)
        )

    def report(self, found: Found, size: Size) -> Report:
        results = [found.get(cell) for cell in self.cells(size)]
        wins = sum(Played.of(result).tally.wins for result in results if result is not None)
        return Report(
            settings="Random.",
            compared=[Compared("wins", "half", str(wins), float(wins))],
            differences="None.",
            tables=[Table("All", ("a", "b"), [("x", "1")])],
            summary=f"{wins} wins",
        )


class Here:
    """Does tasks one by one in this process, and counts them; ``until`` says when to stop."""

    def __init__(self, until: Callable[[int], bool] = lambda done: False) -> None:
        self.done = 0
        self.until = until

    def run(
        self, tasks: Sequence[Task[Result]], stop: Stop, told: Told[Result]
    ) -> list[Result | None]:
        results: list[Result | None] = [None] * len(tasks)
        for number, task in enumerate(tasks):
            if stop.is_set() or self.until(self.done):
                break
            results[number] = task.run(task.folder, stop)
            self.done += 1
            told(task, results[number])
        return results


def files(folder: Path) -> list[str]:
    """Return all files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())

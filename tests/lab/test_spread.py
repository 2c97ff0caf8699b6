"""Contests in pieces on an executor come to the same result as in one."""

import pickle
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.arena.match import match_of, play_match, play_part
from connectlab.arena.tournament import play_tournament
from connectlab.game import Geometry
from connectlab.lab import spread
from connectlab.lab.bench import Bench
from connectlab.lab.executors.base import ExecutorError, Result, Task, Told
from connectlab.lab.measures import parse_measures
from connectlab.training.measurement import Measurement
from connectlab.training.run import RunStoppedError, Stop

BOARD = Geometry(4, 4, 3)
NEVER = threading.Event()


@dataclass
class Backwards:
    """Does tasks here, the last one first, each after a journey."""

    done: int = 0

    def run(
        self, tasks: Sequence[Task[Result]], stop: Stop, told: Told[Result]
    ) -> list[Result | None]:
        results: list[Result | None] = [None] * len(tasks)
        for number in reversed(range(len(tasks))):
            try:
                result = pickle.loads(pickle.dumps(tasks[number])).run(None, stop)
            except RunStoppedError:
                continue
            self.done += 1
            results[number] = pickle.loads(pickle.dumps(result))
            told(tasks[number], result)
        return results


def without_seconds(found: Measurement) -> Measurement:
    return replace(found, seconds=0.0)


@pytest.mark.parametrize("cuts", [(0, 20), (0, 7, 20), (0, 1, 2, 13, 20)])
@pytest.mark.parametrize("sides", ["alternate", "fixed"])
def test_a_match_does_not_depend_on_how_its_games_are_cut(
    cuts: tuple[int, ...], sides: spread.Sides
) -> None:
    a, b = make_agent("random", BOARD), make_agent("extend", BOARD)
    parts = [
        play_part(a, b, range(begin, end), sides=sides, seed=4) for begin, end in pairwise(cuts)
    ]
    whole = play_match(a, b, 20, sides=sides, seed=4)
    assert replace(match_of(parts, sides=sides, seed=4), seconds=0) == replace(whole, seconds=0)


def test_measures_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "LEAST_GAMES", 33)
    texts = [
        "quota:games=100",
        "score:extend,games=67",
        "score:extend,games=67,sides=second",
        "success:games=40",
        "exact",
    ]
    measures = parse_measures(texts)
    bench = Bench(make_agent("minimax:depth=2", BOARD), 5, threads=1)
    seen: list[tuple[int, int]] = []
    executor = Backwards()
    found = spread.measure_all(bench, measures, executor, NEVER, lambda *now: seen.append(now))
    assert found is not None
    assert executor.done == 4 + 3 + 3 + 2 + 1
    assert seen[-1] == (13, 13)
    assert [without_seconds(each) for each in found] == [
        without_seconds(bench.measure(measure)) for measure in measures
    ]


def test_a_tournament_in_pairings_is_the_same() -> None:
    agents = [make_agent(spec, BOARD) for spec in ("random", "extend", "random", "minimax:depth=2")]
    whole = play_tournament(agents, 21, seed=3).to_json()
    held = spread.hold_tournament(agents, 21, Backwards(), NEVER, seed=3)
    assert held is not None
    assert timeless(held.to_json()) == timeless(whole)


def timeless(plain: object) -> object:
    """Return a document without the times in it."""
    if isinstance(plain, dict):
        return {key: timeless(value) for key, value in plain.items() if key != "seconds"}
    return [timeless(each) for each in plain] if isinstance(plain, list) else plain


def test_what_was_stopped_has_no_result() -> None:
    stop = threading.Event()
    stop.set()
    agents = [make_agent("random", BOARD), make_agent("extend", BOARD)]
    assert spread.hold_tournament(agents, 10, Backwards(), stop) is None
    bench = Bench(agents[0], threads=1)
    assert spread.measure_all(bench, parse_measures(["quota"]), Backwards(), stop) is None


def test_tasks_say_which_files_they_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, positions = Path("runs/first"), Path("positions.txt")
    run.mkdir(parents=True)
    for file in (run / "latest.safetensors", run / "best.safetensors", positions):
        file.touch()
    players = ("random", "ntuple:runs/first", "mcts:value=ntuple:runs/first")
    for pair in ((0, 1), (0, 2), (1, 2)):
        assert spread.PairTask(players, pair, BOARD, 1, 0).files == (run / "best.safetensors",)
    (measure,) = parse_measures(["accuracy:positions=positions.txt"])
    assert spread.MeasureTask("random", measure, BOARD, 0).files == (positions,)
    contest = spread.Contest('external:command="./engine --fast"', 10, "fixed")
    with pytest.raises(ExecutorError, match="cannot travel"):
        _ = spread.GamesTask("random", contest, range(10), BOARD, 0).files

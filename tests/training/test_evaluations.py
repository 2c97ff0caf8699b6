"""Evaluations in a process of their own."""

from pathlib import Path

import pytest

from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.evaluation import EvaluationsBeside, EvaluationsHere, Judge
from connectlab.training.measurement import Measurement
from connectlab.training.metrics import Evaluation, RunError
from connectlab.training.run import evaluation_seed
from fake_learner import FakeConfig, FakeLearner, judge, refuse, stumble, vanish


def checkpoints(folder: Path, n: int) -> list[Path]:
    learner, paths = FakeLearner(FakeConfig(games=100)), []
    for number in range(n):
        learner.step()
        learner.checkpoint().save(folder / f"{number}")
        paths.append(folder / f"{number}")
    return paths


def collect_all(
    evaluations: EvaluationsBeside | EvaluationsHere, paths: list[Path]
) -> list[Evaluation]:
    for games, path in enumerate(paths, start=1):
        evaluations.submit(games, path, evaluation_seed(1, games))
    assert evaluations.outstanding == len(paths)
    found: list[Evaluation] = []
    while evaluations.outstanding:
        found += evaluations.collect(60.0)
    return found


def test_a_process_beside_finds_what_this_one_finds_in_the_same_order(tmp_path: Path) -> None:
    paths = checkpoints(tmp_path, 9)
    with EvaluationsBeside(judge) as beside, EvaluationsHere(judge) as here:
        found = collect_all(beside, paths)
        assert found == collect_all(here, paths)
    assert [evaluation.games for evaluation in found] == list(range(1, 10))
    assert len({evaluation.first.value for evaluation in found}) > 1


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (refuse, "the evaluation after 1 games failed: the board is too hard"),
        (stumble, "failed: ZeroDivisionError: one by none"),
        (vanish, "failed: the process ended with code 7"),
    ],
)
def test_a_failure_is_told(tmp_path: Path, by: Judge, says: str) -> None:
    with EvaluationsBeside(by) as beside, pytest.raises(RunError, match=says):
        collect_all(beside, checkpoints(tmp_path, 1))


def read(path: Path, seed: int) -> tuple[Measurement, ...]:
    Checkpoint.load(path)
    return judge(path, seed)


@pytest.mark.parametrize("kind", [EvaluationsBeside, EvaluationsHere])
def test_a_damaged_checkpoint_is_told_with_what_to_do(
    tmp_path: Path, kind: type[EvaluationsBeside | EvaluationsHere]
) -> None:
    (damaged := tmp_path / "damaged").write_bytes(b"nothing of ours")
    says = (
        rf"^the evaluation after 1 games failed: {damaged} is damaged .*; remove that file, and "
        "the run goes on without this evaluation$"
    )
    with kind(read) as evaluations, pytest.raises(RunError, match=says):
        collect_all(evaluations, [damaged])


def test_the_process_is_gone_afterwards(tmp_path: Path) -> None:
    with EvaluationsBeside(judge) as beside:
        process = beside._process
        assert process.is_alive()
    assert not process.is_alive()


def test_every_evaluation_has_a_seed_of_its_own() -> None:
    seeds = {evaluation_seed(seed, games) for seed in range(20) for games in range(0, 2000, 100)}
    assert len(seeds) == 400

"""Tables that learn from games of people: every game once, none lost, whoever is killed."""

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from connectlab.agents.qtable.agent import SOURCES
from connectlab.agents.qtable.training import QTableLearner
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.game.variants import Variant
from connectlab.lab import pupils
from connectlab.lab.jobs import new_job, old_job
from connectlab.lab.lessons import learn, make_pupil
from connectlab.lab.plans import Request, make_config
from connectlab.lab.records import GameRecord
from connectlab.lab.runs import Runs
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.display import Display
from connectlab.training.folder import RunRecord
from connectlab.training.learner import LearnerError
from connectlab.training.metrics import RunError

SMALL = Geometry(4, 4, 3)
BOARD: dict[str, object] = {"columns": 4, "rows": 4, "connect": 3}
GAMES = ("12131", "121314", "4232214", "11223", "2131214", "34343")


def finished(moves: str) -> GameRecord:
    """Cut a line of moves off where the game ends; play on at the left if it does not."""
    position = Position(SMALL)
    for column in [int(letter) - 1 for letter in moves] + 16 * [0, 1, 2, 3]:
        if not position.is_over and column in position.legal_columns:
            position = position.play(column)
    return GameRecord.of_moves(position.moves, SMALL)


def new_table(path: Path, **changes: object) -> Path:
    settings = {**BOARD, "games": 200, "opponents": "random", **changes}
    new_job(Request("qtable", changes=settings, measures=()), path).run(Display())
    return path


def learned_by(path: Path) -> QTableLearner:
    learner = QTableLearner(make_config("qtable", RunRecord.read(path).config))  # type: ignore[arg-type]
    learner.restore(Checkpoint.load(path / "state.safetensors"))
    return learner


def names_of(learner: QTableLearner) -> list[str]:
    """Return the names of all games that were learned, in order."""
    return [lesson.rpartition("@")[0] for lesson in learner.lessons]


def test_a_lesson_changes_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    path = new_table(tmp_path / "table")
    before, game = learned_by(path), finished("12131")
    lesson = learn(path, game, "one")
    after = learned_by(path)
    expected = before.learn_from([game.end])
    assert lesson.mean_change == expected["mean_change"]
    assert lesson.states_added == int(expected["states_added"])
    assert lesson.states == len(after.table)
    np.testing.assert_array_equal(after.table.entries()["values"], before.table.entries()["values"])
    assert [step.moves for step in lesson.steps] == ["", "1", "12", "121", "1213"]
    assert [step.column for step in lesson.steps] == [1, 2, 1, 3, 1]
    last = lesson.steps[-1]
    assert last.after > last.before, "the move that won is worth more now"
    assert last.after == pytest.approx(last.before + lesson.alpha * (50 - last.before), rel=1e-6)


def test_a_game_is_learned_once_however_often_it_is_given(tmp_path: Path) -> None:
    path = new_table(tmp_path / "table")
    first = learn(path, finished("12131"), "one")
    state = (path / "state.safetensors").read_bytes()
    again = learn(path, finished("12131"), "one")
    assert again.again
    assert again.steps == first.steps
    assert (path / "state.safetensors").read_bytes() == state
    (path / "lessons.jsonl").write_text("damaged\n[]\n")
    assert learn(path, finished("12131"), "one").again
    other = learn(path, finished("12131"), "another")
    assert not other.again


def test_a_game_is_known_by_its_record_whoever_gives_it_without_a_name(tmp_path: Path) -> None:
    """The page names its games, a file in the terminal has no name but is the same game."""
    path = new_table(tmp_path / "table")
    page, file = finished("12131"), finished("34343")
    learn(path, page, "one")
    state = (path / "state.safetensors").read_bytes()
    again = learn(path, GameRecord.from_json(page.to_text()))
    assert (again.again, again.game) == (True, "one")
    assert again.steps
    assert (path / "state.safetensors").read_bytes() == state
    assert not learn(path, file).again
    assert learn(path, file).again
    assert learn(path, file, "two").again, "it came as a file before it was sent"
    assert not learn(path, page.model_copy(update={"seed": 7})).again


def test_a_pupil_of_a_table_that_comes_along_leaves_it_as_it_was(tmp_path: Path) -> None:
    shipped = SOURCES.shipped_file("cheng-known")
    before = shipped.read_bytes()
    spec = make_pupil("cheng-known", tmp_path / "runs" / "mine")
    assert spec == f"qtable:{tmp_path / 'runs' / 'mine'}"
    lesson = learn(tmp_path / "runs" / "mine", GameRecord.of_moves("1212121"), "one")
    assert lesson.states_added > 0
    assert shipped.read_bytes() == before
    (view,) = Runs(tmp_path / "runs").look()[0]
    assert (view.state, view.player) == ("finished", spec)
    seen = pupils.look(tmp_path / "runs" / "mine")
    assert seen is not None
    assert (seen.player, seen.lessons) == (spec, 1)
    with pytest.raises(RunError, match="exists already"):
        make_pupil("cheng-known", tmp_path / "runs" / "mine")


def test_a_pupil_can_be_trained_on_and_forgets_no_lesson(tmp_path: Path) -> None:
    path = new_table(tmp_path / "table")
    learn(path, finished("12131"), "one")
    old_job(Request("qtable", changes={"games": 400}), path).run(Display())
    assert names_of(learned_by(path)) == ["one"]
    assert learn(path, finished("12131"), "one").again


def _give(path: Path, number: int) -> None:
    learn(path, finished(GAMES[number % len(GAMES)]), f"game {number}")


@pytest.mark.slow
def test_lessons_given_at_once_lose_nothing(tmp_path: Path) -> None:
    path = new_table(tmp_path / "table")
    before = learned_by(path)
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        pool.starmap(_give, [(path, number) for number in range(12)], chunksize=1)
    after = learned_by(path)
    assert sorted(names_of(after)) == sorted(f"game {number}" for number in range(12))
    for name in names_of(after):
        before.learn_from([finished(GAMES[int(name.split()[1]) % len(GAMES)]).end])
    np.testing.assert_array_equal(after.table.entries()["values"], before.table.entries()["values"])
    assert (path / "lessons.jsonl").read_text().count("\n") == 12


def test_a_process_killed_in_a_lesson_leaves_a_whole_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = new_table(tmp_path / "table")
    real = Checkpoint.save
    for breaks_at in (1, 2):
        calls = 0

        def save(self: Checkpoint, place: Path, last: int = breaks_at) -> None:
            nonlocal calls
            calls += 1
            if calls == last:
                raise KeyboardInterrupt
            real(self, place)

        monkeypatch.setattr(Checkpoint, "save", save)
        with pytest.raises(KeyboardInterrupt):
            learn(path, finished("12131"), f"broken at {breaks_at}")
        monkeypatch.setattr(Checkpoint, "save", real)
    assert names_of(learned_by(path)) == ["broken at 2"]
    assert not learn(path, finished("12131"), "broken at 1").again
    assert learn(path, finished("12131"), "broken at 2").again
    latest = Checkpoint.load(path / "latest.safetensors").arrays["values"]
    np.testing.assert_array_equal(latest, learned_by(path).table.entries()["values"])


def test_a_pupil_whose_name_was_taken_meanwhile_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, path = new_table(tmp_path / "table"), tmp_path / "pupil"
    real = Checkpoint.save

    def save(self: Checkpoint, place: Path) -> None:
        (path / "another").mkdir(parents=True, exist_ok=True)
        real(self, place)

    monkeypatch.setattr(Checkpoint, "save", save)
    with pytest.raises(RunError, match="exists already"):
        make_pupil(str(table), path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pupil", "table"]


def test_games_that_teach_nothing_are_refused_in_the_words_of_the_learner(tmp_path: Path) -> None:
    path = new_table(tmp_path / "table")
    with pytest.raises(LearnerError, match="is not over: only finished games"):
        learn(path, GameRecord.of_moves("12", SMALL))
    with pytest.raises(LearnerError, match="was played on a 7x6 connect-4 board"):
        learn(path, GameRecord.of_moves("1212121"))
    slipping = new_table(tmp_path / "slip", variant="slip:0.1")
    with pytest.raises(LearnerError, match="tell where stones landed, not which columns"):
        learn(slipping, _slip())


def _slip() -> GameRecord:
    return GameRecord.of_moves("12131", Geometry(4, 4, 3, Variant.parse("slip:0.1")))


def test_a_run_that_plays_with_its_best_takes_no_lessons(tmp_path: Path) -> None:
    path = new_table(tmp_path / "table")
    (path / "best.safetensors").write_bytes((path / "latest.safetensors").read_bytes())
    with pytest.raises(UserError, match="make a pupil of it in a new folder"):
        learn(path, finished("12131"))
    assert pupils.look(path) is None
    assert make_pupil(str(path), tmp_path / "pupil")
    assert not learn(tmp_path / "pupil", finished("12131")).again


@pytest.mark.usefixtures("fake")
def test_another_learner_takes_no_lessons(tmp_path: Path) -> None:
    new_job(Request("fake", measures=()), tmp_path / "fake").run(Display())
    with pytest.raises(RunError, match="only qtable learns from games"):
        learn(tmp_path / "fake", finished("12131"))

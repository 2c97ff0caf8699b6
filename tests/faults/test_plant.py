"""The planter of faults tells a fault that lived from one that was noticed."""

from dataclasses import replace
from pathlib import Path

import plant
import pytest
from plant import Fault, FaultError, plant_all, read_faults

PAGE = "web/static/js"
"""The page is a room too, though not one of Python; its list is called page."""
PACKAGES = sorted(
    path.parent.relative_to(plant.ROOT / "src" / "connectlab").as_posix()
    for path in (plant.ROOT / "src" / "connectlab").rglob("*/__init__.py")
    if path.parent.name != "connectlab"
)
ROOMS = [*PACKAGES, PAGE]
SUM = "def add(a: int, b: int) -> int:\n    return a + b\n"
TEST = "from sums import add\n\n\ndef test_add() -> None:\n    assert add(2, 2) == 4\n"


def list_of(room: str) -> str:
    """Return the name of a room's list; rooms of integrations and web may share it with others."""
    if room == PAGE:
        return "page"
    is_shared = room.startswith(("integrations/", "web/"))
    return room.replace("/", "-") if is_shared else room.rpartition("/")[2]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one function and a test that is not thorough."""
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "src" / "sums.py").write_text(SUM)
    (tmp_path / "tests" / "test_sums.py").write_text(TEST)
    return tmp_path


def fault(new: str, old: str = "a + b", tests: str = "tests/test_sums.py") -> Fault:
    return Fault("sums go wrong", "src/sums.py", old, new, (tests,))


def test_a_survivor_is_told_from_what_is_noticed(tree: Path) -> None:
    noticed, lived = plant_all([fault("a - b"), fault("a * b")], tree)
    assert (noticed.word, noticed.is_noticed) == ("noticed", True)
    assert (lived.word, lived.is_noticed) == ("LIVED", False)
    assert (tree / "src" / "sums.py").read_text() == SUM


def test_a_test_that_fails_anyway_proves_nothing(tree: Path) -> None:
    (tree / "tests" / "test_broken.py").write_text("def test() -> None:\n    assert False\n")
    for tests in ("tests/test_broken.py", "tests/no_such_test.py"):
        (outcome,) = plant_all([fault("a - b", tests=tests)], tree)
        assert (outcome.word, outcome.is_noticed) == ("BROKEN TEST", False)


def test_a_fault_that_stops_the_tests_from_running_proves_nothing(tree: Path) -> None:
    (outcome,) = plant_all([fault("(", old="def add(")], tree)
    assert not outcome.is_noticed


def test_a_fault_says_whether_its_tests_need_compiled_kernels(tree: Path) -> None:
    text = "import os\n\n\ndef test() -> None:\n    assert os.environ['NUMBA_DISABLE_JIT'] == '1'\n"
    (tree / "tests" / "test_plain.py").write_text(text)
    compiled = fault("a - b", tests="tests/test_plain.py")
    outcomes = plant_all([compiled, replace(compiled, jit=False)], tree)
    assert [outcome.word for outcome in outcomes] == ["BROKEN TEST", "LIVED"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (fault("a - b", old="a ** b"), "0 times, not once"),
        (fault("x", old="int"), "3 times, not once"),
        (fault("a + b"), "would stay as it is"),
    ],
)
def test_a_fault_that_cannot_be_planted_is_refused(tree: Path, wrong: Fault, reason: str) -> None:
    with pytest.raises(FaultError, match=reason):
        plant_all([wrong], tree)


def test_a_fault_that_is_not_described_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "room.toml"
    file.write_text('[[fault]]\nfile = "a"\nold = "b"\nnew = "c"\ntests = ["d"]\n')
    with pytest.raises(FaultError, match="a fault has file, new, old, tests, why"):
        read_faults([file])


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_faults_that_can_be_planted_in_it(room: str) -> None:
    faults = read_faults([plant.HERE / f"{list_of(room)}.toml"])
    assert len(faults) >= 3
    assert len({each.why for each in faults}) == len(faults)
    for each in faults:
        assert Path(each.file).parent == Path("src/connectlab", room)
        each.planted((plant.ROOT / each.file).read_text(encoding="utf-8"))
        for test in each.tests:
            file, _, name = test.partition("::")
            text = (plant.ROOT / file).read_text(encoding="utf-8")
            assert f"def {name.partition('[')[0]}(" in text, test


def test_every_list_of_faults_belongs_to_a_room() -> None:
    lists = {path.stem for path in plant.HERE.glob("*.toml")}
    assert lists == {list_of(room) for room in ROOMS}


def test_faults_are_chosen_by_a_part_of_their_reason_or_file(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = '[[fault]]\nwhy = "{}"\nfile = "src/sums.py"\nold = "a + b"\nnew = "a - b"\n'
    written += 'tests = ["tests/test_sums.py"]\n'
    (tree / "room.toml").write_text(written.format("one reason") + written.format("another"))
    monkeypatch.setattr(plant, "ROOT", tree)
    monkeypatch.setattr(plant, "HERE", tree)
    assert plant.main(["--only", "reason"]) == 0
    assert "1 of 1 faults" in capsys.readouterr().out
    assert plant.main(["--only", "nobody"]) == 2
    assert "no fault speaks of 'nobody'" in capsys.readouterr().err


def test_a_survivor_makes_the_command_fail(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "room.toml").write_text(
        '[[fault]]\nwhy = "w"\nfile = "src/sums.py"\nold = "a + b"\nnew = "a * b"\n'
        'tests = ["tests/test_sums.py"]\n'
    )
    monkeypatch.setattr(plant, "ROOT", tree)
    monkeypatch.setattr(plant, "HERE", tree)
    assert plant.main(["room"]) == 1
    (tree / "room.toml").write_text((tree / "room.toml").read_text().replace("a * b", "a - b"))
    assert plant.main([]) == 0

"""How the modules of the runtime become one file."""

import ast
import io
import sys
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from only_numpy import last_callable
from submissions import some_positions

from connectlab.agents import make_agent
from connectlab.game import Geometry
from connectlab.integrations.kaggle import ExportError, export
from connectlab.integrations.kaggle.players import RECIPES, make_submission
from connectlab.integrations.kaggle.runtime.weights import find_beside
from connectlab.integrations.kaggle.submission import (
    EMBEDDED_MOST,
    RUNTIME,
    Module,
    Submission,
    in_order,
)

FOLDER = Path(sys.modules[Submission.__module__].__file__ or "").parent / "runtime"
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
EXAMPLES = {
    "mlp": "mlp:1",
    "ntuple": f"ntuple:{Path(__file__).parents[2]}/golden/networks/ntuple-7x6-4.safetensors",
    "qtable": "qtable:cheng-known",
}
QUICK = sorted(set(RECIPES) - {"perfect", "dqn"})


def submission_of(name: str) -> Submission:
    return make_submission(make_agent(EXAMPLES.get(name, name)))


@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_the_runtime_needs_python_and_numpy_alone(name: str) -> None:
    module = Module(name)
    packages = {module.split(" ")[0].partition(".")[0] for module, _ in module.foreign}
    assert packages <= {"numpy", *sys.stdlib_module_names}
    assert set(module.needs) <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_all_imports_of_a_module_stand_on_top(name: str) -> None:
    tree = ast.parse(Module(name).source)
    kinds = [isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body[1:]]
    assert kinds == sorted(kinds, reverse=True)
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert len(inside) == sum(kinds)


def test_no_two_modules_of_the_runtime_define_the_same_name() -> None:
    names = Counter(name for module in MODULES for name in set(Module(module).names))
    assert {"Board", "answer", "OPEN"} <= set(names)
    assert [name for name, times in names.items() if times > 1] == []


def test_a_module_comes_after_those_it_needs() -> None:
    ordered = in_order(("ntuple_search", "play"))
    assert set(ordered) >= {"board", "clock", "deepening", "ntuple"}
    for place, name in enumerate(ordered):
        assert set(Module(name).needs) <= set(ordered[:place])


@pytest.mark.parametrize("name", QUICK)
def test_the_file_is_python_of_an_older_day_and_ends_with_the_agent(name: str) -> None:
    tree = ast.parse(submission_of(name).main, feature_version=(3, 10))
    last = tree.body[-1]
    assert isinstance(last, ast.FunctionDef)
    assert last.name == "agent"
    assert RUNTIME not in submission_of(name).main
    assert "noqa" not in submission_of(name).main


@pytest.mark.parametrize("name", QUICK)
def test_the_same_player_gives_the_same_bytes(name: str) -> None:
    one, two = submission_of(name), submission_of(name)
    assert one.files == two.files
    assert one.tarball == two.tarball


def test_the_head_of_the_file_says_what_it_is() -> None:
    head = make_submission(make_agent("minimax:depth=6")).main.split("\n\n")[0]
    assert head.splitlines()[0].startswith("# minimax:depth=6: a player for Kaggle's ConnectX")
    assert "# board: 7x6 connect-4" in head
    assert "# settings: depth=6, alpha_beta=True, force_center=False" in head


def test_a_spec_cannot_write_code_into_the_file() -> None:
    submission = Submission("a\nimport os", {"b": "c\n\rimport os"}, (), "None")
    assert [line for line in submission.main.splitlines() if line.startswith("import os")] == []


def test_small_weights_stand_in_the_file_and_large_ones_beside_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    small = Submission("", {}, (), "None", {"a": rng.random(100)})
    large = Submission("", {}, (), "None", {"a": rng.random(EMBEDDED_MOST // 8)})
    assert list(small.files) == ["main.py"]
    assert list(large.files) == ["main.py", "weights.npz"]
    for number, made in enumerate((small, large)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in made.files.items():
            (folder / name).write_bytes(content)
        weights = last_callable(folder / "main.py").__globals__["WEIGHTS"]  # type: ignore[attr-defined]
        assert np.array_equal(weights["a"], made.arrays["a"])


def test_weights_that_are_not_there_are_missed_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"nothing\.npz should lie beside main\.py"):
        find_beside("nothing.npz")
    (tmp_path / "nothing.npz").touch()
    assert find_beside("nothing.npz") == tmp_path / "nothing.npz"


def test_an_archive_holds_plain_files_without_dates() -> None:
    with tarfile.open(fileobj=io.BytesIO(submission_of("mlp").tarball)) as archive:
        assert [(entry.name, entry.mtime, entry.uid) for entry in archive] == [("main.py", 0, 0)]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("allis", "allis cannot be exported to Kaggle: random, extend"),
        ("external:command=true", "external cannot be exported"),
        ("mcts:value=ntuple:champion", "only with rollouts"),
        ("mcts:prior=negamax", "only with rollouts"),
    ],
)
def test_a_player_that_cannot_leave_is_refused(spec: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=said):
        export(spec, tmp_path / "main.py")
    assert list(tmp_path.iterdir()) == []


def test_variants_are_refused() -> None:
    from connectlab.game.variants import Variant

    slippery = Geometry(7, 6, 4, Variant.parse("slip:0.1"))
    with pytest.raises(ExportError, match="Kaggle plays the plain game"):
        make_submission(make_agent("minimax", slippery))


def test_a_learned_player_is_exported_for_its_own_board(tmp_path: Path) -> None:
    network = Path(__file__).parents[2] / "golden" / "networks" / "mlp-5x4-4.safetensors"
    path = export(f"mlp:{network}", tmp_path / "main.py")
    assert "Board(5, 4, 4)" in path.read_text()


def test_positions_to_compare_with_are_spread_over_the_game() -> None:
    plies = {position.ply for position in some_positions(100)}
    assert len(plies) > 15

"""Whatever the web names is a shipped player or lies in the runs folder; all else is refused."""

from pathlib import Path

import pytest

from connectlab.agents.registry import config_class, players, settings_class
from connectlab.errors import UserError
from connectlab.lab.measures import KINDS
from connectlab.web.guard import LEARNERS, MEANINGS, PLAYERS, Guard, _kinds
from connectlab.web.limits import Limits
from connectlab.web.options import WebError


@pytest.fixture
def guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Guard:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "first").mkdir(parents=True)
    (tmp_path / "runs" / "first" / "best.safetensors").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "best.safetensors").touch()
    return Guard(Path("runs"), Path("data"), Limits())


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "minimax:depth=5,alpha_beta=false",
        "ntuple:champion",
        "ntuple:champion,depth=4",
        "ntuple:runs/first",
        "ntuple:runs/first/best.safetensors",
        "ntuple:runs/not-there",
        "mcts:iterations=100,value=ntuple:champion",
        "mcts:iterations=100,prior=ntuple:runs/first",
        "openspiel:mcts",
    ],
)
def test_a_player_of_the_house_may_be_named(guard: Guard, spec: str) -> None:
    assert guard.spec(spec) == spec


@pytest.mark.parametrize("spec", ["external:command=ls", "kaggle:main.py", "kaggle:runs/main.py"])
def test_a_player_that_runs_programs_may_not(guard: Guard, spec: str) -> None:
    with pytest.raises(WebError, match="has no player"):
        guard.spec(spec)


@pytest.mark.parametrize(
    "path",
    [
        "elsewhere",
        "elsewhere/best.safetensors",
        "../runs/first",
        "runs/../elsewhere",
        "runs/first/../../elsewhere",
        "./elsewhere",
        "/etc/passwd",
        "~/first",
        "~",
        "runs2/first",
        "runs/first\0/../../x",
        "/proc/self/root/etc",
        "RUNS/first",
    ],
)
def test_no_path_leads_out_of_the_runs_folder(guard: Guard, path: str) -> None:
    for spec in (f'ntuple:"{path}"', f'qtable:"{path}"', f'mlp:"{path}"', f'dqn:"{path}"'):
        with pytest.raises(WebError, match="is not in the runs folder") as refused:
            guard.spec(spec)
        assert refused.value.status == 403


def test_an_absolute_path_into_the_runs_folder_is_not_how_it_is_written(
    guard: Guard, tmp_path: Path
) -> None:
    with pytest.raises(WebError, match="is not in the runs folder"):
        guard.spec(f"ntuple:{tmp_path}/runs/first")
    assert Guard(tmp_path / "runs", tmp_path, Limits()).spec(f"ntuple:{tmp_path}/runs/first")


def test_no_link_leads_out_of_the_runs_folder(guard: Guard, tmp_path: Path) -> None:
    (tmp_path / "runs" / "folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "runs" / "file.safetensors").symlink_to("../elsewhere/best.safetensors")
    (tmp_path / "runs" / "circle").symlink_to("circle")
    (tmp_path / "runs" / "inner").symlink_to("first")
    for name in ("folder", "folder/best.safetensors", "file.safetensors"):
        with pytest.raises(WebError, match="is not in the runs folder"):
            guard.spec(f"ntuple:runs/{name}")
    assert guard.spec("ntuple:runs/inner") == "ntuple:runs/inner"


@pytest.mark.parametrize("name", ["a" * 300, "a" * 300 + "/best.safetensors", "circle"])
def test_a_path_that_no_file_can_have_is_refused(guard: Guard, tmp_path: Path, name: str) -> None:
    (tmp_path / "runs" / "circle").symlink_to("circle")
    (tmp_path / "data" / "tuples").mkdir(parents=True)
    with pytest.raises(WebError, match="is not in the runs folder"):
        guard.spec(f"ntuple:runs/{name}")
    with pytest.raises(WebError, match="is not in the folder of tuple files"):
        guard.tuple_file(f"data/tuples/{'a' * 300}.json")


def test_a_link_within_a_run_leads_nowhere_else(guard: Guard, tmp_path: Path) -> None:
    """A folder is opened at its best checkpoint, so that may be no way out either."""
    (tmp_path / "runs" / "sly").mkdir()
    (tmp_path / "runs" / "sly" / "best.safetensors").symlink_to("../../elsewhere/best.safetensors")
    with pytest.raises(WebError, match="is not in the runs folder"):
        guard.spec("ntuple:runs/sly")


def test_a_runs_folder_that_is_a_link_itself_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real" / "first").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    guard = Guard(tmp_path / "link", tmp_path, Limits())
    assert guard.spec(f"ntuple:{tmp_path}/link/first")


@pytest.mark.parametrize(
    "spec",
    [
        'mcts:value="external:command=ls"',
        'mcts:prior="kaggle:main.py"',
        "mcts:value=ntuple:/etc/passwd",
        "mcts:prior=ntuple:runs/../elsewhere",
        'mcts:value="minimax:depth=60"',
    ],
)
def test_a_spec_within_a_spec_is_checked_alike(guard: Guard, spec: str) -> None:
    with pytest.raises(WebError):
        guard.spec(spec)


def test_specs_do_not_stand_within_each_other_without_end(guard: Guard) -> None:
    inner = "mcts:value=ntuple:champion"
    with pytest.raises(WebError, match="too deep"):
        guard.spec(f'mcts:value="{inner}"')


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=13",
        "mcts:iterations=200001",
        "mcts:seconds=11",
        "perfect:table_mb=65",
        "ntuple:champion,depth=17",
        f"minimax:depth={'9' * 400}",
        f"perfect:max_nodes={2**61}",
        "x" * 501,
        "minimax:depth=4" + " " * 500,
        "",
        ":",
        "minimax:depth=nan",
        "mcts:seconds=inf",
        "random:source=x",
    ],
)
def test_what_is_too_much_or_no_spec_is_refused_in_one_line(guard: Guard, spec: str) -> None:
    with pytest.raises(UserError) as refused:
        guard.spec(spec)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 700


@pytest.mark.parametrize("given", [13, 99, 10**400, "13", "99", "1e400", 13.5])
def test_the_limit_that_is_told_is_that_of_the_page(guard: Guard, given: object) -> None:
    """The player itself would allow 63, which nobody here could ask for."""
    told = "more than the page allows: 12$"
    with pytest.raises(WebError, match=told):
        guard.settings("minimax", {"depth": given})
    if isinstance(given, str):
        with pytest.raises(WebError, match=told):
            guard.spec(f"minimax:depth={given}")
        with pytest.raises(WebError, match=told):
            guard.spec(f'mcts:value="minimax:depth={given}"')


def test_settings_from_a_form_are_checked_as_a_spec_is(guard: Guard) -> None:
    assert guard.settings("minimax", {"depth": 4}) == "minimax"
    assert guard.settings("minimax", {"depth": 5}) == "minimax:depth=5"
    for name, settings in [
        ("ntuple", {"source": "/etc/passwd"}),
        ("minimax", {"depth": 40}),
        ("external", {"command": "ls"}),
        ("minimax", {"depth": True}),
        ("minimax", {"no": 1}),
    ]:
        with pytest.raises(UserError):
            guard.settings(name, settings)


def test_a_setting_of_free_text_is_closed_until_it_has_a_meaning() -> None:
    """Whoever adds one has to say here what it means, or it cannot be set from the web."""
    open_texts = {
        (kind, name, setting)
        for kind, models in (
            ("player", {name: settings_class(name) for name in PLAYERS}),
            ("learner", {name: config_class(name) for name in LEARNERS}),
            ("measure", KINDS),
        )
        for name, model in models.items()
        for setting, field in model.model_fields.items()
        if str in _kinds(field.annotation)
    }
    closed = {("measure", "accuracy", "positions"), ("measure", "proof", "holes")}
    assert open_texts - set(MEANINGS) == closed
    assert set(MEANINGS) <= open_texts


def test_a_setting_without_a_meaning_is_refused(guard: Guard) -> None:
    with pytest.raises(WebError, match="positions cannot be set from the page"):
        guard.measure("accuracy:positions=/etc/passwd")
    with pytest.raises(WebError, match="holes cannot be set from the page"):
        guard.measure("proof:sample=80,holes=/etc/passwd")


def test_players_of_other_packages_are_not_open_by_themselves(guard: Guard) -> None:
    assert set(players()) - set(PLAYERS) >= {"external", "kaggle"}
    with pytest.raises(WebError, match="has no player 'stranger'"):
        guard.spec("stranger:anything=1")


@pytest.mark.parametrize(
    ("learner", "settings"),
    [
        ("qtable", {"opponents": "random + external:command=ls"}),
        ("dqn", {"opponents": "self + ntuple:/etc/passwd"}),
        ("qtable", {"opponents": "minimax:depth=40"}),
        ("ntuple", {"creation": "file", "tuple_file": "/etc/passwd"}),
        ("ntuple", {"creation": "file", "tuple_file": "data/tuples/../secret"}),
        ("ntuple", {"games": 10**11}),
        ("ntuple", {"tuples": 2_000}),
        ("dqn", {"replay": 100_000_000}),
        ("external", {}),
    ],
)
def test_a_learner_is_checked_alike(
    guard: Guard, learner: str, settings: dict[str, object]
) -> None:
    with pytest.raises(UserError):
        guard.config(learner, settings)


def test_a_learner_within_the_limits_may_be_trained(guard: Guard, tmp_path: Path) -> None:
    assert guard.config("qtable", {"opponents": "self", "variant": "slip:0.1"}).name == "qtable"
    assert guard.config("dqn", {"opponents": "random + minimax:depth=2"}).name == "dqn"
    settings = {"creation": "file", "tuple_file": "data/tuples/mine.json"}
    assert guard.config("ntuple", settings).name == "ntuple"


@pytest.mark.parametrize(
    "measure",
    [
        "score:external:command=ls",
        "score:ntuple:/etc/passwd",
        "success:games=1000000",
        "proof",
        "proof:sample=100000",
        "proof:sample=80,memory_mb=100000",
    ],
)
def test_a_measure_is_checked_alike(guard: Guard, measure: str) -> None:
    with pytest.raises(UserError):
        guard.measure(measure)
    assert guard.measure("score:minimax").spec == "score:minimax"
    assert guard.measure("proof:sample=8000").spec == "proof:sample=8000"


def test_the_schema_of_a_form_has_the_limits_that_hold(guard: Guard) -> None:
    depth = guard.schema("minimax")["properties"]["depth"]  # type: ignore[index,call-overload]
    assert depth["maximum"] == 12  # type: ignore[index,call-overload]
    seconds = guard.schema("mcts")["properties"]["seconds"]  # type: ignore[index,call-overload]
    assert seconds["anyOf"][0]["maximum"] == 10.0  # type: ignore[index,call-overload]


def test_a_file_too_large_is_not_even_opened(guard: Guard, tmp_path: Path) -> None:
    small = Guard(Path("runs"), Path("data"), Limits(checkpoint_mb=0))
    (tmp_path / "runs" / "first" / "best.safetensors").write_bytes(b"x")
    with pytest.raises(WebError, match="too large"):
        small.spec("ntuple:runs/first/best.safetensors")
    with pytest.raises(WebError, match="too large"):
        small.spec("ntuple:runs/first")

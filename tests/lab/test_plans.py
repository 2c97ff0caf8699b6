"""What was asked for: configs from all sources, measures, grids, and mistakes in one line."""

import json
from pathlib import Path

import pytest

from connectlab.agents import AgentError
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.game import STANDARD, Geometry
from connectlab.game.variants import Variant
from connectlab.lab import bench
from connectlab.lab.measures import (
    AccuracyMeasure,
    ExactMeasure,
    QuotaMeasure,
    ScoreMeasure,
    SuccessMeasure,
)
from connectlab.lab.plans import (
    Plan,
    Request,
    Vary,
    choose_measures,
    make_config,
    make_vary,
    parse_changes,
    short_forms,
    usual_measures,
)
from connectlab.training.config import Preset
from connectlab.training.metrics import RunError
from fake_learner import FakeConfig

pytestmark = pytest.mark.usefixtures("fake")


@pytest.fixture(autouse=True)
def _presets(monkeypatch: pytest.MonkeyPatch) -> None:
    presets = {
        "quick": Preset({"games": 50, "step_games": 5}),
        "paper": Preset({"games": 400}, ("success:games=50,objective=framework",), 10),
        "often": Preset({}, evaluation_every=3),
    }
    monkeypatch.setattr(FakeConfig, "presets", presets)


def plan(repeat: int, *vary: str) -> Plan:
    varied, times = make_vary(FakeConfig(), vary, repeat=repeat)
    return Plan(
        learner="fake",
        preset=None,
        config=FakeConfig().plain(),
        threads=1,
        measures=[],
        evaluation_every=None,
        repeat=times,
        vary=varied,
    )


def test_the_later_source_wins(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("step_games = 7\nseed = 3\n")
    config = Request("fake", "quick", file, {"seed": "4"}).config()
    assert config == FakeConfig(games=50, step_games=7, seed=4)
    assert Request("fake").config() == FakeConfig()


def test_the_record_of_a_run_is_a_config_file(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps({"learner": "fake", "config": FakeConfig(seed=9).plain()}))
    assert Request("fake", file=file).config() == FakeConfig(seed=9)
    file.write_text(json.dumps({"seed": 8}))
    assert Request("fake", file=file).config() == FakeConfig(seed=8)
    file.write_text(json.dumps({"learner": "other", "config": {}}))
    with pytest.raises(AgentError, match="is of a run of other, not of fake"):
        Request("fake", file=file).config()


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.toml", "seed = ", "is no TOML file"),
        ("a.toml", '{"seed": 1}', "is no TOML file"),
        ("a.toml", "seeed = 1", "did you mean 'seed'"),
        ("a.json", "{", "is no JSON file"),
        ("a.json", "[1]", "holds no settings"),
        ("a.json", '{"seed": 1e400}', "seed=inf"),
        ("a.json", "[" * 100_000, "is no JSON file"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(AgentError, match=says) as told:
        Request("fake", file=tmp_path / name).config()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"seed": 2**63}, "seed=9223372036854775808"),
        ({"seed": "eleven"}, "seed=eleven"),
        ({"games": 0}, "games=0"),
        ({"games": 10**30}, "games=1000"),
        ({"columns": 99}, "99"),
        ({"sede": 1}, "did you mean 'seed'"),
    ],
)
def test_a_wrong_setting_is_one_line(values: dict[str, object], says: str) -> None:
    with pytest.raises(AgentError, match=says) as told:
        make_config("fake", values)
    assert "\n" not in str(told.value)


def test_changes_are_read_one_by_one() -> None:
    assert parse_changes(["a=1", " b = x=y "]) == {"a": "1", "b": "x=y"}
    for wrong in (["a"], ["=1"], ["a=1", "a=2"]):
        with pytest.raises(AgentError):
            parse_changes(wrong)


def test_only_games_may_be_set_anew(tmp_path: Path) -> None:
    old = FakeConfig(seed=5, games=50, step_games=5)
    assert Request("fake").config_of_old(tmp_path, old) == old
    assert Request("fake", changes={"seed": "5"}).config_of_old(tmp_path, old) == old
    more = Request("fake", changes={"games": "80"}).config_of_old(tmp_path, old)
    assert more == FakeConfig(seed=5, games=80, step_games=5)
    with pytest.raises(RunError, match="goes on with its own settings: seed is 5, not 6"):
        Request("fake", changes={"seed": "6"}).config_of_old(tmp_path, old)
    assert Request("fake", "quick").config_of_old(tmp_path, old) == old
    with pytest.raises(RunError, match="games is 60, not 50: change it by --set games=N"):
        Request("fake", "quick").config_of_old(tmp_path, FakeConfig(games=60, step_games=5))


def test_settings_that_are_told_only_where_set_are_compared_as_well(tmp_path: Path) -> None:
    plain = NTupleConfig(games=50)
    explores = NTupleConfig.model_validate({"games": 50, "epsilon_second": "0.3"})
    with pytest.raises(RunError, match=r"own settings: epsilon_second is none, not 0\.3"):
        Request("ntuple", changes={"epsilon_second": "0.3"}).config_of_old(tmp_path, plain)
    with pytest.raises(RunError, match=r"own settings: epsilon_second is 0\.3, not none"):
        Request("ntuple", changes={"epsilon_second": None}).config_of_old(tmp_path, explores)
    assert Request("ntuple").config_of_old(tmp_path, explores) == explores


def test_short_forms_of_measures() -> None:
    assert short_forms(None, None, exact=False) is None
    assert short_forms(None, 20, exact=False) == (SuccessMeasure(games=20),)
    assert short_forms(None, 0, exact=False) == ()
    assert short_forms(None, None, exact=True) == (ExactMeasure(), SuccessMeasure())
    assert short_forms(["quota"], None, exact=True) == (ExactMeasure(), QuotaMeasure())
    assert short_forms(["none"], None, exact=False) == ()
    with pytest.raises(RunError, match="give one of the two"):
        short_forms(["quota"], 5, exact=False)


def judged(request: Request) -> tuple[list[str], int | None]:
    config = request.config()
    measures, notice = request.judged_by(config)
    assert notice is None
    return [measure.spec for measure in measures], request.interval(config)


def test_a_preset_says_what_judges_its_run_and_how_often() -> None:
    assert judged(Request("fake")) == (["success"], None)
    assert judged(Request("fake", "quick")) == (["success"], None)
    assert judged(Request("fake", "paper")) == (["success:games=50,objective=framework"], 10)
    assert judged(Request("fake", "often")) == (["success"], 3)


def test_what_is_asked_for_wins_over_the_preset() -> None:
    asked = Request("fake", "paper", measures=(QuotaMeasure(),), evaluation_every=7)
    assert judged(asked) == (["quota"], 7)
    none_at_all = Request("fake", "paper", measures=())
    assert judged(none_at_all) == ([], 10)


def test_a_shorter_run_of_a_preset_is_evaluated_as_many_times() -> None:
    assert judged(Request("fake", "paper", changes={"games": "80"}))[1] == 2
    assert judged(Request("fake", "paper", changes={"games": "5"}))[1] == 1
    assert judged(Request("fake", "paper", changes={"games": "4000"}))[1] == 10


def test_exact_comes_before_what_the_preset_measures() -> None:
    usual = usual_measures("fake", "paper")
    found = short_forms(None, None, exact=True, usual=usual)
    assert found == (ExactMeasure(), SuccessMeasure(games=50, objective="framework"))
    assert short_forms(None, None, exact=False, usual=usual) is None


def test_a_board_that_is_too_hard_is_judged_by_other_measures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench, "perfect_success", lambda _: None)
    hard = Geometry(8, 7, 4)
    measures, notice = choose_measures(None, hard)
    assert measures == (QuotaMeasure(),)
    assert (
        notice == "8x7 connect-4 is too hard to be judged by perfect play: only quota is measured"
    )
    asked = (SuccessMeasure(), ScoreMeasure(source="extend"))
    measures, notice = choose_measures(asked, hard)
    assert measures == asked[1:]
    assert notice is not None
    assert choose_measures((QuotaMeasure(),), hard) == ((QuotaMeasure(),), None)
    assert choose_measures((), hard) == ((), None)
    with pytest.raises(RunError, match="too hard to be judged by perfect play: choose --measure"):
        choose_measures((SuccessMeasure(), ExactMeasure()), hard)


def test_a_board_with_a_book_is_judged_by_perfect_play() -> None:
    assert choose_measures(None, STANDARD) == ((SuccessMeasure(),), None)


def test_repeats_move_every_seed_and_nothing_else() -> None:
    configs = [variant.config for variant in plan(3).variants()]
    assert configs == [FakeConfig(seed=n, other_seed=n) for n in (1, 2, 3)]


def test_one_seed_can_be_moved_alone() -> None:
    configs = [variant.config for variant in plan(2, "other_seed").variants()]
    assert configs == [FakeConfig(), FakeConfig(other_seed=2)]
    configs = [variant.config for variant in plan(2, "step_games").variants()]
    assert configs == [FakeConfig(), FakeConfig(step_games=2)]


def test_a_grid_has_every_combination_and_its_repeats_share_seeds() -> None:
    variants = plan(2, "step_games=1,2", "games=10,20,30").variants()
    assert [variant.name for variant in variants] == [f"run-{n}" for n in range(1, 13)]
    assert [(v.config.games, v.config.seed) for v in variants] == [
        (games, seed) for seed in (1, 2) for _ in (1, 2) for games in (10, 20, 30)
    ]
    assert dict(variants[4].group) == {"step_games": "2", "games": "20"}
    assert len({json.dumps(dict(v.group)) for v in variants}) == 6


def test_more_repeats_leave_the_numbers_of_the_others() -> None:
    few, many = plan(2, "games=10,20").variants(), plan(3, "games=10,20").variants()
    assert many[: len(few)] == few


@pytest.mark.parametrize(
    ("vary", "says"),
    [
        (["sede"], "did you mean 'seed'"),
        (["seed="], "varies nothing"),
        (["=1"], "varies nothing"),
        (["games=1,"], "varies nothing"),
        (["seed", "seed=1,2"], "the same setting twice"),
        (["seed=1,2,1"], "--vary seed names the same value twice: 1$"),
        (["pause=0.1,0.2,0.10"], r"--vary pause names the same value twice: 0\.1 and 0\.10$"),
    ],
)
def test_a_wrong_variation_is_one_line(vary: list[str], says: str) -> None:
    with pytest.raises((AgentError, RunError), match=says):
        make_vary(FakeConfig(), vary, repeat=2)


def test_schedules_are_the_same_however_they_are_written() -> None:
    make_vary(NTupleConfig(), ["alpha=0.1,0.1->0.05"], repeat=None)
    with pytest.raises(RunError, match=r"the same value twice: 0\.1 and \.1$"):
        make_vary(NTupleConfig(), ["alpha=0.1,.1"], repeat=None)


def test_values_that_are_right_only_beside_others_are_no_mistake() -> None:
    grid = ["creation=file,walk", "tuple_file=some"]
    assert make_vary(NTupleConfig(), grid, repeat=None)[0][0].values == ("file", "walk")
    with pytest.raises(RunError, match=r"the same value twice: file$"):
        make_vary(NTupleConfig(), ["creation=file,file"], repeat=None)


def test_moving_needs_repeats_and_whole_numbers() -> None:
    with pytest.raises(RunError, match="add --repeat N"):
        make_vary(FakeConfig(), ["seed"], repeat=None)
    assert make_vary(FakeConfig(), ["seed=3,4"], repeat=None) == (
        [Vary(name="seed", values=("3", "4")), Vary(name="other_seed")],
        1,
    )


def test_a_value_of_the_grid_is_checked() -> None:
    with pytest.raises(AgentError, match="games=many"):
        plan(1, "games=5,many").variants()


def test_a_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = plan(2, "games=10,20")
    made.save(tmp_path)
    assert Plan.read(tmp_path) == made
    with pytest.raises(RunError, match="holds no plan"):
        Plan.read(tmp_path / "nowhere")
    for text in ("", "{}", '{"learner": 1}'):
        (tmp_path / "plan.json").write_text(text)
        with pytest.raises(RunError, match=r"plan\.json is damaged"):
            Plan.read(tmp_path)


@pytest.mark.parametrize(
    ("vary", "says"),
    [
        ({"name": "nosuch", "values": None}, "fake has no setting 'nosuch'"),
        ({"name": "nosuch", "values": ["1"]}, "fake has no setting 'nosuch'"),
        ({"name": "pause", "values": None}, "pause is no whole number"),
    ],
)
def test_a_plan_that_varies_what_cannot_vary_is_damaged(
    tmp_path: Path, vary: dict[str, object], says: str
) -> None:
    plan(2, "games=10,20").save(tmp_path)
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "vary": [vary]}))
    with pytest.raises(RunError, match=rf"plan\.json is damaged: {says}"):
        Plan.read(tmp_path)


def test_variants_are_judged_by_what_knows_them() -> None:
    slippery = Geometry(4, 4, 3, Variant(slip=0.1))
    usual = (SuccessMeasure(), QuotaMeasure(), AccuracyMeasure())
    measures, notice = choose_measures(usual, slippery)
    assert measures == usual[:2]
    assert notice == (
        "there are no solved positions of 4x4 connect-3 slip:0.1: only success, quota is measured"
    )
    assert choose_measures((ExactMeasure(),), slippery) == ((ExactMeasure(),), None)
    hidden = Geometry(4, 4, 3, Variant(counts=True))
    measures, notice = choose_measures(None, hidden)
    assert measures == (QuotaMeasure(),)
    assert notice == (
        "perfect play sees the board, which 4x4 connect-3 counts hides: only quota is measured"
    )
    with pytest.raises(RunError, match="there are no solved positions of 4x4 connect-3 counts"):
        choose_measures((AccuracyMeasure(positions="file.txt"),), hidden)
    large = Geometry(7, 6, 4, Variant(drop_row=0.1))
    with pytest.raises(RunError, match="too hard to be judged by perfect play"):
        choose_measures((SuccessMeasure(),), large)

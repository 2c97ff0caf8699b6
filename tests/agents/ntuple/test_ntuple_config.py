"""Which settings are taken, and that looking at them costs nothing."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.network import Network
from connectlab.agents.settings import AgentError


def test_settings_are_read_without_numba() -> None:
    code = "import connectlab.agents.ntuple.config, sys; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("epsilon", 2, "values must lie from 0 to 1"),
        ("epsilon", "0.5->1.5:linear", "values must lie from 0 to 1"),
        ("epsilon", -0.1, "values must lie from 0 to 1"),
        ("epsilon_second", 1.1, "values must lie from 0 to 1"),
        ("alpha", -0.1, "values must lie from 0 to 1000"),
        ("alpha", "1e999", "values must lie from 0 to 1000"),
        ("alpha", "0.1->1e999:linear", "values must lie from 0 to 1000"),
        ("alpha", {"start": "nan", "end": 1}, "values must lie from 0 to 1000"),
        ("gamma", 1.5, "less than or equal to 1"),
        ("gamma", "nan", "finite number"),
        ("theta", "inf", "finite number"),
        ("mu", 1e9, "less than or equal to 10"),
        ("initial_weights", "inf", "finite number"),
        ("initial_weights", 1e30, "less than or equal to 100"),
        ("beta", 9, "less than or equal to 8"),
        ("tuples", 10**9, "less than or equal to 2000"),
        ("length", 42, "less than or equal to 14"),
        ("tuple_seed", 2**64, "less than 9223372036854775808"),
        ("safe_second", "perhaps", "valid boolean"),
        ("restarts", -0.1, "greater than or equal to 0"),
        ("restarts", 1.1, "less than or equal to 1"),
        ("restarts", "nan", "finite number"),
        ("surprise", -0.1, "greater than or equal to 0"),
        ("surprise", 2.1, "less than or equal to 2"),
        ("surprise", "inf", "finite number"),
        ("output", "sigmoid", "'tanh' or 'linear'"),
        ("haste", -0.01, "greater than or equal to 0"),
        ("haste", 0.05, "after 23 others, would be worth less than a draw: 0.0434 is the most"),
        ("haste", "nan", "finite number"),
        ("average_games", 10**13, "less than or equal to 1000000000000"),
        ("states", 5, "should be 3 or 4"),
        ("rows", 11, "take boards of up to 10 rows"),
        ("creation", "file", "needs tuple_file"),
        ("tuple_file", "set.json", "tuple_file needs creation=file: creation=cover draws them"),
        ("slope", 1.5, "not permitted"),
    ],
)
def test_a_setting_out_of_its_bounds_is_refused(name: str, value: object, says: str) -> None:
    board = {"columns": 4, "connect": 4}
    with pytest.raises(ValidationError, match=says):
        NTupleConfig.model_validate({**board, name: value})


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 4), (6, 6), (7, 6), (7, 7), (3, 3)])
def test_the_haste_that_is_told_as_the_most_is_taken(columns: int, rows: int) -> None:
    board = {"columns": columns, "rows": rows, "connect": 3}
    with pytest.raises(ValidationError) as refused:
        NTupleConfig.model_validate({**board, "haste": 1})
    most = str(refused.value).partition("draw: ")[2].partition(" is")[0]
    assert NTupleConfig.model_validate({**board, "haste": float(most)}).haste > 0.01


@pytest.mark.parametrize("preset", NTupleConfig.presets)
def test_every_preset_is_within_the_bounds(preset: str) -> None:
    settings = NTupleConfig.presets[preset].settings
    config = NTupleConfig.model_validate(settings)
    assert settings.keys() <= config.model_fields_set


def of(preset: str) -> NTupleConfig:
    return NTupleConfig.model_validate(NTupleConfig.presets[preset].settings)


def test_the_standard_run_of_2012_is_the_papers() -> None:
    config = of("thill-p4")
    assert (config.tuples, config.length, config.states, config.tables) == (70, 8, 4, 2)
    assert (config.mirror, config.initial_weights, config.trace_lambda, config.gamma) == (
        True,
        0.0,
        0.0,
        1.0,
    )
    assert (str(config.alpha), config.games, config.updates) == ("0.01->0.001", 10_000_000, "thill")
    epsilon = config.epsilon.values(0, 2, config.games)
    assert epsilon[0] == pytest.approx(0.95, abs=0.02)
    assert config.epsilon.values(10_000_000, 1, config.games)[0] == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        ("thill-p3", {"states": 3}),
        ("thill-tuned", {"alpha": "0.004->0.002"}),
        ("thill-one-table-walk-p4", {"tables": 1}),
        ("thill-one-table-walk-p3", {"tables": 1, "states": 3}),
        ("thill-one-table-snake-p4", {"tables": 1, "creation": "snake"}),
        ("thill-one-table-snake-p3", {"tables": 1, "creation": "snake", "states": 3}),
        ("thill-one-table-sample-p4", {"tables": 1, "creation": "sample"}),
        ("thill-one-table-sample-p3", {"tables": 1, "creation": "sample", "states": 3}),
        ("thill-alpha-0.004", {"alpha": "0.01->0.004"}),
        ("thill-alpha-0.006", {"alpha": "0.01->0.006"}),
        ("thill-alpha-0.01", {"alpha": "0.01->0.01"}),
        ("thill-epsilon-constant", {"epsilon": "0.1"}),
        ("thill-epsilon-linear", {"epsilon": "0.95->0.1:linear"}),
        ("thill-epsilon-exponential", {"epsilon": "0.95->0.1"}),
        ("thill-epsilon-half", {"epsilon": "0.5->0.1:linear"}),
    ],
)
def test_every_other_curve_of_2012_differs_by_what_the_paper_changes(
    preset: str, changed: dict[str, object]
) -> None:
    standard, other = of("thill-p4").plain(), of(preset).plain()
    assert {key: other[key] for key in other if other[key] != standard[key]} == changed


@pytest.mark.parametrize("preset", NTupleConfig.presets)
def test_presets_of_a_paper_are_evaluated_as_in_the_paper(preset: str) -> None:
    """50 games every 100,000 in 2012, 200 games in 2015, where the interval is ours."""
    found = NTupleConfig.presets[preset]
    paper = preset.partition("-")[0]
    games = {"thill": 50, "konen": 200}.get(paper)
    measures = games and (f"success:games={games},objective=framework",)
    assert found.measures == measures
    assert found.evaluation_every == {"thill": 100_000, "konen": 20_000}.get(paper)
    if games:
        assert of(preset).games // (found.evaluation_every or 1) == 100


@pytest.mark.parametrize("traces", ["et", "res", "rep", "rr"])
def test_the_curves_of_the_poster_differ_in_rule_and_traces(traces: str) -> None:
    tdl = of(f"konen-tdl-{traces}")
    assert (str(tdl.alpha), str(tdl.epsilon), tdl.trace_lambda) == ("0.004->0.002", "0.1", 0.8)
    assert (tdl.initial_weights, tdl.traces, tdl.updates) == (0.0005, traces, "konen")
    exp = of(f"konen-tcl-exp-{traces}")
    assert (exp.rule, str(exp.alpha), exp.beta) == ("tcl-exp", "0.05", 2.7)


def test_the_rules_are_rewarded_as_in_the_framework_and_nothing_else_is() -> None:
    hasty = {name: of(name).haste for name in NTupleConfig.presets if of(name).haste}
    assert hasty == {name: 0.01 for name in NTupleConfig.presets if "konen-rules-" in name}


def test_rules_for_linear_units_have_one_as_in_the_framework() -> None:
    prefix = "konen-rules-"
    linear = {name for name in NTupleConfig.presets if of(name).output == "linear"}
    assert linear == {prefix + rule for rule in ("idbd", "k1", "autostep", "alpha-bounds")}


def test_a_network_that_cannot_fit_in_memory_is_refused_before_it_takes_any() -> None:
    settings = {"tuples": 2000, "length": 14, "creation": "sample", "columns": 9}
    with pytest.raises(AgentError, match="fewer or shorter tuples"):
        Network.create(NTupleConfig.model_validate(settings))


LATER = {
    "epsilon_second": "0.3",
    "safe_second": True,
    "restarts": 0.5,
    "surprise": 0.2,
    "output": "linear",
    "haste": 0.01,
}


@pytest.mark.parametrize(("name", "value"), LATER.items())
def test_settings_that_came_later_are_told_only_where_they_are_set(
    name: str, value: object
) -> None:
    """So that runs and results from before them are still the same."""
    assert not {"variant", *LATER} & NTupleConfig().plain().keys()
    given = NTupleConfig.model_validate({name: value}).plain()
    assert NTupleConfig.model_validate(given) == NTupleConfig.model_validate(given | {"seed": 1})
    assert {key: given[key] for key in LATER if key in given} == {name: value}


@pytest.mark.parametrize(("name", "text"), [("tables", "1"), ("tables", "2"), ("states", "3")])
def test_one_of_few_numbers_may_be_typed(name: str, text: str) -> None:
    config = NTupleConfig.model_validate({name: text})
    assert getattr(config, name) == int(text)


@pytest.mark.parametrize("text", ["3", "x", "1.0", ""])
def test_what_is_none_of_them_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        NTupleConfig.model_validate({"tables": text})

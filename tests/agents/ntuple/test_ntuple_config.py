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
        ("average_games", 10**13, "less than or equal to 1000000000000"),
        ("states", 5, "should be 3 or 4"),
        ("rows", 11, "take boards of up to 10 rows"),
        ("creation", "file", "needs tuple_file"),
        ("slope", 1.5, "not permitted"),
    ],
)
def test_a_setting_out_of_its_bounds_is_refused(name: str, value: object, says: str) -> None:
    board = {"columns": 4, "connect": 4}
    with pytest.raises(ValidationError, match=says):
        NTupleConfig.model_validate({**board, name: value})


@pytest.mark.parametrize("preset", NTupleConfig.presets)
def test_every_preset_is_within_the_bounds(preset: str) -> None:
    settings = NTupleConfig.presets[preset]
    config = NTupleConfig.model_validate(settings)
    assert settings.keys() <= config.model_fields_set


def test_a_network_that_cannot_fit_in_memory_is_refused_before_it_takes_any() -> None:
    settings = {"tuples": 2000, "length": 14, "creation": "sample", "columns": 9}
    with pytest.raises(AgentError, match="fewer or shorter tuples"):
        Network.create(NTupleConfig.model_validate(settings))

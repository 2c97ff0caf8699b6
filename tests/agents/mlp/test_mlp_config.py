"""The settings of the perceptron: presets as in Table 2, and what is refused."""

import numpy as np
import pytest
from pydantic import ValidationError

from connectlab.agents.mlp.config import MLPConfig

TABLE_2 = {
    1: (40, 14_000_000, [0.1, 0.05, 0.025]),
    2: (60, 14_000_000, [0.1, 0.05, 0.025]),
    3: (100, 14_000_000, [0.1, 0.05, 0.025]),
    4: (120, 6_000_000, [0.5, 0.25, 0.125, 0.0625, 0.03125]),
    5: (250, 14_000_000, [0.5, 0.25, 0.125, 0.0625]),
}


@pytest.mark.parametrize("number", TABLE_2)
def test_presets_are_the_networks_of_table_2(number: int) -> None:
    config = MLPConfig.model_validate(MLPConfig.presets[f"mlp-{number}"].settings)
    hidden, games, etas = TABLE_2[number]
    assert (config.hidden, config.games) == (hidden, games)
    assert (config.gamma, config.exploit, config.initial_weights) == (0.97, 0.7, 0.77)
    assert not config.both_sides and not config.mirror and config.optimiser == "sgd"
    values = config.eta.values(0, games // 1_000, games // 1_000)
    levels, first = np.unique(values, return_index=True)
    assert levels[::-1] == pytest.approx(etas)
    if number == 1:
        assert sorted(first.tolist()) == [0, 2_000, 6_000]


def test_every_preset_is_valid() -> None:
    for preset in MLPConfig.presets.values():
        config = MLPConfig.model_validate(preset.settings)
        assert MLPConfig.model_validate(config.plain()) == config


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"eta": -0.1}, "values must lie from 0 to 100"),
        ({"eta": "0.1->0.03:halving"}, "by halves"),
        ({"hidden": 0}, "greater than or equal to 1"),
        ({"exploit": 1.1}, "less than or equal to 1"),
        ({"gamma": 0}, "greater than 0"),
        ({"optimiser": "adam"}, "'sgd', 'momentum' or 'rmsprop'"),
        ({"columns": 9, "rows": 9}, "too large"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises((ValidationError, ValueError), match=says):
        MLPConfig.model_validate(settings)

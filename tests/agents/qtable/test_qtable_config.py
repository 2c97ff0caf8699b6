"""Settings that make no sense are refused in one line."""

import pytest
from pydantic import ValidationError

from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.training import QTableLearner


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"opponents": ""}, "from 1 to 16 players"),
        ({"opponents": "minmax"}, "did you mean 'minimax'"),
        ({"opponents": "random + minimax:dept=2"}, "did you mean 'depth'"),
        ({"opponents": "self + random"}, "self stands alone"),
        ({"opponents": "+".join(["random"] * 17)}, "from 1 to 16 players"),
        ({"reward_draw": 1}, "zero-sum"),
        ({"alpha": "1.5"}, "from 0 to 1"),
        ({"epsilon": "0.5->2:linear"}, "from 0 to 1"),
        ({"delta": 0}, "greater than 0"),
        ({"sigma": 0}, "greater than 0"),
        ({"reward_win": -1}, "greater than 0"),
        ({"known": "never"}, "'off', 'first' or 'always'"),
        ({"known": 1}, "'off', 'first' or 'always'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        QTableConfig.model_validate(changes)


def test_opponents_are_written_in_one_way() -> None:
    config = QTableConfig.model_validate({"opponents": " random+minimax:depth=2 "})
    assert config.opponents == "random + minimax:depth=2"
    assert config.opponent_specs == ("random", "minimax:depth=2")
    assert QTableConfig.model_validate(config.plain()) == config


@pytest.mark.parametrize(
    ("given", "reading"),
    [(False, "off"), ("false", "off"), (True, "first"), ("True", "first"), ("always", "always")],
)
def test_known_states_are_true_false_or_a_reading(given: object, reading: str) -> None:
    assert QTableConfig.model_validate({"known": given}).known == reading


@pytest.mark.parametrize("name", QTableConfig.presets)
def test_every_preset_can_be_trained(name: str) -> None:
    short = {**QTableConfig.presets[name].settings, "games": 20, "parallel": 10}
    learner = QTableLearner(QTableConfig.model_validate(short))
    learner.step()
    assert learner.games_done > 0


def test_the_presets_of_the_paper_are_the_papers() -> None:
    """10,000 games, 50 for a win and nothing else, ties by first index, 25, 20 and 15 if known."""
    plain, known = (
        QTableConfig.model_validate(QTableConfig.presets[name].settings)
        for name in ("cheng", "cheng-known")
    )
    assert plain.games == known.games == 10_000
    assert (plain.reward_win, plain.reward_draw, plain.reward_loss) == (50, 0, 0)
    assert (plain.exploration, plain.traces, plain.ties) == ("vdbe-softmax", "limited", "first")
    assert (plain.known, known.known, known.shaping) == ("off", "first", False)
    assert (known.known_win, known.known_block, known.known_streak) == (25, 20, 15)
    assert known.model_copy(update={"known": "off"}) == plain

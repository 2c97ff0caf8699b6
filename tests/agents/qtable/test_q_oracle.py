"""The compiled learner learns what the naive one does: the same states, values and epsilons."""

import numpy as np
import pytest
from naive_q import Board, NaiveLearner

from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.model import Model, decode_keys
from connectlab.agents.qtable.training import QTableLearner

BOARD = {"columns": 4, "rows": 4, "connect": 3}
GAMES = 150
VDBE = {"exploration": "vdbe-softmax", "sigma": 3.0}
SETTINGS: list[dict[str, object]] = [
    {"traces": "none"},
    {"traces": "full"},
    {"traces": "limited", "known": True},
    {"mirror": True, "known": True, "alpha": "0.9->0.1"},
    {"ties": "first", "trace_lambda": 1.0, "gamma": 1.0},
    {**VDBE, "known": True},
    {"opponents": "random", "traces": "none", "side": "first"},
    {"opponents": "random", "reward_loss": -50, "reward_draw": 5, "replacing": False},
    {"opponents": "random", "traces": "limited", "known": True, "side": "second"},
    {"opponents": "random", **VDBE, "ties": "first", "known": True, "known_streak": 4},
    {"opponents": "random", **VDBE, "delta": 0.3, "temperature": 0.4, "reward_loss": -20},
    {"columns": 7, "rows": 6, "connect": 4, "known": True, "mirror": True, **VDBE},
    {"variant": "slip:0.3", "known": True, "mirror": True},
    {"variant": "slip:0.2", "opponents": "random", "traces": "limited", **VDBE},
    {"variant": "drop-row:0.2", "traces": "full", "replacing": False, "known": True},
    {"variant": "slip:0.1+drop-row:0.3", "opponents": "random", "traces": "full"},
    {"columns": 3, "rows": 5, "connect": 4, "opponents": "random", "epsilon": "1->0.1:linear"},
    {"known": "always", "mirror": True},
    {"known": "always", "opponents": "random", "traces": "limited", **VDBE, "known_streak": 0},
    {"shaping": True, "opponents": "random", "side": "both", "reward_loss": -50},
    {"shaping": True, "known": "always", "variant": "slip:0.4", "traces": "limited"},
    {"shaping": True, "known": True, "variant": "drop-row:0.2", "opponents": "random"},
]


def config_of(changes: dict[str, object]) -> QTableConfig:
    small = changes.get("columns", 4) == 4
    games = GAMES if small else GAMES // 5
    return QTableConfig.model_validate({**BOARD, "games": games, "seed": 5, **changes})


def kept_boards(model: Model) -> list[Board]:
    """The boards of all states in the order of their entries, as the naive learner writes them."""
    boards = decode_keys(model.table.arrays.keys[: len(model.table)], model.geometry).cells()
    return [tuple(tuple(int(cell) for cell in row) for row in grid[::-1]) for grid in boards]


@pytest.mark.parametrize("changes", SETTINGS, ids=str)
def test_the_table_is_that_of_the_naive_learner(changes: dict[str, object]) -> None:
    config = config_of(changes)
    naive, learner = NaiveLearner(config), QTableLearner(config)
    naive.learn(config.games)
    while learner.games_done < config.games:
        learner.step()
    n, arrays = len(learner.table), learner.table.arrays
    assert kept_boards(learner.model) == list(naive.values), "the same states in the same order"
    assert arrays.values[:n].tolist() == [[np.float32(v) for v in q] for q in naive.values.values()]
    assert arrays.visits[:n].tolist() == list(naive.visits.values())
    if learner.table.has_epsilon:
        assert np.allclose(arrays.epsilon[:n], list(naive.epsilon.values()), rtol=1e-6)
    assert np.abs(arrays.values[:n]).max() > 0


def test_the_oracle_can_disagree() -> None:
    config = config_of({"traces": "none"})
    naive, learner = NaiveLearner(config), QTableLearner(config.model_copy(update={"seed": 6}))
    naive.learn(config.games)
    learner.step()
    assert kept_boards(learner.model) != list(naive.values)


def test_limited_traces_learn_the_values_of_full_ones_and_enter_more_states() -> None:
    """Without known states what is entered and not visited holds zeros."""
    learners = []
    for traces in ("full", "limited"):
        config = config_of({"traces": traces, "opponents": "random", "ties": "first"})
        learner = QTableLearner(config)
        while learner.games_done < config.games:
            learner.step()
        learners.append(learner)
    full, limited = (
        dict(zip(kept_boards(each.model), each.table.arrays.values, strict=False))
        for each in learners
    )
    assert len(limited) > len(full)
    assert all(np.array_equal(limited[board], row) for board, row in full.items())
    assert not any(limited[board].any() for board in limited.keys() - full.keys())

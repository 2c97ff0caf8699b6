"""The environment of PettingZoo: its own tests, and play that agrees with the rules."""

import pickle
import warnings

import numpy as np
import pytest
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from connectlab.errors import GameError, UserError
from connectlab.game import Position
from connectlab.integrations import pettingzoo

with warnings.catch_warnings():  # where pygame is installed, these import environments that warn
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, render_test, seed_test

WON_BY_FIRST = (3, 3, 2, 2, 4, 4, 5)

by_name = pytest.mark.filterwarnings(
    # PettingZoo expects dicts, and empty boards, of its own environments only, by their names.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation numpy array is all zeros",
)


@by_name
@pytest.mark.parametrize(
    "settings",
    [{}, {"columns": 4, "rows": 5, "connect": 3}, {"variant": "slip:0.2+drop-row:0.1"}],
    ids=["standard", "small", "chance"],
)
def test_passes_the_api_test(settings: dict[str, object]) -> None:
    api_test(pettingzoo.env(**settings), num_cycles=100)


def test_passes_the_seed_test() -> None:
    seed_test(pettingzoo.env, num_cycles=40)


def test_passes_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(pettingzoo.env)
    assert "1 2 3 4 5 6 7" in capsys.readouterr().out


def test_a_pickled_environment_has_the_same_settings() -> None:
    made = pettingzoo.env(columns=5, rows=4, connect=3)
    copy = pickle.loads(pickle.dumps(made))
    copy.reset()
    assert copy.observe("player_0")["observation"].shape == (4, 5, 2)


def test_shows_the_mover_its_own_stones_first() -> None:
    env = pettingzoo.raw_env()
    env.reset()
    position = Position()
    for column in WON_BY_FIRST[:-1]:
        env.step(column)
        position = position.play(column)
        sign = 1 if position.first_to_move else -1
        cells = sign * position.to_array()
        seen = env.observe(env.agent_selection)
        waits = env.observe("player_1" if env.agent_selection == "player_0" else "player_0")
        assert np.array_equal(seen["observation"], np.stack([cells == 1, cells == -1], axis=2))
        assert np.array_equal(waits["observation"], seen["observation"][:, :, ::-1])
        assert seen["action_mask"].all()
        assert not waits["action_mask"].any()


def test_a_full_column_is_masked() -> None:
    env = pettingzoo.raw_env()
    env.reset()
    for _ in range(6):
        env.step(1)
    assert env.observe(env.agent_selection)["action_mask"].tolist() == [1, 0, 1, 1, 1, 1, 1]


def test_the_winner_gets_what_the_loser_loses() -> None:
    env = pettingzoo.env()
    env.reset()
    for column in WON_BY_FIRST:
        assert not any(env.terminations.values())
        env.step(column)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert all(env.terminations.values())
    assert not env.observe(env.agent_selection)["action_mask"].any()


def test_a_full_board_is_a_draw() -> None:
    env = pettingzoo.env(columns=3, rows=2, connect=4)
    env.reset()
    for column in (0, 0, 1, 1, 2, 2):
        env.step(column)
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert all(env.terminations.values())


def play_into_a_full_column(env: object) -> list[object]:
    """Fill a column and try one stone more; return all that then can be seen."""
    env.reset()
    while not any(env.terminations.values()):
        env.step(0)
    seen: list[object] = [dict(env.rewards), dict(env.terminations), dict(env.truncations)]
    for agent in env.agent_iter():
        observation, *rest = env.last()
        seen += [agent, observation["observation"].tolist(), rest]
        env.step(None)
    return [*seen, env.agents]


@pytest.mark.parametrize("spare", [0, 1], ids=["first", "second"])
def test_an_illegal_move_ends_the_game_as_the_wrapper_would(spare: int) -> None:
    settings = {"columns": 4, "rows": 2 + spare, "connect": 4}
    ours = play_into_a_full_column(pettingzoo.env(**settings))
    wrapped = TerminateIllegalWrapper(pettingzoo.raw_env(**settings), illegal_reward=-1)
    assert ours == play_into_a_full_column(wrapped)
    assert ours[0] == {f"player_{spare}": -1, f"player_{1 - spare}": 0}


def test_the_bare_environment_refuses_an_illegal_move() -> None:
    env = pettingzoo.raw_env(columns=4, rows=2)
    env.reset()
    env.step(0)
    env.step(0)
    with pytest.raises(GameError, match="column 1 is full"):
        env.step(0)
    with pytest.raises(GameError, match="not None"):
        env.step(None)


def test_a_column_that_is_not_there_is_refused() -> None:
    env = pettingzoo.env()
    env.reset()
    for column in (-1, 7):
        with pytest.raises(GameError, match="there is no column"):
            env.step(column)
    assert env.agent_selection == "player_0"


def test_says_that_a_game_must_have_begun() -> None:
    env = pettingzoo.env()
    for call in (lambda: env.step(0), env.last, env.render, lambda: next(iter(env.agent_iter()))):
        with pytest.raises(AttributeError, match="call reset first"):
            call()


def test_says_that_a_game_is_over() -> None:
    env = pettingzoo.env()
    env.reset()
    for column in (*WON_BY_FIRST, None, None):
        env.step(column)
    with pytest.raises(UserError, match="call reset"):
        env.step(0)


def play_by_chance(seed: int | None, env: pettingzoo.ConnectAECEnv) -> np.ndarray:
    env.reset(seed=seed)
    while not env.terminations["player_0"]:
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    return env.observe("player_0")["observation"]


def test_the_chances_of_a_variant_belong_to_the_seed() -> None:
    env = pettingzoo.raw_env(columns=6, rows=5, variant="slip:0.5")
    games = [play_by_chance(seed, env) for seed in (3, None, None, 3, None, None)]
    assert np.array_equal(games[:3], games[3:])
    assert not np.array_equal(games[0], games[1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "counts"}, "no variant counts"),
        ({"columns": 1, "rows": 1}, "two cells or more"),
        ({"columns": 20}, "too large"),
        ({"render_mode": "3d"}, "render_mode is one of"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(settings: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        pettingzoo.env(**settings)

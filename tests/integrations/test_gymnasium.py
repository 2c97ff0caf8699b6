"""The environment of Gymnasium for one agent: its own checks, and games that follow the rules."""

import builtins
import copy
import importlib
import pickle
import re
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from opponents import QuitterAgent, QuitterSettings

import connectlab
from connectlab.agents import AgentError, make_agent
from connectlab.errors import GameError, UserError
from connectlab.game import Position
from connectlab.game.streams import make_streams
from connectlab.integrations.gymnasium import ID, ConnectEnv, Stepped
from connectlab.integrations.series import FIRSTS, RANDOM, agent_begins, stream_of

SETTINGS = [
    {},
    {"opponent": "minimax:depth=2", "first": "random"},
    {"opponent": "self"},
    {"columns": 5, "rows": 4, "connect": 3, "variant": "slip:0.3+drop-row:0.1"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["plain", "minimax", "self", "chance"])
def test_passes_the_check_without_a_warning(settings: dict[str, object]) -> None:
    check_env(gymnasium.make(ID, **settings).unwrapped)


def test_is_made_by_its_id() -> None:
    env = gymnasium.make(ID, opponent="extend", columns=5, rows=4, connect=3)
    observation, info = env.reset(seed=1)
    assert observation.shape == (4, 5, 2)
    assert env.action_space.n == 5
    assert info["action_mask"].tolist() == [1] * 5
    assert env.unwrapped.opponent.spec == "extend"


def test_the_module_of_the_id_can_be_named_with_it() -> None:
    env = gymnasium.make(f"connectlab.integrations.gymnasium:{ID}", opponent="self")
    assert isinstance(env.unwrapped, ConnectEnv)


def test_only_the_doors_need_packages_of_the_extra() -> None:
    package = Path(connectlab.__file__).parent
    importing = re.compile(r"^\s*(from|import) (gymnasium|pettingzoo)\b", re.MULTILINE)
    found = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if importing.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"integrations"}


def play(env: ConnectEnv, seed: int | None, by: int = 0) -> list[Stepped]:
    """Play a game with actions drawn from a generator; return every step."""
    _, info = env.reset(seed=seed)
    rng, steps = np.random.default_rng(by), []
    while not steps or not steps[-1][2]:
        steps.append(env.step(int(rng.choice(np.flatnonzero(info["action_mask"])))))
        info = steps[-1][4]
    return steps


def same(left: list[Stepped], right: list[Stepped]) -> bool:
    return len(left) == len(right) and all(
        np.array_equal(a[0], b[0]) and a[1:4] == b[1:4] for a, b in zip(left, right, strict=True)
    )


@pytest.mark.parametrize("settings", SETTINGS[:2] + SETTINGS[3:])
def test_a_seed_repeats_a_series_of_games(settings: dict[str, object]) -> None:
    env = ConnectEnv(**settings)
    series = [play(env, seed) for seed in (5, None, None, 5, None, None, 6)]
    assert all(same(series[i], series[i + 3]) for i in range(3))
    assert not same(series[0], series[1])
    assert not same(series[0], series[6])
    assert same(play(ConnectEnv(**settings), 5), series[0])


def test_without_a_seed_games_differ() -> None:
    games = [play(ConnectEnv(), None) for _ in range(3)]
    assert not (same(games[0], games[1]) and same(games[1], games[2]))


@pytest.mark.parametrize("first", ["agent", "opponent"])
def test_follows_the_rules_and_the_opponent(first: str) -> None:
    """Play the same game with ``Position`` and the opponent's own choices."""
    env, seed = ConnectEnv("minimax:depth=2", first), 11
    minimax, stream = make_agent("minimax:depth=2"), int(make_streams(seed, 1)[0])
    observation, info = env.reset(seed=seed)
    position = Position()
    if first == "opponent":
        position = position.play(minimax.choose_one(position, stream=stream))
    rng, over = np.random.default_rng(3), False
    while not over:
        sign = 1 if first == "agent" else -1
        cells = sign * position.to_array()
        assert np.array_equal(observation, np.stack([cells == 1, cells == -1], axis=2))
        assert np.flatnonzero(info["action_mask"]).tolist() == list(position.legal_columns)
        assert np.array_equal(env.action_masks(), info["action_mask"])
        column = int(rng.choice(position.legal_columns))
        observation, reward, over, cut, info = env.step(column)
        position = position.play(column)
        if not position.is_over:
            position = position.play(minimax.choose_one(position, stream=stream))
        assert over == position.is_over
        assert not cut
        assert not info["forfeit"]
    assert reward == sign * position.outcome.first_player_value
    cells = sign * position.to_array()
    assert np.array_equal(observation, np.stack([cells == 1, cells == -1], axis=2))
    assert info["action_mask"].all()


def test_alone_each_step_is_a_move_of_the_side_to_move() -> None:
    env = ConnectEnv("self")
    observation, _ = env.reset()
    for number, column in enumerate((3, 3, 2, 2, 4, 4)):
        assert observation[:, :, 0].sum() == number // 2
        assert observation[:, :, 1].sum() == (number + 1) // 2
        observation, reward, over, _, _ = env.step(column)
        assert (reward, over) == (0.0, False)
    observation, reward, over, _, _ = env.step(5)
    assert (reward, over) == (1.0, True)
    assert observation[-1, 2:6, 0].all(), "the winner sees its own line"


def test_who_begins() -> None:
    def begins(env: ConnectEnv, games: int) -> list[bool]:
        return [not env.reset(seed=9 if k == 0 else None)[0].any() for k in range(games)]

    assert begins(ConnectEnv(first="agent"), 4) == [True] * 4
    assert begins(ConnectEnv(first="opponent"), 4) == [False] * 4
    assert begins(ConnectEnv(first="alternate"), 4) == [True, False, True, False]
    drawn = begins(ConnectEnv(first="random"), 200)
    assert 70 < sum(drawn) < 130
    assert drawn == begins(ConnectEnv(first="random"), 200)
    assert drawn == [bool(agent_begins(RANDOM, k, stream_of(9, k))) for k in range(200)]


def test_streams_are_those_of_the_arena() -> None:
    assert [stream_of(7, k) for k in range(5)] == make_streams(7, 5).tolist()


@pytest.mark.parametrize("column", [0, 4, -1])
def test_an_illegal_move_loses(column: int) -> None:
    env = ConnectEnv("self", columns=4, rows=2)
    env.reset()
    env.step(0)
    before, *_ = env.step(0)
    observation, reward, over, _, info = env.step(column)
    assert (reward, over, info["forfeit"]) == (-1.0, True, True)
    assert np.array_equal(observation, before)
    with pytest.raises(UserError, match="the game is over"):
        env.step(1)


def test_an_illegal_move_can_be_refused() -> None:
    env = ConnectEnv("self", columns=4, rows=2, illegal="refuse")
    env.reset()
    env.step(0)
    env.step(0)
    with pytest.raises(GameError, match="column 1 is full"):
        env.step(0)
    _, reward, over, _, _ = env.step(1)
    assert (reward, over) == (0.0, False)


QUITS = "ignore:quitter.* chose a column without room:UserWarning"


def test_a_warning_tells_why_an_opponent_forfeits() -> None:
    env = ConnectEnv(QuitterAgent(), first="opponent")
    with pytest.warns(UserWarning, match="quitter.* chose a column without room: the agent wins"):
        env.reset(seed=1)


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(UserError, match="no game has begun: call reset"):
        ConnectEnv().step(3)


@pytest.mark.filterwarnings(QUITS)
def test_an_opponent_that_gives_up_has_lost() -> None:
    env = ConnectEnv(QuitterAgent(QuitterSettings(stones=3)))
    env.reset()
    assert env.step(3)[1:3] == (0.0, False)
    observation, reward, over, _, info = env.step(3)
    assert (reward, over, info["forfeit"]) == (1.0, True, True)
    assert observation[:, :, 0].sum() == 2


@pytest.mark.filterwarnings(QUITS)
def test_an_opponent_that_gives_up_at_once_loses_at_the_first_move() -> None:
    env = ConnectEnv(QuitterAgent(), first="opponent")
    for _ in range(2):
        observation, info = env.reset()
        assert not observation.any()
        assert not info["forfeit"]
        _, reward, over, _, info = env.step(0)
        assert (reward, over, info["forfeit"]) == (1.0, True, True)


def test_renders_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), (None, type(None))):
        env = ConnectEnv(render_mode=mode)
        env.reset()
        assert isinstance(env.render(), kind)
    env = ConnectEnv("self", render_mode="human")
    env.reset()
    env.step(0)
    assert capsys.readouterr().out.endswith("X . . . . . .\n1 2 3 4 5 6 7\n")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponent": "minmax"}, "did you mean 'minimax'"),
        ({"opponent": 3}, "opponent is a spec such as minimax:depth=2"),
        ({"first": "me"}, f"first is one of {', '.join(FIRSTS)}"),
        ({"illegal": "ignore"}, "illegal is lose or refuse"),
        ({"variant": "counts"}, "no variant counts"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(settings: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message) as raised:
        ConnectEnv(**settings)
    assert "\n" not in str(raised.value)


def test_a_player_for_another_board_is_refused() -> None:
    with pytest.raises(AgentError, match="made for the 7x6"):
        ConnectEnv(make_agent("random"), columns=6)


@pytest.mark.parametrize(
    ("module", "package"),
    [("gymnasium", "gymnasium"), ("vector", "gymnasium"), ("pettingzoo", "pettingzoo")],
)
def test_a_missing_package_is_told_in_one_line(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"connectlab.integrations.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delitem(sys.modules, "connectlab.integrations.gymnasium", raising=False)
    monkeypatch.setattr(builtins, "__import__", _without(package, builtins.__import__))
    with pytest.raises(UserError, match=rf"^{package} is not installed: pip install 'connect"):
        importlib.import_module(name)


def _without(package, real):
    def refuse(name, *arguments, **named):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *arguments, **named)

    return refuse


@pytest.mark.parametrize("action", [2.7, "3", True, None, [1], np.array([1]), np.float32(2)])
def test_an_action_is_a_whole_number(action: object) -> None:
    env = ConnectEnv()
    env.reset(seed=1)
    with pytest.raises(UserError, match="an action is a whole number"):
        env.step(action)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [-1, 7, 2**63, np.int64(-5)])
def test_a_column_beyond_the_board_loses_like_a_full_one(action: int) -> None:
    env = ConnectEnv()
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(action)
    assert (reward, terminated, info["forfeit"]) == (-1.0, True, True)


def test_an_environment_can_be_copied_in_the_middle_of_a_game() -> None:
    env = ConnectEnv("minimax:depth=2")
    env.reset(seed=1)
    env.step(3)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        for one, two in zip(copy.deepcopy(env).step(2)[:3], other.step(2)[:3], strict=True):
            assert np.array_equal(one, two)

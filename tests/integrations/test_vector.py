"""The vector environment: the same as so many single ones, in every way to begin anew."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space
from opponents import QuitterAgent, QuitterSettings

from connectlab.errors import GameError, UserError
from connectlab.integrations.gymnasium import ID, ConnectEnv
from connectlab.integrations.vector import ConnectVectorEnv

N = 24

pytestmark = pytest.mark.filterwarnings(
    "ignore:quitter.* chose a column without room:UserWarning",  # said by a test of its own
)

SETTINGS: dict[str, dict[str, Any]] = {
    "random": {"opponent": "random", "first": "random"},
    "alternate": {"opponent": "random", "first": "alternate", "columns": 5, "rows": 4},
    "alone": {"opponent": "self"},
    "extend": {"opponent": "extend", "first": "opponent", "columns": 4, "rows": 5, "connect": 3},
    "minimax": {"opponent": "minimax:depth=2", "first": "random"},
    "quitter": {"opponent": QuitterAgent(QuitterSettings(stones=5)), "first": "alternate"},
    "quits at once": {"opponent": QuitterAgent(), "first": "alternate"},
}


def pair(
    settings: dict[str, Any], mode: AutoresetMode, n: int = N
) -> tuple[ConnectVectorEnv, SyncVectorEnv[Any, Any]]:
    """Return our environment, and Gymnasium's of so many single ones."""
    singles = [lambda: ConnectEnv(**settings) for _ in range(n)]
    return (
        ConnectVectorEnv(n, **settings, autoreset_mode=mode),
        SyncVectorEnv(singles, autoreset_mode=mode),
    )


def assert_same(ours: object, theirs: object, where: str = "") -> None:
    """Compare nested results: types, shapes, kinds of numbers, and every number."""
    if isinstance(theirs, dict):
        assert isinstance(ours, dict)
        assert ours.keys() == theirs.keys(), where
        for key, value in theirs.items():
            assert_same(ours[key], value, f"{where}/{key}")
    elif isinstance(theirs, tuple):
        assert isinstance(ours, tuple)
        for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(mine, other, f"{where}/{number}")
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for mine, other in zip(ours, theirs, strict=True):  # type: ignore[call-overload]
            assert_same(mine, other, where)
    elif theirs is None:
        assert ours is None, where
    else:
        assert ours.dtype == theirs.dtype, where  # type: ignore[attr-defined]
        assert np.array_equal(ours, theirs), where  # type: ignore[arg-type]


def actions_for(mask: np.ndarray, rng: np.random.Generator, illegal: float) -> np.ndarray:
    """Draw a column for each environment, a share of them without a look at the mask."""
    blind = rng.random(len(mask)) < illegal
    return np.argmax(rng.random(mask.shape) * np.where(blind[:, None], 1, mask), axis=1)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", SETTINGS)
def test_is_the_same_as_so_many_single_environments(name: str, mode: AutoresetMode) -> None:
    ours, theirs = pair(SETTINGS[name], mode)
    assert_same(ours.reset(seed=5), theirs.reset(seed=5))
    rng, ended = np.random.default_rng(1), 0
    mask = ours.reset(seed=5)[1]["action_mask"]
    theirs.reset(seed=5)
    for number in range(80):
        actions = actions_for(mask, rng, illegal=0.1)
        stepped = ours.step(actions)
        assert_same(stepped, theirs.step(actions), f"step {number}")
        mask, ended = stepped[4]["action_mask"], ended + int(stepped[2].sum())
    assert ended > N, "several games end in every environment"
    assert_same(ours.reset(), theirs.reset(), "the next games")
    seeds = list(range(100, 100 + N))
    assert_same(ours.reset(seed=seeds), theirs.reset(seed=seeds), "other seeds")


def test_games_that_end_wait_for_a_reset_if_told_so() -> None:
    ours, theirs = pair(SETTINGS["random"], AutoresetMode.DISABLED)
    mask = ours.reset(seed=3)[1]["action_mask"]
    theirs.reset(seed=3)
    rng, over = np.random.default_rng(2), np.zeros(N, dtype=np.bool_)
    while not over.any():
        actions = actions_for(mask, rng, illegal=0.0)
        stepped = ours.step(actions)
        assert_same(stepped, theirs.step(actions))
        mask, over = stepped[4]["action_mask"], stepped[2]
    with pytest.raises(UserError, match="a game is over"):
        ours.step(actions)
    planes, infos = ours.reset(options={"reset_mask": over})
    others, chosen = theirs.reset(options={"reset_mask": over.copy()})
    assert np.array_equal(planes, others)
    assert np.array_equal(infos["action_mask"][over], chosen["action_mask"][over])
    assert planes[~over].any()
    actions = actions_for(infos["action_mask"], rng, illegal=0.0)
    assert_same(ours.step(actions), theirs.step(actions))


def test_is_made_by_its_id() -> None:
    envs = gymnasium.make_vec(
        ID, num_envs=3, vectorization_mode="vector_entry_point", opponent="self", columns=5, rows=4
    )
    assert isinstance(envs, ConnectVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.observation_space == batch_space(envs.single_observation_space, 3)
    assert envs.reset(seed=0)[0] in envs.observation_space
    assert envs.action_space.sample() in envs.action_space
    assert envs.step(envs.action_space.sample())[0] in envs.observation_space
    assert isinstance(gymnasium.make_vec(ID, num_envs=2), ConnectVectorEnv)


def test_what_was_shown_stays_unless_told_otherwise() -> None:
    for copy in (True, False):
        envs = ConnectVectorEnv(2, opponent="self", copy=copy)
        before, _ = envs.reset()
        after, *_ = envs.step([0, 0])
        assert np.shares_memory(before, after) == (not copy)
        assert before.any() == (not copy)


def test_the_same_arrays_hold_the_same_numbers() -> None:
    kept, shared = (ConnectVectorEnv(N, first="random", copy=copy) for copy in (True, False))
    rng, mask = np.random.default_rng(0), kept.reset(seed=1)[1]["action_mask"]
    shared.reset(seed=1)
    for _ in range(40):
        actions = actions_for(mask, rng, illegal=0.1)
        stepped = kept.step(actions)
        assert_same(shared.step(actions), stepped)
        mask = stepped[4]["action_mask"]
    assert_same(shared.reset(seed=2), kept.reset(seed=2))


def test_illegal_moves_can_be_refused_before_anything_changes() -> None:
    envs = ConnectVectorEnv(2, opponent="self", columns=4, rows=2, illegal="refuse")
    envs.reset()
    envs.step([0, 1])
    before, *_ = envs.step([0, 2])
    with pytest.raises(GameError, match="environment 0: column 1 is full"):
        envs.step([0, 3])
    with pytest.raises(GameError, match="environment 1"):
        envs.step([1, 9])
    after, *_ = envs.step([1, 3])
    assert after[0].sum() == 3
    assert before.sum() == 4


def test_masks_can_be_asked_for() -> None:
    envs = ConnectVectorEnv(3, columns=4, rows=1, connect=3)
    mask = envs.reset(seed=0)[1]["action_mask"]
    assert np.array_equal(envs.action_masks(), mask)
    mask = envs.step([0, 1, 2])[4]["action_mask"]
    assert np.array_equal(envs.action_masks(), mask)
    assert envs.action_masks().dtype == np.bool_


@pytest.mark.parametrize("name", ["random", "alone", "alternate"])
def test_shows_the_boards_of_the_single_environments(name: str) -> None:
    ours, theirs = pair(SETTINGS[name] | {"render_mode": "ansi"}, AutoresetMode.NEXT_STEP, 6)
    mask = ours.reset(seed=3)[1]["action_mask"]
    theirs.reset(seed=3)
    rng = np.random.default_rng(2)
    for _ in range(40):
        actions = actions_for(mask, rng, illegal=0.02)
        mask = ours.step(actions)[4]["action_mask"]
        theirs.step(actions)
        assert ours.render() == theirs.render()


def test_without_a_seed_no_two_environments_play_the_same() -> None:
    envs = ConnectVectorEnv(40, first="opponent")
    envs.reset()
    planes, *_ = envs.step(np.zeros(40, dtype=np.int64))
    assert len(np.unique(planes.reshape(40, -1), axis=0)) > 5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs is 1 or more"),
        ({"first": "me"}, "first is one of"),
        ({"opponent": "minmax"}, "did you mean"),
        ({"variant": "slip:0.1"}, "a vector does not play 'slip:0.1'.*sync"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        ConnectVectorEnv(**settings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda envs: envs.step([1]), "2 games need as many columns"),
        (lambda envs: envs.step([0.5, 1.0]), "whole numbers"),
        (lambda envs: envs.reset(seed=[1]), "need as many seeds"),
        (lambda envs: envs.reset(options={"reset_mask": [True]}), "reset_mask is bool"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(call: Any, message: str) -> None:
    envs = ConnectVectorEnv(2)
    envs.reset(seed=0)
    with pytest.raises(UserError, match=message):
        call(envs)


def test_the_comparison_can_fail() -> None:
    ours, theirs = pair(SETTINGS["random"], AutoresetMode.NEXT_STEP)
    with pytest.raises(AssertionError):
        assert_same(ours.reset(seed=5), theirs.reset(seed=6))


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(UserError, match="no game has begun: call reset"):
        ConnectVectorEnv(2).step([3, 3])

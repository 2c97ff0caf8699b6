"""Our negamax and random are Kaggle's, in every position: the same columns, equally likely."""

import numpy as np
import pytest
from real import Coins, chances_of, connectx, observed, original_negamax, with_choice

from connectlab.agents import make_agent
from connectlab.game import STANDARD, Geometry, Position, PositionBatch

EVERY_COIN = [
    (STANDARD, 0, 3000),
    (STANDARD, 1, 600),
    (STANDARD, 2, 120),
    (Geometry(4, 4, 3), 3, 150),
    (Geometry(5, 4, 4), 1, 800),
    (Geometry(3, 5, 3), 4, 60),
    (Geometry(7, 1, 3), 2, 60),
    (Geometry(1, 6, 4), 4, 6),
    (Geometry(8, 7, 5), 0, 1000),
]
TWO_COINS = [(STANDARD, 3, 120), (STANDARD, 4, 25), (Geometry(5, 4, 4), 4, 120)]


def positions(geometry: Geometry, n: int, *, shortest: int = 0) -> list[Position]:
    """Different positions of random games that go on, of all lengths."""
    found: dict[Position, None] = {}
    for seed in range(200):
        batch = PositionBatch.start(300, geometry, seed=seed)
        random = make_agent("random", geometry)
        while len(batch) and len(found) < n:
            if batch.plies[0] >= shortest:
                found.update(dict.fromkeys(batch[: max(3, n // 25)].positions()))
            batch = batch.play(random.choose(batch))
            batch = batch[batch.outcomes == 0]
        if len(found) >= n:
            break
    return list(found)[:n]


@pytest.mark.parametrize(("geometry", "depth", "n"), EVERY_COIN, ids=str)
def test_every_column_is_as_likely_as_in_the_original(
    geometry: Geometry, depth: int, n: int
) -> None:
    asked = positions(geometry, n)
    assert len(asked) == n
    agent = make_agent(f"negamax:depth={depth + 1}", geometry)
    policy = agent.policy(PositionBatch.of(asked))
    for position, row in zip(asked, policy, strict=True):
        chances = chances_of(position, depth)
        expected = [float(chances.get(column, 0)) for column in range(geometry.columns)]
        assert row.tolist() == expected, repr(position)


@pytest.mark.parametrize(("geometry", "depth", "n"), TWO_COINS, ids=str)
def test_the_first_and_the_last_of_the_best_are_those_of_the_original(
    geometry: Geometry, depth: int, n: int
) -> None:
    """Where the original takes long: once with heads for all its coins, once with tails."""
    asked = positions(geometry, n, shortest=4)
    assert len(asked) == n
    policy = make_agent(f"negamax:depth={depth + 1}", geometry).policy(PositionBatch.of(asked))
    original = original_negamax(depth)
    for position, row in zip(asked, policy, strict=True):
        ties = np.flatnonzero(row)
        tails = Coins(depth, (False,) * geometry.columns)
        assert with_choice(Coins(depth, ()), original, position) == ties[-1], repr(position)
        assert with_choice(tails, original, position) == ties[0], repr(position)


def test_the_default_is_the_original_as_it_is() -> None:
    assert original_negamax(4)(*observed(Position.from_moves("41424"))) == 3
    agent = make_agent("negamax")
    for position in positions(STANDARD, 8, shortest=10):
        column = connectx.negamax_agent(*observed(position))
        assert agent.policy_of(position)[column] > 0


def test_a_wrong_depth_would_be_noticed() -> None:
    asked = positions(STANDARD, 60)
    policy = make_agent("negamax:depth=3").policy(PositionBatch.of(asked))
    differ = [
        {column: chance for column, chance in enumerate(row) if chance} != chances_of(position, 1)
        for position, row in zip(asked, policy.tolist(), strict=True)
    ]
    assert any(differ)


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(4, 4, 3), Geometry(8, 7, 5)], ids=str)
def test_random_draws_among_the_same_columns(geometry: Geometry) -> None:
    agent = make_agent("random", geometry)
    for position in positions(geometry, 500):
        options: list[int] = []

        def first(columns: list[int], options: list[int] = options) -> int:
            options.extend(columns)
            return columns[0]

        with_choice(first, connectx.random_agent, position)
        policy = agent.policy_of(position)
        assert [column for column, chance in enumerate(policy) if chance] == options
        assert max(policy) == pytest.approx(1 / len(options))

"""Where a player and perfect play disagree is found, and told rightly."""

import random
from collections.abc import Iterator

import pytest

from connectlab.agents import Agent, Analysis, make_agent
from connectlab.game import Geometry, Position
from connectlab.lab.disagreement import disagreements, reassurance
from connectlab.lab.verdicts import Verdicts, ask_solver
from connectlab.solver import Solver


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def random_positions(geometry: Geometry, fewest: int, most: int) -> Iterator[Position]:
    """Yield unfinished positions after so many random moves, without end."""
    rng = random.Random(5)
    while True:
        position = Position(geometry)
        for _ in range(rng.randint(fewest, most)):
            if not position.is_over:
                position = position.play(rng.choice(position.legal_columns))
        if not position.is_over:
            yield position


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def mistakes(agent: Agent, position: Position, solver: Solver) -> set[int]:
    """The columns the agent may play though another has a better outcome."""
    scores = solver.analyse(position)
    best = max(sign(score) for score in scores if score is not None)
    chances = enumerate(agent.policy_of(position))
    return {c for c, chance in chances if chance and sign(scores[c] or 0) < best}


@pytest.mark.parametrize("spec", ["ntuple:champion", "minimax:depth=2", "random"])
def test_a_position_in_which_a_player_errs_is_told(spec: str, solver: Solver) -> None:
    agent, found = make_agent(spec), 0
    for position in random_positions(Geometry(), 14, 26):
        wrong = mistakes(agent, position, solver)
        told = disagreements(agent.analyse(position), ask_solver(solver, position))
        outcome = [each for each in told if each.kind == "outcome"]
        assert {column for each in outcome for column in each.columns} == wrong
        found += bool(wrong)
        if found == 3:
            break


def test_the_perfect_player_never_disagrees(solver: Solver) -> None:
    agent = make_agent("perfect")
    for _, position in zip(range(25), random_positions(Geometry(), 12, 30), strict=False):
        assert disagreements(agent.analyse(position), ask_solver(solver, position)) == ()


def test_what_a_limit_cuts_off_is_unknown_and_claims_nothing() -> None:
    geometry = Geometry(8, 7)
    position = Position.from_moves("44", geometry)
    verdicts = ask_solver(Solver(geometry, table_mb=1), position, max_nodes=100)
    assert verdicts.unknown == position.legal_columns
    assert verdicts.best == ()
    assert verdicts.words(3) == ""
    assert disagreements(make_agent("minimax", geometry).analyse(position), verdicts) == ()


def judged(
    policy: tuple[float, ...], values: tuple[float, ...], scores: tuple[int, ...]
) -> list[tuple[str, tuple[int, ...], str]]:
    """What is told of an opinion, on the empty board of three columns and four rows."""
    position = Position(Geometry(3, 4, 3))
    told = disagreements(Analysis(position, policy, values), Verdicts(position, scores))
    return [(each.kind, each.columns, each.sentence) for each in told]


def test_a_win_given_away_is_the_gravest_and_the_slower_win_the_least() -> None:
    assert judged((0.25, 0.5, 0.25), (1, 1, 1), (2, 0, 3)) == [
        ("outcome", (1,), "It may play 2 (50 %), which draws; 3 wins in 7 plies."),
        ("speed", (0,), "It may play 1 (25 %), which wins in 9 plies; 3 wins in 7 plies."),
    ]


def test_columns_of_one_mistake_share_a_sentence() -> None:
    assert judged((0.5, 0.0, 0.5), (1, 0, 1), (-2, 0, -2)) == [
        ("outcome", (0, 2), "It may play 1 or 3 (100 %), each of which loses in 10 plies; 2 draws.")
    ]


def test_what_would_have_been_better_is_told_of_one_column_and_of_several() -> None:
    for scores, said in {
        (-3, -2, -2): "2 and 3 lose in 10 plies",
        (-3, -2, -3): "2 loses in 10 plies",
        (-3, 0, 0): "2 and 3 draw",
        (0, 3, 3): "2 and 3 win in 7 plies",
    }.items():
        assert judged((1, 0, 0), (1, 0, 0), scores)[0][2].endswith(f"; {said}.")


def test_a_wrong_order_is_told_also_of_columns_it_would_not_play() -> None:
    assert judged((1, 0, 0), (3, 2, 1), (3, -2, 0)) == [
        ("order", (1,), "It values 2, which loses in 10 plies, above 3, which draws.")
    ]
    assert judged((1, 0, 0), (3, 1, 1), (3, -2, 0))[0][2].endswith("as high as 3, which draws.")
    assert judged((1, 0, 0), (3, 0, 1), (3, -2, 0)) == []


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((1, -1, 3), "It keeps the win."),
        ((0, -1, 0), "It keeps the draw."),
        ((-1, -2, -3), "Every column loses, so it cannot err."),
        ((1, 2, 3), "Every column wins, so it cannot err."),
        ((1, None, 0), "It keeps the win."),
        ((0, 1, 0), None),
        ((0, None, 0), None),
        ((None, 1, 0), None),
        ((0, 1, None), None),
    ],
)
def test_a_player_that_throws_nothing_away_is_said_to_keep_it(
    scores: tuple[int | None, ...], said: str | None
) -> None:
    position = Position(Geometry(3, 4, 3))
    sure = Analysis(position, (1.0, 0.0, 0.0))
    assert reassurance(sure, Verdicts(position, scores)) == said

"""How the levels play: what they see, what they settle, and that c gives nothing away."""

import numpy as np
import pytest
from naive_rules import Cell, all_groups, make_area

from connectlab.agents import AgentError, make_agent
from connectlab.agents.allis.agent import AllisAgent
from connectlab.agents.allis.config import RULE_NODES
from connectlab.agents.allis.control import HOLDS, WINS, make_desk
from connectlab.agents.allis.decide import RULES, SEARCH, SIGHT, SOLVER
from connectlab.agents.allis.groups import list_groups
from connectlab.agents.allis.proof_search import DISPROVEN, PROVEN, UNSETTLED, ask, make_tree
from connectlab.agents.allis.tactics import GOOD_THREAT, OTHER_THREAT, outlook, weigh
from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.random_lines import random_lines
from connectlab.game.variants import Variant
from connectlab.solver import Solver

BOARDS = [Geometry(5, 4), Geometry(4, 6), Geometry(6, 5), Geometry(4, 4, 3)]


def midgame(geometry: Geometry, n: int, seed: int = 1, first: int = 0) -> PositionBatch:
    return random_lines(n, first, geometry.cells - 2, geometry=geometry, seed=seed).batch


def naive_outlook(position: Position, depth: int) -> int:
    """The end that is forced within some plies, by plain minimax."""
    if depth == 0:
        return 0
    values = []
    for column in position.legal_columns:
        after = position.play(column)
        if after.is_over:
            values.append(depth if after.winning_line else 0)
        else:
            values.append(-naive_outlook(after, depth - 1))
    return max(values)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_sees_every_end_that_is_forced_within_its_depth(geometry: Geometry, depth: int) -> None:
    batch = midgame(geometry, 60)
    seen = set()
    for i in range(len(batch)):
        value = outlook(batch.mover[i], batch.occupied[i], depth, -depth, depth, geometry.shape)
        assert value == naive_outlook(batch.position(i), depth)
        seen.add(int(np.sign(value)))
    assert {0, 1} <= seen


@pytest.mark.parametrize("level", "abc")
def test_takes_a_win_and_stops_one(level: str) -> None:
    agent = make_agent(f"allis:level={level}")
    assert agent.analyse(Position.from_moves("414141")).best == (3,)
    assert agent.analyse(Position.from_moves("41414")).best == (3,)


def test_level_b_sees_a_win_that_level_a_does_not() -> None:
    position = Position.from_moves("4455")  # an open three along the bottom
    assert make_agent("allis:level=a").analyse(position).values[2] != 4  # type: ignore[index]
    assert make_agent("allis:level=b").analyse(position).values[2] == 4  # type: ignore[index]


def naive_weight(position: Position) -> int:
    """What a position looks worth to the side not to move, by sets of cells."""
    geometry = position.geometry
    area = make_area(position, frozenset())
    sides = ((area.follower, area.leader, 0), (area.leader, area.follower, 1))
    worth = []
    for stones, others, parity in sides:
        groups = [group for group in all_groups(geometry) if not group & others]
        total = sum(len(group & stones) ** 2 for group in groups)
        for cell in frozenset[Cell]().union(*(g - stones for g in groups if len(g - stones) == 1)):
            left = [c for c in area.open if c[0] != cell[0] or c[1] < cell[1] - 1]
            total += GOOD_THREAT if len(left) % 2 == parity else OTHER_THREAT
        worth.append(total)
    return worth[0] - worth[1]


@pytest.mark.parametrize("geometry", [STANDARD, *BOARDS], ids=str)
def test_weighs_lines_and_the_parity_of_threats(geometry: Geometry) -> None:
    batch, groups = midgame(geometry, 80), list_groups(geometry)
    groups.flags.writeable = False
    for i in range(len(batch)):
        found = weigh(batch.mover[i], batch.occupied[i], groups, geometry.shape)
        assert found == naive_weight(batch.position(i))


@pytest.mark.parametrize("level", "ab")
def test_a_mirrored_position_gets_the_mirrored_policy(level: str) -> None:
    agent = make_agent(f"allis:level={level}")
    batch = midgame(STANDARD, 60, first=4)
    positions = [batch.position(i) for i in range(len(batch))]
    mirrored = PositionBatch.of([position.mirror() for position in positions])
    assert np.allclose(agent.policy(batch), agent.policy(mirrored)[:, ::-1])


@pytest.mark.parametrize("goal", [HOLDS, WINS])
@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_what_the_search_settles_is_what_the_solver_knows(geometry: Geometry, goal: int) -> None:
    batch = midgame(geometry, 100, seed=2, first=geometry.cells // 3)
    outcomes = np.sign(Solver(geometry).solve_many(batch, outcome_only=True).scores)
    desk, tree = make_desk(geometry, RULE_NODES), make_tree(500, geometry.columns)
    answers = set()
    for i in range(len(batch)):
        position = batch.position(i)
        if naive_outlook(position, 1):
            continue  # must not be won at once
        answer = ask(batch.mover[i], batch.occupied[i], goal, 500, tree, desk)
        reached = outcomes[i] >= (0 if goal == HOLDS else 1)
        assert answer in (UNSETTLED, PROVEN if reached else DISPROVEN), position
        answers.add(answer)
    assert {PROVEN, DISPROVEN} <= answers


def kept_share(agent: AllisAgent, batch: PositionBatch) -> float:
    """The share of positions in which every move it may play keeps the outcome."""
    scores = Solver(batch.geometry).analyse_many(batch, outcome_only=True)
    best = scores == scores.max(axis=1, keepdims=True)
    return float(((agent.policy(batch) == 0) | best).all(axis=1).mean())


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_level_c_keeps_the_outcome_of_every_position(geometry: Geometry) -> None:
    agent = AllisAgent(AllisAgent.Settings(level="c"), geometry)
    assert kept_share(agent, midgame(geometry, 100, seed=3)) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("geometry", [STANDARD, Geometry(6, 6), Geometry(7, 5)], ids=str)
def test_level_c_keeps_the_outcome_on_large_boards(geometry: Geometry) -> None:
    agent = AllisAgent(AllisAgent.Settings(level="c"), geometry)
    first = 0 if geometry == STANDARD else 14
    assert kept_share(agent, midgame(geometry, 400, seed=4, first=first)) == 1.0


def test_level_b_does_give_results_away() -> None:
    agent = AllisAgent(AllisAgent.Settings(level="b"), STANDARD)
    assert kept_share(agent, midgame(STANDARD, 300, seed=4)) < 1.0


def test_each_of_those_that_can_settle_a_position_does() -> None:
    agent = AllisAgent(AllisAgent.Settings(level="c"), STANDARD)
    with agent.bench() as bench:
        allowed, who = agent.settle(midgame(STANDARD, 120, seed=5), bench)
    assert set(who.tolist()) == {SIGHT, RULES, SEARCH, SOLVER}
    assert allowed.all()


def test_without_nodes_of_its_own_level_c_asks_the_solver() -> None:
    geometry = Geometry(4, 4, 3)
    agent = AllisAgent(AllisAgent.Settings(level="c", nodes=1), geometry)
    batch = midgame(geometry, 60)
    with agent.bench() as bench:
        _, who = agent.settle(batch, bench)
    assert (who == SOLVER).sum() > 10
    assert not (who == SEARCH).any()
    assert kept_share(agent, batch) == 1.0


def test_says_in_one_line_when_a_board_is_too_hard_for_level_c() -> None:
    agent = make_agent("allis:level=c,nodes=10,max_nodes=1000", Geometry(8, 7))
    with pytest.raises(AgentError, match="cannot solve 8x7") as refusal:
        agent.policy(PositionBatch.start(1, Geometry(8, 7)))
    assert "\n" not in str(refusal.value)


def test_refuses_a_level_that_is_not_there() -> None:
    with pytest.raises(UserError, match="level"):
        make_agent("allis:level=d")


def test_refuses_variants_of_which_the_rules_know_nothing() -> None:
    with pytest.raises(AgentError, match="allis cannot play the variant"):
        make_agent("allis", Geometry(variant=Variant(slip=0.1)))


def test_a_column_of_which_nothing_is_proven_has_no_value() -> None:
    """A value of 0 would be held against it where perfect play knows more."""
    analysis = make_agent("allis").analyse(Position.from_moves("4455"))
    assert analysis.values is not None
    assert analysis.values[0] is None
    assert analysis.values[2] is not None

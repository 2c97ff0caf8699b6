import gc
import random
import weakref

import numpy as np
import pytest
from naive_players import perfect_scores, position_of, random_games

from connectlab.agents import Agent, AgentError, make_agent
from connectlab.agents.perfect import OPENING_STONES, PerfectAgent, shared_solver
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch
from connectlab.solver import Solver

SMALL = [Geometry(3, 3, 3), Geometry(3, 4, 3), Geometry(4, 2, 3), Geometry(3, 3, 4)]


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def play(first: Agent, second: Agent, games: int, seed: int = 5) -> PositionBatch:
    """Play games to their end; return the final positions."""
    batch = PositionBatch.start(games, first.geometry, seed=seed)
    finished = []
    while len(batch):
        agent = first if batch.plies[0] % 2 == 0 else second
        batch = batch.play(agent.choose(batch))
        over = batch.outcomes != Outcome.ONGOING
        finished.append(batch[over])
        batch = batch[~over]
    return PositionBatch(
        first.geometry,
        *(np.concatenate([getattr(b, name) for b in finished]) for name in ("mover", "occupied")),
        np.zeros(games, np.uint64),
    )


@pytest.mark.parametrize("geometry", SMALL, ids=str)
@pytest.mark.parametrize("objective", ["distance", "outcome"])
def test_plays_exactly_the_best_moves_of_exhaustive_search(
    geometry: Geometry, objective: str
) -> None:
    agent = make_agent(f"perfect:objective={objective}", geometry)
    for game in random_games(geometry, 12, seed=6):
        scores = perfect_scores(game)
        if objective == "outcome":
            scores = {column: sign(score) for column, score in scores.items()}
        best = {column for column, score in scores.items() if score == max(scores.values())}
        analysis = agent.analyse(position_of(game))
        assert analysis.values == tuple(scores.get(c) for c in range(geometry.columns))
        assert set(analysis.best) == best
        batch = PositionBatch.of([position_of(game)] * 60, seed=1)
        assert set(agent.choose(batch).tolist()) == best


@pytest.mark.parametrize("objective", ["distance", "outcome"])
def test_agrees_with_the_solver_on_the_standard_board(objective: str) -> None:
    agent = make_agent(f"perfect:objective={objective}")
    solver = Solver(book=False, table_mb=16)
    for game in random_games(STANDARD, 60, seed=8):
        position = position_of(game)
        if position.ply >= 20:
            best = solver.best_moves(position, objective)  # type: ignore[arg-type]
            assert agent.choose_one(position, stream=position.ply) in best


def test_opens_in_the_middle_and_wins_with_its_very_last_stone() -> None:
    analysis = make_agent("perfect").analyse(Position())
    assert analysis.values == (-2, -1, 0, 1, 0, -1, -2)
    assert analysis.best == (3,)
    assert analysis.facts["distance"] == 41


def test_wins_every_game_that_is_won() -> None:
    finals = play(make_agent("perfect"), make_agent("minimax"), 10)
    assert set(finals.outcomes.tolist()) == {Outcome.FIRST_WINS}


@pytest.mark.parametrize("objective", ["distance", "outcome"])
def test_never_loses_a_drawn_game(objective: str) -> None:
    geometry = Geometry(5, 5, 4)
    perfect = make_agent(f"perfect:objective={objective}", geometry)
    minimax = make_agent("minimax", geometry)
    assert Outcome.SECOND_WINS not in play(perfect, minimax, 20).outcomes
    assert Outcome.FIRST_WINS not in play(minimax, perfect, 20).outcomes
    assert set(play(perfect, perfect, 10).outcomes.tolist()) == {Outcome.DRAW}


def test_by_distance_two_perfect_players_end_when_the_score_says() -> None:
    geometry = Geometry(4, 4, 3)
    perfect = make_agent("perfect", geometry)
    analysis = perfect.analyse(Position(geometry))
    finals = play(perfect, perfect, 30)
    assert set(finals.plies.tolist()) == {analysis.facts["distance"]}


def test_by_outcome_it_may_take_its_time() -> None:
    position = Position.from_moves("223344")
    hurried, relaxed = (
        make_agent(f"perfect:objective={objective}").analyse(position)
        for objective in ("distance", "outcome")
    )
    assert hurried.best == (0, 4)
    assert set(hurried.best) < set(relaxed.best)


def test_players_on_one_board_share_a_solver_until_the_last_is_gone() -> None:
    geometry = Geometry(4, 4, 4)
    agents = [
        make_agent("perfect:table_mb=1", geometry),
        make_agent("perfect:table_mb=1,objective=outcome", geometry),
    ]
    solvers = [agent.solver for agent in agents if isinstance(agent, PerfectAgent)]
    assert solvers[0] is solvers[1]
    assert shared_solver(geometry, 2) is not solvers[0]
    assert shared_solver(Geometry(4, 4, 3), 1) is not solvers[0]
    alive = weakref.ref(solvers[0])
    agents.clear()
    solvers.clear()
    gc.collect()
    assert alive() is None


def test_says_so_when_a_board_is_too_hard() -> None:
    geometry = Geometry(8, 7, 4)
    agent = make_agent("perfect:max_nodes=1000,table_mb=1", geometry)
    with pytest.raises(AgentError, match="cannot solve 8x7 connect-4 after 0 moves within 1,000"):
        agent.choose_one(Position(geometry))


def losing_opening(game: Position) -> dict[int, int]:
    """Return the plies until each move of a lost position loses; nothing if it is not lost."""
    solver = Solver(game.geometry, book=False, table_mb=4)
    after = {column: game.play(column) for column in game.legal_columns}
    if any(one.is_over or solver.score(one) <= 0 for one in after.values()):
        return {}
    return {column: 1 + solver.distance(one) for column, one in after.items()}


def test_in_a_lost_opening_the_framework_plays_whatever_does_not_lose_at_once() -> None:
    """On 4x4 Connect-3 the first move decides: most openings of the second player are lost."""
    geometry = Geometry(4, 4, 3)
    agent = make_agent("perfect:objective=framework", geometry)
    seen = set()
    for game in random_games(geometry, 60, seed=3):
        position = position_of(game)
        plies = losing_opening(position)
        if not plies or position.ply > OPENING_STONES:
            continue
        at_once = {column for column, n in plies.items() if n == 2}
        expected = set(plies) - at_once or at_once
        seen.add((bool(at_once), len(expected) < len(plies)))
        policy = agent.policy_of(position)
        assert {c for c, chance in enumerate(policy) if chance} == expected
        assert [policy[c] for c in expected] == pytest.approx([1 / len(expected)] * len(expected))
    assert (True, True) in seen, "no move lost at once"
    assert (False, False) in seen, "no opening had only slow losses"


def test_in_a_lost_opening_it_also_sees_what_the_frameworks_search_sees_before_a_book() -> None:
    """That of the ninth stone while eight make a book, then that of the thirteenth."""
    geometry = Geometry(4, 4, 3)
    agent = make_agent("perfect:objective=framework-books", geometry)
    seen = set()
    for game in random_games(geometry, 60, seed=3):
        position = position_of(game)
        plies = losing_opening(position)
        if not plies or position.ply > OPENING_STONES:
            continue
        seen_up_to = 9 if position.ply < 8 else 13
        slow = {column for column, n in plies.items() if position.ply + n > seen_up_to}
        latest = {column for column, n in plies.items() if n == max(plies.values())}
        seen.add((bool(slow), slow <= latest))
        policy = agent.policy_of(position)
        assert {c for c, chance in enumerate(policy) if chance} == (slow or latest)
    assert (False, True) in seen, "everywhere some move was slow"
    assert (True, False) in seen, "no opening had several slow losses of which one is sooner"


def test_from_nine_stones_on_it_sees_up_to_the_thirteenth() -> None:
    solver = Solver(table_mb=16)
    agent = make_agent("perfect:objective=framework-books")
    draw = random.Random(2)
    differs = 0
    while differs < 3:
        position = Position()
        while position.ply < 9 and not position.is_over:
            position = position.play(draw.choice(position.legal_columns))
        if position.is_over or solver.score(position) >= 0:
            continue
        after = {column: position.play(column) for column in position.legal_columns}
        ends = {column: one.ply + solver.distance(one) for column, one in after.items()}
        slow = {column for column, end in ends.items() if end > 13}
        latest = {column for column, end in ends.items() if end == max(ends.values())}
        policy = agent.policy_of(position)
        assert {c for c, chance in enumerate(policy) if chance} == (slow or latest)
        differs += any(11 < end <= 13 for end in ends.values()) and bool(slow)


@pytest.mark.parametrize(
    ("objective", "played"),
    [("framework", {1, 2, 3, 4, 5, 6, 7}), ("framework-books", {1, 3, 5}), ("distance", {3})],
)
def test_only_the_framework_with_books_does_not_walk_into_an_open_three(
    objective: str, played: set[int]
) -> None:
    """After 2 7 4 the first player threatens 3, and then both 1 and 5."""
    policy = make_agent(f"perfect:objective={objective}").policy_of(Position.from_moves("274"))
    assert {column for column, chance in enumerate(policy, start=1) if chance} == played


def test_after_ten_stones_the_framework_takes_the_most_distant_loss() -> None:
    by_distance, framework = make_agent("perfect"), make_agent("perfect:objective=framework")
    lost = {True: 0, False: 0}
    for game in random_games(STANDARD, 40, seed=21):
        position = position_of(game)
        if not 9 <= position.ply <= 14 or position.is_over:
            continue
        both = [agent.policy_of(position) for agent in (by_distance, framework)]
        early = position.ply <= OPENING_STONES
        best = max(v for v in framework.analyse(position).values if v is not None)
        if not early or best >= 0:
            assert both[0] == both[1]
        elif both[0] != both[1]:
            assert sum(chance > 0 for chance in both[1]) > sum(chance > 0 for chance in both[0])
            lost[early] += 1
        lost[early] += best < 0 and not early
    assert min(lost.values()) > 0, f"too few lost positions: {lost}"


def test_the_framework_never_lets_go_of_what_it_holds() -> None:
    geometry = Geometry(5, 5, 4)
    perfect = make_agent("perfect:objective=framework", geometry)
    minimax = make_agent("minimax", geometry)
    assert Outcome.SECOND_WINS not in play(perfect, minimax, 20).outcomes
    assert Outcome.FIRST_WINS not in play(minimax, perfect, 20).outcomes


def test_what_the_framework_draws_is_what_its_policy_says() -> None:
    """After 4, every answer is lost, and none at once: each is as likely as any other."""
    agent = make_agent("perfect:objective=framework")
    position = Position.from_moves("4")
    assert agent.policy_of(position) == pytest.approx([1 / 7] * 7)
    drawn = agent.choose(PositionBatch.of([position] * 700, seed=4))
    assert (np.bincount(drawn, minlength=7) > 60).all()

"""What Monte Carlo tree search plays, proves and says."""

from pathlib import Path

import numpy as np
import pytest

from connectlab.agents import AgentError, make_agent
from connectlab.agents.mcts.agent import MCTSAgent
from connectlab.agents.mcts.tree import OPEN
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.solver import Solver

SMALL = Geometry(4, 4, 3)
NETWORKS = Path(__file__).parents[2] / "golden" / "networks"
NETWORK = f"ntuple:{NETWORKS}/ntuple-4x4-3.safetensors"


def mcts(settings: str = "", geometry: Geometry = STANDARD) -> MCTSAgent:
    agent = make_agent(f"mcts:{settings}", geometry)
    assert isinstance(agent, MCTSAgent)
    return agent


KINDS = [
    "iterations=300",
    "iterations=300,rollouts=heuristic",
    "iterations=300,transpositions=true,forced_blocks=true",
    "iterations=300,solver=false",
    "iterations=300,prior=minimax:depth=1",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("moves", "win"), [("414141", 3), ("112233", 3), ("717171", 6)])
def test_finds_a_win(kind: str, moves: str, win: int) -> None:
    position = Position.from_moves(moves)
    policy = mcts(kind).policy_of(position)
    assert position.play(win).is_over
    assert policy[win] == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("moves", "block"), [("41414", 3), ("11223", 3), ("71717", 6)])
def test_finds_a_block(kind: str, moves: str, block: int) -> None:
    for stream in range(3):
        policy = mcts(kind).policy_of(Position.from_moves(moves), stream=stream)
        assert policy[block] == 1


def test_does_not_search_where_a_move_wins() -> None:
    position = Position.from_moves("414141")
    assert mcts("iterations=300").search(position).sizes[0] == 1
    searched = mcts("iterations=300,stop_at_win=false,solver=false").search(position)
    assert searched.visits[0].sum() == 300


def test_two_winning_moves_are_equally_likely() -> None:
    position = Position.from_moves("334455")
    wins = [c for c in position.legal_columns if position.play(c).is_over]
    assert wins == [1, 5]
    assert mcts().policy_of(position) == (0, 0.5, 0, 0, 0, 0.5, 0)


def test_a_forced_block_is_the_only_move_considered() -> None:
    agent = mcts("iterations=50,forced_blocks=true")
    forest = agent.search(Position.from_moves("41414"))
    assert np.flatnonzero(forest.children[0] != -1).tolist() == [3]


@pytest.mark.parametrize("settings", ["", ",transpositions=true", ",forced_blocks=true"])
@pytest.mark.parametrize("plies", [3, 5, 7])
def test_what_it_proves_is_what_the_solver_knows(settings: str, plies: int) -> None:
    agent, solver = mcts(f"iterations=4000{settings}", SMALL), Solver(SMALL, table_mb=1)
    proven = 0
    for position in small_positions(plies):
        forest = agent.search(position)
        result = int(forest.result[0])
        if result == OPEN:
            continue
        proven += 1
        assert result == solver.outcome(position)
        best = solver.best_moves(position, "outcome")
        played = np.flatnonzero(agent.policy_of(position))
        assert result == -1 or set(played.tolist()) <= set(best)
    assert proven > 10


def small_positions(plies: int) -> list[Position]:
    """Positions after some random moves that are not over."""
    batch, random = PositionBatch.start(40, SMALL, seed=plies), make_agent("random", SMALL)
    for _ in range(plies):
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
    return batch.positions()


def test_every_proven_node_of_a_tree_is_right() -> None:
    proven = set()
    for board in (SMALL, Geometry(3, 3, 3)):
        solver = Solver(board, table_mb=1)
        forest = mcts("iterations=3000,transpositions=true", board).search(Position(board))
        results = forest.result[: forest.sizes[0]]
        for node in np.flatnonzero(results != OPEN).tolist():
            position = Position(board, int(forest.mover[node]), int(forest.occupied[node]))
            if not position.is_over:
                assert results[node] == solver.outcome(position)
                proven.add(int(results[node]))
    assert proven == {-1, 0, 1}


def test_transpositions_share_nodes() -> None:
    trees = [
        mcts(f"iterations=2000,transpositions={flag}", SMALL).search(Position(SMALL))
        for flag in ("false", "true")
    ]
    for forest, shared in zip(trees, (False, True), strict=True):
        size = forest.sizes[0]
        positions = set(zip(forest.mover[:size], forest.occupied[:size], strict=True))
        assert (len(positions) == size) == shared


@pytest.mark.parametrize(
    "settings",
    [
        "iterations=80",
        "iterations=80,rollouts=heuristic,transpositions=true",
        f'iterations=40,value="{NETWORK},depth=2"',
        f"iterations=40,prior={NETWORK}",
        f"iterations=40,value={NETWORK},prior=mcts:iterations=5",
    ],
)
def test_a_search_does_not_depend_on_its_batch(settings: str) -> None:
    agent = mcts(settings, SMALL)
    positions = small_positions(3)[:9]
    batch = PositionBatch.of(positions, seed=4)
    policy = agent.policy(batch)
    alone = np.concatenate([agent.policy(batch[i : i + 1]) for i in range(len(batch))])
    assert np.array_equal(policy, alone)
    assert np.array_equal(policy[::-1], agent.policy(batch[np.arange(len(batch))[::-1]]))


def test_a_large_batch_is_searched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = mcts(f"iterations=20,value={NETWORK}", SMALL)
    batch = PositionBatch.of(small_positions(3)[:9])
    whole = agent.policy(batch)
    monkeypatch.setattr("connectlab.agents.mcts.agent.MOST_NODES", 50)
    assert np.array_equal(whole, agent.policy(batch))


def test_perfect_values_lead_to_perfect_moves() -> None:
    solver = Solver(SMALL, table_mb=1)
    agent = mcts("iterations=60,value=perfect:table_mb=1,exploration=0.5", SMALL)
    for position in small_positions(4)[:12]:
        if solver.outcome(position) >= 0:
            played = np.flatnonzero(agent.policy_of(position)).tolist()
            assert set(played) <= set(solver.best_moves(position, "outcome"))


def test_more_simulations_play_better() -> None:
    from connectlab.arena.match import play_match

    strong, weak = mcts("iterations=200"), mcts("iterations=10")
    assert play_match(strong, weak, 40, seed=1).tally.score_rate > 0.8


def test_temperature_spreads_the_chances_over_the_visits() -> None:
    position = Position.from_moves("44")
    forest = mcts("iterations=100").search(position)
    visits = forest.visits[0] / forest.visits[0].sum()
    assert np.allclose(mcts("iterations=100,temperature=1").policy_of(position), visits)
    policy = mcts("iterations=100,temperature=0.5").policy_of(position)
    assert np.allclose(policy, visits**2 / (visits**2).sum())


def test_a_time_budget_ends_the_search() -> None:
    for settings in ("seconds=0.02", f"seconds=0.02,value={NETWORK}"):
        agent = mcts(settings, SMALL)
        analysis = agent.analyse(Position(SMALL))
        assert analysis.facts["reproducible"] is False
        assert analysis.facts["seconds"] == 0.02
        assert "clock" in " ".join(analysis.sentences)
        policy = agent.policy(PositionBatch.start(3, SMALL))
        assert np.allclose(policy.sum(axis=1), 1)


def test_a_proven_position_needs_no_more_time() -> None:
    analysis = mcts("seconds=600", Geometry(3, 2, 3)).analyse(Position(Geometry(3, 2, 3)))
    assert analysis.facts["proven"] == "drawn"


def test_a_reproducible_search_says_so() -> None:
    facts = mcts("iterations=20").analyse(Position()).facts
    assert facts["reproducible"] is True
    assert "seconds" not in facts


def test_analysis_tells_visits_values_and_the_line() -> None:
    position = Position.from_moves("4444")
    analysis = mcts("iterations=500").analyse(position)
    assert analysis.facts["simulations"] == 500
    notes = [analysis.column_notes[column] for column in range(7)]
    assert sum(int(note.split()[0].replace(",", "")) for note in notes) == 500
    line = str(analysis.facts["principal_line"])
    assert int(line[0]) - 1 in analysis.best
    (group,) = analysis.groups
    assert group.marks == tuple("123456789"[: len(group.cells)])
    assert [str(column + 1) for column, _ in group.cells] == list(line[:9])
    assert Position.from_moves("4444" + line).ply == 4 + len(line)
    for (column, row), number in zip(group.cells, range(9), strict=False):
        before = [c for c, _ in group.cells[:number]] + [3] * 4
        assert row == before.count(column)


def test_analysis_says_what_is_proven() -> None:
    analysis = mcts("iterations=5000").analyse(Position.from_moves("4455"))
    assert analysis.facts["proven"] == "won"
    assert analysis.sentences[0] == "The position is proven won for the side to move."
    assert any("proven won" in note for note in analysis.column_notes.values())
    assert analysis.values is not None
    assert max(value for value in analysis.values if value is not None) == 1
    line = str(analysis.facts["principal_line"])
    assert Position.from_moves("4455" + line).outcome.first_player_value == 1


def test_analysis_of_an_immediate_win_says_so() -> None:
    analysis = mcts().analyse(Position.from_moves("414141"))
    assert analysis.column_notes[3] == "wins at once"
    assert analysis.facts["principal_line"] == "4"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("iterations=0", "iterations"),
        ("seconds=0", "seconds"),
        ("seconds=1,iterations=5", "leave one of them out"),
        ("value=perfect,rollouts=random", "leave one of them out"),
        ("prior_share=0.5", "needs a prior"),
        ("value=random", "no values"),
        ("value=nobody", "there is no player 'nobody'"),
        ("prior=minimax:dept=2", "did you mean 'depth'"),
        ("rollouts=clever", "rollouts"),
        ("exploration=nan", "exploration"),
    ],
)
def test_bad_settings_are_one_line(settings: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as refusal:
        mcts(settings)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("value", ["mlp:best", "ntuple:champion", "perfect", "qtable:cheng-known"])
def test_whoever_has_values_can_judge_the_leaves(value: str) -> None:
    analysis = mcts(f"iterations=20,value={value}").analyse(Position.from_moves("4455367"))
    assert analysis.facts["simulations"] == 20


def test_a_value_player_of_another_board_is_refused() -> None:
    with pytest.raises(AgentError, match="4x4 connect-3"):
        mcts(f"value={NETWORK}")


def test_quoted_specs_within_a_spec_survive() -> None:
    agent = mcts(f'iterations=10,value="{NETWORK},depth=3"', SMALL)
    assert make_agent(agent.spec, SMALL).settings == agent.settings
    assert agent.settings.value == f"{NETWORK},depth=3"

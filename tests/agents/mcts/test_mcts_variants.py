"""Monte Carlo tree search where stones slip, rows fall and boards are told in counts."""

import itertools

import numpy as np
import pytest
from naive_chance import Dice, NaiveSearch, Node

from connectlab.agents import AgentError, make_agent
from connectlab.agents.mcts.chance_tree import (
    Chances,
    chance_rollout,
    make_chance_tree,
    plant_chance,
    simulate_chance,
)
from connectlab.agents.mcts.clock import BETWEEN_LOOKS
from connectlab.agents.mcts.guess import GUESSES, Seen, columns_with_room, guess_boards
from connectlab.agents.mcts.variants import Root, VariantSearch
from connectlab.arena.match import play_match
from connectlab.game import Geometry, Position
from connectlab.game.counts import count_runs, runs_shape
from connectlab.game.variants import Variant
from connectlab.solver.expectation import expectation_of
from naive import NaiveGame


@pytest.mark.parametrize("text", ["slip:0.3", "drop-row:0.25", "slip:0.2+drop-row:0.1", ""])
@pytest.mark.parametrize("stop_at_win", [True, False])
def test_grows_the_tree_of_the_naive_search(text: str, stop_at_win: bool) -> None:
    board = Geometry(4, 3, 3, Variant.parse(text))
    odds = board.variant.odds
    moves = (1, 2, 1)
    position = Position.from_moves(moves, board)
    chances = Chances(board.shape, odds, 1.3, stop_at_win)
    tree = make_chance_tree(board, 301)
    plant_chance(position.mover, position.occupied, tree, chances)
    state = simulate_chance(300, 99, tree, chances)
    root = Node(NaiveGame(4, 3, 3, list(moves)))
    dice = Dice(99)
    search = NaiveSearch(odds.slip, odds.drop_row, 1.3, stop_at_win)
    if search.known(root.game) is None:
        search.run(root, 300, dice)
    assert tree.visits[0].tolist() == [root.visits.get(c, 0) for c in range(4)]
    assert tree.totals[0].tolist() == [root.totals.get(c, 0.0) for c in range(4)]
    assert state == dice.state


def worth(iterations: int, board: Geometry) -> tuple[float, float]:
    """How far below the optimum the search is, moving first and second."""
    found = expectation_of(board)
    agent = make_agent(f"mcts:iterations={iterations}", board)
    result = found.against_best(agent.policy(found.batch))
    return found.start_value - result.first, -found.start_value - result.second


@pytest.mark.parametrize("text", ["slip:0.2", "drop-row:0.1"])
def test_more_simulations_come_near_the_exact_value(text: str) -> None:
    board = Geometry(3, 3, 3, Variant.parse(text))
    little, much = worth(20, board), worth(3000, board)
    assert all(gap >= -1e-9 for gap in little + much)
    assert sum(much) < 0.15 * sum(little)
    assert sum(much) < 0.12


def test_a_win_at_hand_is_no_certain_win_where_stones_slip() -> None:
    plain, slippery = (
        make_agent("mcts:iterations=200", Geometry(4, 4, 3, Variant.parse(text)))
        for text in ("drop-row:0.1", "slip:0.4")
    )
    certain = plain.policy_of(Position.from_moves("1212", plain.geometry))
    assert certain == (1.0, 0.0, 0.0, 0.0)
    analysis = slippery.analyse(Position.from_moves("1212", slippery.geometry))
    assert analysis.facts["simulations"] == 200
    assert 0 < float(analysis.values[0] or 0) < 1


def test_a_rollout_ends_where_rows_fall_all_the_time() -> None:
    board = Geometry(4, 4, 4, Variant(drop_row=0.99))
    chances = Chances(board.shape, board.variant.odds, 1.0, True)
    for state in range(20):
        value, _ = chance_rollout(0, 0, state, chances)
        assert value == 0.0


def test_guesses_fit_what_is_seen_best_first() -> None:
    board = Geometry(4, 4, 3, Variant(counts=True))
    position = Position.from_moves("1223", board)
    shape = board.shape
    counts = np.empty(runs_shape(shape), dtype=np.int64)
    count_runs(position.mover, position.occupied, shape, counts)
    seen = Seen(counts, np.uint64(columns_with_room(position.occupied, shape)), 4)
    boards, misses = np.zeros((GUESSES, 2), dtype=np.uint64), np.zeros(GUESSES, dtype=np.int64)
    n, _ = guess_boards(seen, 5, shape, boards, misses)
    assert n == GUESSES
    assert misses.tolist() == sorted(misses)
    assert misses[0] == 0
    own = np.empty_like(counts)
    for (mover, occupied), miss in zip(boards, misses, strict=True):
        guess = Position(board, int(mover), int(occupied))
        assert guess.ply == 4
        count_runs(guess.mover, guess.occupied, shape, own)
        assert np.abs(own - counts).sum() <= miss


def test_a_full_column_is_never_guessed_away() -> None:
    board = Geometry(3, 3, 3, Variant(counts=True))
    position = Position.from_moves("111", board)
    for stream in range(10):
        policy = make_agent("mcts:iterations=40", board).policy_of(position, stream=stream)
        assert policy[0] == 0.0


def test_guessing_beats_knowing_nothing() -> None:
    board = Geometry(7, 6, 4, Variant(counts=True))
    result = play_match(make_agent("mcts:iterations=400", board), make_agent("random", board), 200)
    assert result.tally.score_rate_interval[0] > 0.5


def test_a_board_nobody_can_guess_is_played_at_random() -> None:
    board = Geometry(3, 3, 3, Variant(counts=True))
    agent = make_agent("mcts:iterations=10", board)
    late = Position.from_moves("12132321", board)
    policy = agent.policy_of(late)
    assert sum(policy) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("mcts:forced_blocks=true", "forced_blocks"),
        ("mcts:transpositions=true", "transpositions"),
        ("mcts:value=perfect", "value"),
        ("mcts:prior=random", "prior"),
        ("mcts:rollouts=heuristic", "rollouts"),
    ],
)
def test_what_only_certainty_allows_is_refused_in_one_line(spec: str, name: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(spec, Geometry(4, 4, 3, Variant(slip=0.1)))
    assert f"mcts cannot use {name} on 4x4 connect-3 slip:0.1" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_clock_can_end_a_search() -> None:
    agent = make_agent("mcts:seconds=0.02", Geometry(4, 4, 3, Variant(slip=0.1, drop_row=0.1)))
    analysis = agent.analyse(Position(agent.geometry))
    assert analysis.facts["reproducible"] is False
    assert int(analysis.facts["simulations"] or 0) > 0


def let_every_look_take_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr("connectlab.agents.mcts.clock.monotonic", lambda: next(clock))


@pytest.mark.parametrize(
    ("columns", "rows", "connect", "moves"), [(3, 3, 3, ""), (7, 6, 4, "434343")]
)
def test_a_tree_that_grows_no_more_uses_all_its_time(
    columns: int, rows: int, connect: int, moves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_every_look_take_a_second(monkeypatch)
    board = Geometry(columns, rows, connect, Variant(slip=0.1))
    analysis = make_agent("mcts:seconds=301", board).analyse(Position.from_moves(moves, board))
    simulations, nodes = analysis.facts["simulations"], analysis.facts["nodes"]
    assert simulations == 300 * BETWEEN_LOOKS
    assert int(nodes or 0) < 0.5 * int(simulations)


def test_a_full_tree_ends_a_search_before_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    let_every_look_take_a_second(monkeypatch)
    monkeypatch.setattr("connectlab.agents.mcts.variants.MOST_ITERATIONS", 99)
    board = Geometry(7, 6, 4, Variant(slip=0.1))
    facts = make_agent("mcts:seconds=301", board).analyse(Position(board)).facts
    assert facts["nodes"] == 100
    assert int(facts["simulations"] or 0) < 300 * BETWEEN_LOOKS


def hear(boards: list[str], settings: str, monkeypatch: pytest.MonkeyPatch) -> Root:
    """Search as if these were the guesses of a hidden board."""
    geometry = Geometry(4, 4, 3, Variant(counts=True))
    agent = make_agent(f"mcts:{settings}", geometry)
    positions = [Position.from_moves(moves, geometry) for moves in boards]
    guesses = np.array([(p.mover, p.occupied) for p in positions], dtype=np.uint64)
    search = VariantSearch(agent.settings, geometry)
    monkeypatch.setattr(search, "_guess", lambda *_: (guesses, np.uint64(7)))
    return search.search(np.uint64(0), np.uint64(0), np.uint64(1))


@pytest.mark.parametrize("settings", ["iterations=600", "seconds=600"])
def test_every_guess_has_one_voice(settings: str, monkeypatch: pytest.MonkeyPatch) -> None:
    let_every_look_take_a_second(monkeypatch)
    win, two_wins, searched = (
        hear([moves], settings, monkeypatch) for moves in ("1212", "2232", "43")
    )
    assert win.voices.tolist() == [1, 0, 0, 0]
    assert two_wins.wins.sum() == 2
    assert two_wins.voices.tolist() == (two_wins.wins / 2).tolist()
    assert searched.voices.sum() == pytest.approx(1)
    assert searched.voices.argmax() != 0
    together = hear(["1212", "2232", "43"], settings, monkeypatch)
    assert together.boards == 3
    assert together.voices.sum() == pytest.approx(3)
    assert together.wins.tolist() == (win.wins + two_wins.wins).tolist()
    assert together.visits.sum() > 0
    assert hear(["1212", "1212", "43"], settings, monkeypatch).voices.argmax() == 0


def test_a_win_at_once_is_no_simulation() -> None:
    board = Geometry(4, 4, 3, Variant(drop_row=0.1))
    analysis = make_agent("mcts", board).analyse(Position.from_moves("1212", board))
    assert analysis.facts["simulations"] == 0
    assert analysis.facts["value"] == 1
    assert analysis.values == (1.0, None, None, None)
    assert analysis.column_notes == {0: "wins at once"}

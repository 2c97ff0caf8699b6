"""Proofs against the plainest checker there is, and against holes that were put there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from naive_proof import naive_proof
from players import AnswerAgent, LowestAgent, Policy, certain

from connectlab.agents import Agent, make_agent
from connectlab.arena import walk as walking
from connectlab.arena.levels import ENTRY_BYTES, Level, Runs, Shelf
from connectlab.arena.proof import REPEATS, Prover, SampledProof
from connectlab.arena.statistics import WeightedCount
from connectlab.arena.threads import ArenaError
from connectlab.arena.walk import Sample, Walk
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.streams import derive_seed
from connectlab.game.variants import Variant
from connectlab.solver import Solver

BOARDS = [Geometry(3, 3, 3), Geometry(4, 3, 3), Geometry(3, 4, 3)]
SMALL = Geometry(4, 4, 3)
"""The first player wins it."""
EVEN = Geometry(4, 3, 3)


def wavering(board: Geometry) -> Agent:
    """Has chances of all sizes, other ones in each position, and never plays one column of it."""

    def answer(batch: PositionBatch) -> Policy:
        lots = (batch.keys[:, None] >> np.arange(board.columns, dtype=np.uint64)) % 4
        weights = batch.legal * (lots + (lots.sum(axis=1, keepdims=True) == 0) + 0.0)
        weights += batch.legal * (weights.sum(axis=1, keepdims=True) == 0)
        policy: Policy = weights / weights.sum(axis=1, keepdims=True)
        return policy

    return AnswerAgent(answer, board)


PLAYERS = {
    "lowest": lambda board: LowestAgent(None, board),
    "wavering": wavering,
    "random": lambda board: make_agent("random", board),
    "minimax": lambda board: make_agent("minimax:depth=2", board),
    "perfect": lambda board: make_agent("perfect", board),
}


def possible(board: Geometry, side: str) -> bool:
    """Whether a side has a result to hold."""
    return Solver(board, table_mb=1).outcome(Position(board)) * (1 if side == "first" else -1) >= 0


@pytest.mark.parametrize("keep", ["result", "gifts"])
@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_a_walk_finds_what_the_plain_checker_finds(
    board: Geometry, name: str, side: str, keep: str
) -> None:
    agent = PLAYERS[name](board)
    prover = Prover(agent, side, keep, threads=2)  # type: ignore[arg-type]
    if keep == "result" and not possible(board, side):
        with pytest.raises(ArenaError, match="no result to hold"):
            prover.prove()
        return
    found = prover.prove()
    expected = naive_proof(agent, side, keep, mirrored=agent.symmetric)
    assert {each.ply: each.positions for each in found.plies} == expected.positions
    assert {each.ply: each.held for each in found.plies} == expected.held
    assert {each.ply: each.holes for each in found.plies} == expected.holes
    assert {each.ply: each.faulty for each in found.plies} == expected.faulty
    assert found.hole_chance == pytest.approx(float(sum(expected.chance.values())))


@pytest.mark.parametrize("side", ["first", "second"])
def test_perfect_play_has_no_hole_and_so_it_is_proven(side: str) -> None:
    found = Prover(make_agent("perfect", EVEN), side).prove()  # type: ignore[arg-type]
    assert found.is_proven
    assert (found.holes, found.hole_chance, found.held_rate) == (0, 0.0, 1.0)
    assert found.shortest is None


def flawed(board: Geometry, flaw: Position | None) -> Agent:
    """Plays the first of the best columns, and in one position the worst of all."""
    solver = Solver(board, table_mb=1)

    def choice(position: Position) -> int:
        if position == flaw:
            scores = solver.analyse(position)
            return min(position.legal_columns, key=lambda column: scores[column] or 0)
        return solver.best_moves(position)[0]

    def answer(batch: PositionBatch) -> Policy:
        return certain(np.array([choice(each) for each in batch.positions()]), board)

    return AnswerAgent(answer, board)


def test_a_hole_that_was_put_there_is_the_only_one_found() -> None:
    clean = flawed(SMALL, None)
    assert Prover(clean).prove().is_proven
    first = clean.choose_one(Position(SMALL))
    after = Position(SMALL).play(first).play((first + 1) % 4)
    found = Prover(flawed(SMALL, after), all_lines=True).prove()
    assert not found.is_proven
    assert (found.holes, found.faulty) == (1, 1)
    assert found.shortest is not None
    assert Position.from_moves(found.shortest.moves, SMALL) == after
    assert found.lines == (found.shortest,)
    assert found.hole_chance == pytest.approx(1 / 4)
    assert [each.holes for each in found.plies][1] == 1


@pytest.mark.parametrize("name", ["lowest", "wavering", "random", "minimax"])
@pytest.mark.parametrize("side", ["first", "second"])
def test_every_line_is_a_game_of_the_player_into_a_hole(name: str, side: str) -> None:
    agent, solver = PLAYERS[name](SMALL), Solver(SMALL, table_mb=1)
    prover = Prover(agent, side, "gifts", all_lines=True, threads=2)  # type: ignore[arg-type]
    found = prover.prove()
    assert len(found.lines) == found.holes > 0
    lengths = [len(line.moves) for line in found.lines]
    assert lengths == sorted(lengths)
    for line in found.lines:
        position = Position(SMALL)
        for column in [*(int(name) - 1 for name in line.moves), int(line.move or 0) - 1]:
            before = solver.outcome(position)
            own = position.first_to_move == (side == "first")
            assert not own or agent.policy_of(position)[column] > 0
            held, position = position, position.play(column)
            if own and held.ply < len(line.moves) and line.chance > 0:
                assert -solver.outcome(position) == before, "it goes through an earlier hole"
        assert -solver.outcome(position) < before


def test_a_player_that_makes_no_move_has_a_hole_there() -> None:
    class Silent(AnswerAgent):
        may_forfeit = True

    board = Geometry(4, 4, 3)
    solver = Solver(board, table_mb=1)

    def answer(batch: PositionBatch) -> Policy:
        best = np.array([solver.best_moves(each)[0] for each in batch.positions()])
        return certain(best, board) * (batch.plies < 4)[:, None]

    found = Prover(Silent(answer, board)).prove()
    assert found.shortest is not None
    assert (len(found.shortest.moves), found.shortest.move) == (4, None)
    assert found.holes == {each.ply: each.positions for each in found.plies}[4]


def test_a_false_claim_of_symmetry_is_found_out() -> None:
    agent = LowestAgent(None, SMALL)
    agent.symmetric = True
    with pytest.raises(ArenaError, match="mirror image: take merge=false"):
        Prover(agent).prove()
    assert Prover(agent, merge=False).prove().holes


def test_mirror_images_merge_without_changing_the_chance() -> None:
    agent = make_agent("random", EVEN)
    merged, apart = Prover(agent).prove(), Prover(agent, merge=False).prove()
    assert merged.positions < apart.positions
    assert merged.hole_chance == pytest.approx(apart.hole_chance)
    assert (merged.symmetric, apart.symmetric) == (True, False)


def test_only_what_can_be_proven_is_tried() -> None:
    with pytest.raises(ArenaError, match="comes from chance"):
        Prover(make_agent("mcts:iterations=4", SMALL)).prove()
    slippery = Geometry(4, 4, 3, Variant(slip=0.1))
    with pytest.raises(ArenaError, match="only the plain game"):
        Prover(make_agent("random", slippery)).prove()
    with pytest.raises(ArenaError, match="more than 100 positions: sample some"):
        Prover(make_agent("random", SMALL), most_positions=100).prove()
    with pytest.raises(ArenaError, match="gives no chances"):
        Prover(AnswerAgent(lambda batch: np.zeros((len(batch), 4)), SMALL)).prove()


@pytest.mark.parametrize("part", [7, walking.LEAST_PART])
def test_threads_and_disk_change_nothing(monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    monkeypatch.setattr(walking, "LEAST_PART", part)
    monkeypatch.setattr("connectlab.arena.levels.RANGE", 50)
    agent = make_agent("random", SMALL)
    one = Prover(agent, threads=1, all_lines=True).prove()
    other = Prover(agent, threads=3, all_lines=True, memory_mb=0).prove()
    assert one.plies == other.plies
    assert one.lines == other.lines


def test_pieces_become_one_level_in_memory_and_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectlab.arena.levels.RANGE", 64)
    lots = np.random.default_rng(5)
    keys = lots.integers(0, 500, 3000).astype(np.uint64)
    weights = lots.random(3000)
    expected = np.bincount(keys.astype(np.int64), weights)
    for room in (1 << 30, 4000, 0):
        runs = Runs(Shelf(tmp_path, room))
        for begin in range(0, 3000, 100):
            runs.add(begin, Level.of(keys[begin : begin + 100], weights[begin : begin + 100]))
        level = runs.merged(2)
        assert level.keys.tolist() == sorted(set(keys.tolist()))
        assert level.weights.tolist() == pytest.approx(expected[level.keys.astype(int)].tolist())
        assert level.has(np.array([keys[0], 501], np.uint64)).tolist() == [True, False]


def test_a_shelf_gets_its_memory_back(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 16_000)
    runs = Runs(shelf)
    for number in range(4):
        runs.add(number, Level.of(np.arange(100, dtype=np.uint64), np.ones(100)))
    level = runs.merged(1)
    assert shelf.room == 16_000 - 16 * len(level)


def test_too_full_a_disk_is_told(tmp_path: Path) -> None:
    agent = make_agent("random", SMALL)
    shelf = Shelf(tmp_path / "gone", 0)
    walker = Prover(agent)._walker()
    with pytest.raises(ArenaError, match="do not fit into"):
        walker.walk(shelf)


def test_a_sample_of_everything_is_everything() -> None:
    agent = make_agent("random", EVEN)
    whole, sampled = Prover(agent).prove(), Prover(agent).sample(REPEATS * 100_000)
    assert sampled.positions == REPEATS * whole.positions
    assert sampled.holes == REPEATS * whole.holes
    assert sampled.held_rate == pytest.approx(whole.held_rate)
    assert sampled.hole_chance == pytest.approx(whole.hole_chance)
    assert _holds(sampled, whole.hole_chance)


def test_a_sample_is_right_on_average_and_its_interval_holds_the_truth() -> None:
    agent = wavering(Geometry(4, 4, 3))
    truth = Prover(agent).prove().hole_chance
    samples = [Prover(agent).sample(REPEATS * 10, seed) for seed in range(40)]
    mean = np.mean([each.hole_chance for each in samples])
    error = np.std([each.hole_chance for each in samples]) / np.sqrt(len(samples))
    assert abs(mean - truth) < 4 * error
    held = sum(_holds(each, truth) for each in samples)
    assert held >= 33, "95 % of forty are thirty-eight"


def _holds(sample: SampledProof, truth: float) -> bool:
    low, high = sample.hole_chance_interval
    return low <= truth and (high is None or truth <= high)


def test_an_interval_of_few_holes_reaches_as_far_as_their_weights_leave_open() -> None:
    found = replace(
        Prover(wavering(SMALL)).sample(80),
        hole_chances=(0.001,) * REPEATS,  # alike by chance
        holes_met=WeightedCount.of([0.0004, 0.0006]),
    )
    low, high = found.hole_chance_interval
    assert low < 0.0003 and high is not None and 0.003 < high < 0.006
    unbounded = replace(found, hole_chances=(4.0, *(0.1,) * (REPEATS - 1)))
    assert unbounded.hole_chance_interval[1] == 1.0


def test_a_sample_is_bounded_by_positions_each_time_anew() -> None:
    agent = wavering(Geometry(4, 4, 3))
    largest = max(
        sum(each.positions for each in walk.plies)
        for walk in (_sampled_walk(agent, seed) for seed in range(REPEATS))
    )
    Prover(agent, most_positions=largest).sample(REPEATS * 10)
    with pytest.raises(ArenaError, match="take a smaller sample, or raise positions"):
        Prover(agent, most_positions=20).sample(REPEATS * 10)


def _sampled_walk(agent: Agent, number: int) -> Walk:
    lots = Sample(10, derive_seed(0, number))
    return Prover(agent)._walker().walk(Shelf(Path(), 1 << 20), lots)


def test_a_sample_books_only_what_it_keeps() -> None:
    agent = wavering(Geometry(4, 4, 3))
    shelf = Shelf(Path(), 1 << 20)
    walk = Prover(agent)._walker().walk(shelf, Sample(10, 0))
    kept = sum(len(level) for level in walk.levels[1:])
    assert (1 << 20) - shelf.room == ENTRY_BYTES * kept


def test_samples_differ_by_seed_and_by_nothing_else() -> None:
    agent = wavering(SMALL)
    one, again, other = (Prover(agent, threads=n).sample(80, n % 2) for n in (1, 3, 2))
    assert one.plies == again.plies
    assert one.plies != other.plies


def test_no_hole_in_a_sample_leaves_room_for_some() -> None:
    found = Prover(make_agent("perfect", EVEN)).sample(80)
    assert found.held_rate == 1.0
    assert found.held_rate_interval.low < 1.0 == found.held_rate_interval.high
    assert found.hole_chance_interval == (0.0, None)


def test_a_hole_that_several_samples_meet_is_told_once() -> None:
    agent = wavering(SMALL)
    whole = Prover(agent, all_lines=True).prove()
    sampled = Prover(agent, all_lines=True).sample(REPEATS * 100_000)
    assert len(sampled.lines) == len(whole.lines) == whole.holes

"""Where stones slip and rows fall, the perceptron plays and learns what is really on the board."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from naive_mc import NaiveNetwork, encode
from small_mlps import random_mlp, save_mlp

from connectlab.agents import AgentError, make_agent
from connectlab.agents.mlp.config import MLPConfig
from connectlab.agents.mlp.network import Network
from connectlab.agents.mlp.play import read_board
from connectlab.agents.mlp.records import SGD, Scratch, make_scratch
from connectlab.agents.mlp.selfplay import learn_recorded, play_game
from connectlab.agents.mlp.training import MLPLearner
from connectlab.game import Geometry, Position
from connectlab.game.bitboard import DRAW, FIRST_WINS, has_line
from connectlab.game.variants import LONGEST_GAME, Variant, count_runs
from connectlab.training.learner import LearnerError
from naive import to_bits, to_cells

COLUMNS, ROWS = 4, 4
SETTINGS = {"columns": COLUMNS, "rows": ROWS, "connect": 3, "hidden": 6, "eta": 0.5, "games": 500}


def learner(variant: str, **changes: object) -> MLPLearner:
    return MLPLearner(MLPConfig.model_validate({**SETTINGS, "variant": variant, **changes}))


def stones_after(scratch: Scratch, ply: int, side: int) -> list[set[tuple[int, int]]]:
    """Own and other stones after a ply, in the view of a side."""
    return [to_cells(int(scratch.stones[s, ply]), COLUMNS, ROWS) for s in (side, 1 - side)]


@pytest.mark.parametrize("variant", ["slip:0.4", "drop-row:0.3", "slip:0.3+drop-row:0.2"])
def test_a_game_by_chance_teaches_the_states_that_chance_left(variant: str) -> None:
    fell = 0
    for seed in range(12):
        one = learner(variant, seed=seed)
        network, scratch = one.network, make_scratch(one.network, SGD)
        plies, outcome = play_game(np.uint64(seed), 0.6, network.brain, scratch)
        counts = [int(scratch.stones[:, ply].sum()).bit_count() for ply in range(plies)]
        fell += any(b < a for a, b in pairwise(counts))
        check_end(network, scratch, plies, outcome)
        check_step(one, scratch, plies, outcome, seed % 2)
    assert bool(fell) == ("drop" in variant)


def check_end(network: Network, scratch: Scratch, plies: int, outcome: int) -> None:
    """The winner has a line, and the potentials of both views are those of the last board."""
    brain, shape = network.brain, network.geometry.shape
    lines = [has_line(scratch.stones[side, plies - 1], shape) for side in (0, 1)]
    assert lines == [outcome == FIRST_WINS, outcome == FIRST_WINS + 1]
    last = (plies - 1) % 2
    assert outcome == DRAW or lines[last]
    for side in (0, 1):
        full = np.empty_like(scratch.potentials[side])
        own, other = scratch.stones[side, plies - 1], scratch.stones[1 - side, plies - 1]
        read_board(own, other, full, brain)
        assert scratch.potentials[side] == pytest.approx(full, abs=1e-5)


def check_step(
    one: MLPLearner,
    scratch: Scratch,
    plies: int,
    outcome: int,
    side: int,
    rows: Sequence[list[float]] = (),
) -> None:
    """The step is that of Table 1 on the states of one side, whose inputs may be given."""
    arrays = {name: a.astype(np.float64) for name, a in one.network.arrays.items()}
    last = float(arrays["output_threshold"][0])
    naive = NaiveNetwork(arrays["inputs"], arrays["thresholds"], arrays["outputs"], last)
    visited = range(side, plies, 2)
    result = float(outcome == FIRST_WINS + side)
    kept = [(t, ply) for t, ply in enumerate(visited, start=1) if scratch.chosen[ply]]
    states = [
        rows[ply] if rows else encode(*stones_after(scratch, ply, side), COLUMNS, ROWS)
        for _, ply in kept
    ]
    naive.train(states, [result * 0.97 ** (len(visited) - t) for t, _ in kept], 0.5)
    brain, memory = one.network.brain, np.zeros((1, 1), dtype=np.float32)
    assert learn_recorded(side, plies, outcome, 0.5, False, memory, brain, one._learning, scratch)
    assert one.network.arrays["inputs"] == pytest.approx(naive.w1, abs=5e-6)
    assert one.network.arrays["outputs"] == pytest.approx(naive.w2, abs=5e-6)
    assert one.network.arrays["thresholds"] == pytest.approx(naive.theta1, abs=5e-6)


def test_a_board_without_chance_draws_no_number_for_it() -> None:
    plain, named = learner(""), learner("slip:0.0")
    plain.learn(200)
    named.learn(200)
    assert np.array_equal(plain.network.parameters, named.network.parameters)


@pytest.mark.parametrize("variant", ["slip:0.3", "drop-row:0.2"])
def test_chance_changes_what_is_learned(variant: str) -> None:
    plain, other = learner(""), learner(variant)
    assert plain.learn(200)["plies"] != other.learn(200)["plies"]
    assert other.network.geometry.variant == Variant.parse(variant)
    saved = Network.from_checkpoint(other.checkpoint())
    assert saved.geometry == other.network.geometry


def test_a_game_that_never_ends_is_a_draw() -> None:
    one = learner("drop-row:0.99999", connect=4, columns=1, rows=2)
    scratch = make_scratch(one.network, SGD)
    plies, outcome = play_game(np.uint64(3), 0.5, one.network.brain, scratch)
    assert outcome == DRAW
    assert plies == LONGEST_GAME


def test_games_in_which_rows_fell_are_learned_from() -> None:
    one = learner("drop-row:0.2")
    game = Position.from_moves("1_122334", one.config.geometry)
    while not game.is_over:
        game = game.play(game.legal_columns[0])
    metrics = one.learn_from([game])
    assert metrics["plies"] == game.n_moves > game.ply


# Counts


def seen(scratch: Scratch, ply: int, geometry: Geometry) -> list[float]:
    """What the side to move saw before a ply, and what it chose, written out."""
    side, before = ply % 2, ply - 1
    stones = stones_after(scratch, before, side) if ply else [set(), set()]
    occupied = stones[0] | stones[1]
    runs = np.empty((2, geometry.connect - 1), dtype=np.int64)
    words = [np.uint64(to_bits(cells, ROWS)) for cells in (stones[0], occupied)]
    count_runs(*words, geometry.shape, runs)
    rooms = [float((column, ROWS - 1) not in occupied) for column in range(COLUMNS)]
    (landed,) = stones_after(scratch, ply, side)[0] - stones[0]
    chosen = [float(column == landed[0]) for column in range(COLUMNS)]
    pairs = [x for pair in zip(rooms, chosen, strict=True) for x in pair]
    share = len(occupied) / geometry.cells
    return [*map(float, runs.reshape(-1)), share, float(len(occupied) % 2), *pairs]


@pytest.mark.parametrize("side", [0, 1])
def test_counts_and_the_chosen_column_are_what_is_learned(side: int) -> None:
    for seed in range(6):
        one = learner("counts", seed=seed)
        scratch = make_scratch(one.network, SGD)
        plies, outcome = play_game(np.uint64(seed), 0.6, one.network.brain, scratch)
        rows = [seen(scratch, ply, one.config.geometry) for ply in range(plies)]
        assert scratch.inputs[:plies] == pytest.approx(np.array(rows))
        check_step(one, scratch, plies, outcome, side, rows)


def test_who_is_told_counts_does_not_see_the_stones(tmp_path: Path) -> None:
    board = replace(Geometry(), variant=Variant(counts=True))
    config = {"variant": "counts", "hidden": 9, "games": 2_000, "eta": 0.05}
    one = MLPLearner(MLPConfig.model_validate(config))
    one.learn(2_000)
    path = tmp_path / "counts.safetensors"
    one.checkpoint().save(path)
    agent = make_agent(f"mlp:{path}", board)
    first, second = (Position.from_moves(moves, board) for moves in ("1122", "6677"))
    assert agent.policy_of(first) == agent.policy_of(second)
    assert agent.analyse(first).values == agent.analyse(second).values
    assert agent.analyse(first).groups == ()
    assert agent.contents() is not None
    with pytest.raises(AgentError, match="was trained on a 7x6 connect-4 counts board"):
        make_agent(f"mlp:{path}")


def test_what_is_seen_and_chosen_is_learned_from_games_of_others() -> None:
    one, other = learner("counts"), learner("counts")
    game = Position.from_moves("12121", one.config.geometry)
    before = one.network.parameters.copy()
    errors = [one.learn_from([game])["squared_error"] for _ in range(200)]
    assert errors[-1] < errors[0] / 2
    assert not np.array_equal(before, one.network.parameters)
    assert np.array_equal(before, other.network.parameters)


def test_counts_have_no_mirror_image() -> None:
    with pytest.raises(ValueError, match="counts have no mirror image"):
        learner("counts", mirror=True)


def test_a_network_may_play_with_other_odds(tmp_path: Path) -> None:
    board = Geometry(COLUMNS, ROWS, 3)
    spec = save_mlp(random_mlp(board), tmp_path)
    assert make_agent(spec, replace(board, variant=Variant(slip=0.1)))


def test_games_with_slips_are_not_learned_from_where_counts_are_told() -> None:
    """They tell where a stone landed, and what is learned is what was chosen."""
    board = Geometry(COLUMNS, ROWS, 3, Variant.parse("slip:0.5+counts"))
    with pytest.raises(LearnerError, match="where they landed and not what was chosen"):
        learner("slip:0.5+counts").learn_from([Position.from_moves("12121", board)])

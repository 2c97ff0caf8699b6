"""What the rules claim is true, held against the perfect solver; and no rule is idle.

Run this file to record for each rule a position that cannot be proven without it.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from connectlab.agents.allis.config import RULE_NODES
from connectlab.agents.allis.control import HOLDS, NOTHING, WINS, make_desk, prove, prove_all
from connectlab.agents.allis.instances import ALL_RULES, RULES
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import format_moves
from connectlab.game.random_lines import random_lines
from connectlab.solver import Solver

RECORDS = Path(__file__).parents[2] / "golden" / "rules" / "allis.json"
FEW = [Geometry(5, 4), Geometry(4, 6), Geometry(6, 5), Geometry(4, 4, 3)]
MANY = [
    STANDARD,
    *(Geometry(6, 6), Geometry(5, 6), Geometry(4, 6), Geometry(8, 4), Geometry(6, 4)),
    *(Geometry(5, 4), Geometry(6, 5), Geometry(7, 5), Geometry(5, 5), Geometry(5, 4, 3)),
]


def proven(batch: PositionBatch, rules: int = ALL_RULES) -> NDArray[np.int64]:
    verdicts = np.zeros(len(batch), np.int64)
    prove_all(batch.mover, batch.occupied, make_desk(batch.geometry, RULE_NODES, rules), verdicts)
    return verdicts


def refuted(batch: PositionBatch, verdicts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where the solver knows better: the side to move is not as badly off as claimed."""
    solved = Solver(batch.geometry).solve_many(batch, outcome_only=True, max_nodes=500_000)
    holds = (verdicts == HOLDS) & (solved.scores > 0)
    return solved.known & (holds | ((verdicts == WINS) & (solved.scores >= 0)))


@pytest.mark.parametrize("geometry", FEW, ids=str)
def test_the_solver_refutes_no_claim(geometry: Geometry) -> None:
    batch = random_lines(1_000, 0, geometry.cells - 1, geometry=geometry, seed=5).batch
    verdicts = proven(batch)
    assert (verdicts == HOLDS).any()
    assert (verdicts == WINS).any()
    assert not refuted(batch, verdicts).any()


@pytest.mark.slow
@pytest.mark.parametrize("geometry", MANY, ids=str)
def test_the_solver_refutes_no_claim_on_many_boards(geometry: Geometry) -> None:
    first = 8 if geometry.cells > 28 else 0
    batch = random_lines(2_500, first, geometry.cells - 1, geometry=geometry, seed=6).batch
    verdicts = proven(batch)
    assert (verdicts != NOTHING).sum() > 5
    wrong = refuted(batch, verdicts)
    assert not wrong.any(), batch.position(int(np.argmax(wrong)))


@pytest.mark.parametrize(
    "geometry",
    [Geometry(9, 6, 5), Geometry(8, 7, 5), Geometry(21, 2, 4), Geometry(2, 31, 9), Geometry(1, 63)],
    ids=str,
)
def test_no_claim_is_refuted_late_on_boards_of_any_shape(geometry: Geometry) -> None:
    first = geometry.cells - 12
    batch = random_lines(400, first, geometry.cells - 1, geometry=geometry, seed=7).batch
    verdicts = proven(batch)
    assert (verdicts != NOTHING).any()
    assert not refuted(batch, verdicts).any()


@pytest.mark.parametrize("geometry", [Geometry(16, 3, 3), Geometry(8, 7, 3)], ids=str)
def test_a_proof_has_room_for_an_instance_for_each_group(geometry: Geometry) -> None:
    desk = make_desk(geometry, RULE_NODES)
    assert len(desk.choice.chosen) > len(desk.groups) > 64
    assert prove(np.uint64(0), np.uint64(0), desk) == NOTHING


def every_position(geometry: Geometry) -> PositionBatch:
    """All positions that are not over, level by level."""
    level = {Position(geometry)}
    found: list[Position] = []
    while level:
        found += level
        after = {position.play(column) for position in level for column in position.legal_columns}
        level = {position for position in after if not position.is_over}
    return PositionBatch.of(found)


@pytest.mark.parametrize(
    "geometry", [Geometry(3, 4, 3), Geometry(4, 3, 3), Geometry(5, 2, 3)], ids=str
)
def test_in_every_position_of_a_small_board_no_claim_is_refuted(geometry: Geometry) -> None:
    batch = every_position(geometry)
    verdicts = proven(batch)
    assert (verdicts != NOTHING).sum() > 20
    assert not refuted(batch, verdicts).any()


@pytest.mark.slow
def test_in_every_position_of_4x4_no_claim_is_refuted() -> None:
    batch = every_position(Geometry(4, 4, 4))
    verdicts = proven(batch)
    assert len(batch) > 80_000
    assert not refuted(batch, verdicts).any()


def test_a_claim_that_is_too_bold_is_refuted() -> None:
    batch = random_lines(300, 4, 15, geometry=Geometry(4, 4, 3), seed=5).batch
    assert refuted(batch, np.full(len(batch), HOLDS)).any()
    assert (
        refuted(batch, np.full(len(batch), WINS)).sum()
        > refuted(batch, np.full(len(batch), HOLDS)).sum()
    )


@pytest.mark.parametrize("columns", [4, 5, 6])
@pytest.mark.parametrize("rows", [2, 4, 6, 8])
def test_the_second_player_holds_the_empty_board_of_up_to_six_columns(
    columns: int, rows: int
) -> None:
    desk = make_desk(Geometry(columns, rows), RULE_NODES)
    assert prove(np.uint64(0), np.uint64(0), desk) == HOLDS


def test_the_rules_claim_nothing_for_the_side_that_loses_the_empty_standard_board() -> None:
    assert prove(np.uint64(0), np.uint64(0), make_desk(STANDARD, RULE_NODES)) == NOTHING


def without(rule: str) -> int:
    return ALL_RULES & ~(1 << RULES.index(rule))


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_is_idle(rule: str) -> None:
    recorded = json.loads(RECORDS.read_text(encoding="utf-8"))[rule]
    batch = PositionBatch.of([Position.from_moves(moves) for moves in recorded])
    assert (proven(batch) == HOLDS).all()
    assert (proven(batch, without(rule)) == NOTHING).all()
    assert (proven(batch, 1 << RULES.index(rule)) == NOTHING).all()


def record_positions(n: int = 3) -> dict[str, list[str]]:
    """Return, for each rule, the shortest of many random lines that are not proven without it."""
    lines = random_lines(60_000, 8, 34, seed=77)
    held = np.flatnonzero(proven(lines.batch) == HOLDS)
    batch = lines.batch[held]
    found = {}
    for rule in RULES:
        needed = held[proven(batch, without(rule)) == NOTHING]
        moves = sorted((format_moves(lines.moves[i], STANDARD) for i in needed), key=len)
        found[rule] = moves[:n]
    return found


if __name__ == "__main__":
    RECORDS.write_text(json.dumps(record_positions(), indent=2) + "\n", encoding="utf-8")

"""Sets of solved positions: classes, generation, files."""

from pathlib import Path

import numpy as np
import pytest

from connectlab.arena.positions import (
    CLASSES,
    PositionSet,
    PositionSetError,
    class_of,
    generate_positions,
    read_position_set,
    stage_of,
)
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.random_lines import random_lines
from connectlab.solver import Solver, distance_of

SMALL = Geometry(4, 4, 3)


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(table_mb=16)


@pytest.fixture(scope="module")
def made(solver: Solver) -> PositionSet:
    return generate_positions(5, seed=1, solver=solver)


@pytest.mark.parametrize(
    ("stones", "stage"), [(1, "begin"), (14, "begin"), (15, "middle"), (28, "middle"), (29, "end")]
)
def test_stages_of_the_standard_board(stones: int, stage: str) -> None:
    assert stage_of(stones, STANDARD) == stage


@pytest.mark.parametrize(
    ("stones", "score", "name"),
    [
        (8, 11, "begin-easy"),  # wins with the 13th stone from now
        (8, -11, "begin-easy"),  # loses to the 14th
        (8, 10, "begin-medium"),  # the 15th
        (14, 0, "begin-medium"),  # a draw after 28 more
        (14, -1, "begin-medium"),
        (13, 0, "begin-hard"),  # a draw after 29 more
        (4, 2, "begin-hard"),
        (28, 0, "middle-easy"),
        (15, 0, "middle-medium"),
        (29, 0, "end-easy"),
        (41, 0, "end-easy"),
    ],
)
def test_classes_of_the_standard_board(stones: int, score: int, name: str) -> None:
    assert class_of(stones, score, STANDARD) == name


def test_every_class_is_one_of_the_six_on_every_board() -> None:
    for geometry in (STANDARD, SMALL, Geometry(5, 4, 4), Geometry(8, 7, 4), Geometry(3, 3, 3)):
        for stones in range(1, geometry.cells):
            assert class_of(stones, 0, geometry) in CLASSES


def test_generated_positions_fill_every_class(made: PositionSet) -> None:
    assert made.counts == dict.fromkeys(CLASSES, 5)


def test_generated_positions_are_different_unfinished_and_undecided(made: PositionSet) -> None:
    assert len(set(made.positions)) == len(made) == 30
    for position, score in zip(made.positions, made.scores, strict=True):
        assert not position.is_over
        assert score == 0 or distance_of(int(score), position.ply, STANDARD) > 2


def test_generated_positions_are_solved_and_classed_rightly(made: PositionSet) -> None:
    fresh = Solver(table_mb=16)
    for position, score, name in zip(made.positions, made.scores, made.classes, strict=True):
        assert fresh.score(position) == score
        assert class_of(position.ply, int(score), STANDARD) == name


def test_the_same_seed_makes_the_same_set_whatever_the_threads(
    made: PositionSet, solver: Solver
) -> None:
    again = generate_positions(5, seed=1, solver=solver, threads=3)
    other = generate_positions(5, seed=2, solver=solver)
    assert again.format() == made.format()
    assert other.format() != made.format()


def test_a_larger_set_begins_with_the_smaller(made: PositionSet, solver: Solver) -> None:
    larger = generate_positions(7, seed=1, solver=solver)
    for name in CLASSES:
        ours, theirs = (
            [p.moves for p, n in zip(some.positions, some.classes, strict=True) if n == name]
            for some in (made, larger)
        )
        assert theirs[:5] == ours


def test_classes_a_small_board_lacks_stay_short() -> None:
    made = generate_positions(30, geometry=Geometry(4, 4, 4))
    assert "begin-easy" not in made.counts
    assert made.counts["end-easy"] == 30


def test_candidates_beyond_the_node_limit_are_left_out() -> None:
    solver = Solver(table_mb=1, book=False)
    made = generate_positions(2, solver=solver, max_nodes=200)
    assert made.counts.get("begin-hard", 0) == 0
    assert made.counts["end-easy"] == 2


def test_progress_counts_positions(solver: Solver) -> None:
    seen: list[tuple[int, int]] = []
    generate_positions(2, solver=solver, progress=lambda *now: seen.append(now))
    assert (seen[0], seen[-1]) == ((0, 12), (12, 12))


def test_a_set_of_nothing_is_refused() -> None:
    with pytest.raises(PositionSetError, match="1 or more, not 0"):
        generate_positions(0)


def test_the_solver_must_be_of_the_same_board(solver: Solver) -> None:
    with pytest.raises(PositionSetError, match="solver is for 7x6 connect-4, the set for 4x4"):
        generate_positions(1, geometry=SMALL, solver=solver)


def test_random_lines_are_legal_and_of_the_wanted_length() -> None:
    lines = random_lines(400, 3, 30, seed=5)
    assert {len(moves) for moves in lines.moves} <= set(range(3, 31))
    assert 100 < len(lines) < 400
    positions = [Position.from_moves(moves) for moves in lines.moves]
    assert not any(position.is_over for position in positions)
    assert lines.batch.positions() == positions


def test_a_file_comes_back_as_it_was_written(made: PositionSet, tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    made.write(path)
    back = read_position_set(path)
    assert back.positions == made.positions
    assert [p.moves for p in back.positions] == [p.moves for p in made.positions]
    assert np.array_equal(back.scores, made.scores)
    assert back.classes == made.classes


def test_missing_scores_are_solved_and_missing_classes_follow(
    tmp_path: Path, solver: Solver
) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("# a comment\n\n32164625  # no score\n6146 18\n13712 3 mine\n")
    found = read_position_set(path, solver=solver)
    assert found.scores.tolist() == [11, 18, 3]
    assert found.classes == ("begin-easy", "begin-easy", "mine")
    assert found.counts == {"begin-easy": 2, "mine": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("4x5 3", "line 2: move 2: there is no column 'x'"),
        ("1111111 3", "line 2: move 7: column 1 is full"),
        ("44 three", "line 2: the score must be a whole number, not 'three'"),
        ("44 22", "line 2: the score must lie from -21 to 21, not at 22"),
        ("44 1 begin hard", "line 2: 4 words"),
        ("1212121 3", "line 2: the game is over"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"44 1\n{line}\n")
    with pytest.raises(PositionSetError) as caught:
        read_position_set(path)
    assert f"{path}, {reason}" in str(caught.value)


def test_a_file_without_positions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("# nothing here\n")
    with pytest.raises(PositionSetError, match="holds no positions"):
        read_position_set(path)
    with pytest.raises(PositionSetError, match="cannot read"):
        read_position_set(tmp_path / "missing.txt")

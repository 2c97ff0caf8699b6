"""The index of a tuple is the number that the papers print."""

import numpy as np
import pytest
from small_networks import random_positions

from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.paper_index import (
    PaperIndex,
    mirrored_index,
    paper_index,
    stored_state,
)
from connectlab.agents.ntuple.tuples import create_tuples
from connectlab.agents.settings import AgentError
from connectlab.game import STANDARD, Geometry, Position

POSTER = Position.from_moves("4524523446334223543355")
"""A position with the stones that the two tuples of Konen 2015 see; the rest is ours."""
T1 = ((0, 0), (0, 1), (1, 1), (2, 1))
T2 = ((3, 5), (3, 4), (4, 4), (4, 3))


def test_the_tuple_of_the_first_figure_of_thill_2012_has_k_91() -> None:
    index = PaperIndex((3, 2, 1, 1), 4)
    assert index.value == 91
    assert index.terms == (3, 8, 16, 64)
    assert index.formula == "3·4^0 + 2·4^1 + 1·4^2 + 1·4^3 = 91"


def test_a_position_with_these_states_has_k_91_too() -> None:
    """The figure's own board is not in the text; the states of the four cells are."""
    position = Position.from_moves("12133")
    cells = ((3, 0), (1, 0), (0, 0), (0, 1))
    assert paper_index(cells, position) == PaperIndex((3, 2, 1, 1), 4)


def test_the_two_tuples_of_the_poster_have_xi_99_and_102() -> None:
    assert paper_index(T1, POSTER) == PaperIndex((3, 0, 2, 1), 4)
    assert paper_index(T1, POSTER).value == 99
    assert paper_index(T2, POSTER) == PaperIndex((2, 1, 2, 1), 4)
    assert paper_index(T2, POSTER).value == 102


def test_with_three_states_an_empty_cell_is_0_wherever_it_is() -> None:
    assert paper_index(T1, POSTER, 3).states == (0, 0, 2, 1)
    assert paper_index(T1, POSTER, 3).value == 2 * 9 + 27


def test_the_order_of_the_cells_is_that_of_the_digits() -> None:
    assert paper_index(T2[::-1], POSTER).states == (1, 2, 1, 2)
    assert paper_index(T2[::-1], POSTER).value == 1 + 2 * 4 + 16 + 2 * 64


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(5, 4, 3)], ids=str)
def test_the_mirrored_index_is_the_index_in_the_mirrored_board(geometry: Geometry) -> None:
    (cells,) = create_tuples("walk", 1, 6, geometry, 5)
    for position in random_positions(geometry, 20):
        mirrored = mirrored_index(cells, position)
        assert mirrored == paper_index(cells, position.mirror())
    assert mirrored_index(T1, POSTER) != paper_index(T1, POSTER)


@pytest.mark.parametrize("states", [3, 4])
def test_the_stored_state_is_the_same_state(states: int) -> None:
    tuples = create_tuples("walk", 3, 6, STANDARD, 2)
    layout = Layout(STANDARD, tuples, states, mirror=False)
    for position in random_positions(STANDARD, 30, seed=3):
        for number, cells in enumerate(tuples):
            state, realisable = stored_state(cells, position, states)
            assert realisable == layout.sizes[number]
            assert layout.cell_states(number, state) == paper_index(cells, position, states).states


def test_every_index_of_a_small_tuple_is_another_number() -> None:
    found = {PaperIndex((a, b, c), 3).value for a, b, c in np.ndindex(3, 3, 3)}
    assert found == set(range(27))


@pytest.mark.parametrize(("states", "base"), [((0, 3), 3), ((4,), 4), ((1, -1), 4)])
def test_a_state_that_no_cell_has_is_refused(states: tuple[int, ...], base: int) -> None:
    with pytest.raises(AgentError, match=f"with P = {base} there are 0 to {base - 1}"):
        PaperIndex(states, base)


@pytest.mark.parametrize("cells", [(), ((0, 0), (0, 0)), ((7, 0),), ((0, 6),)])
def test_what_is_no_tuple_of_the_board_is_refused(cells: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(AgentError):
        paper_index(cells, POSTER)

"""What the player says: rules by name, the cells they need, and the groups that are left."""

import numpy as np

from connectlab.agents import make_agent
from connectlab.agents.allis.config import RULE_NODES
from connectlab.agents.allis.control import HOLDS, NOTHING, WINS, make_desk, prove
from connectlab.agents.allis.explain import Proof, cell_names, find_proof
from connectlab.game import Geometry, Position
from connectlab.game.random_lines import random_lines


def proof_of(moves: str, geometry: Geometry | None = None) -> Proof:
    board = geometry or Geometry()
    return find_proof(Position.from_moves(moves, board), make_desk(board, RULE_NODES))


def test_names_the_rules_that_hold_a_position() -> None:
    analysis = make_agent("allis").analyse(Position.from_moves("66643531745415"))
    (sentence,) = (text for text in analysis.sentences if text.startswith("As it stands"))
    assert "the second player holds at least a draw by claimeven" in sentence
    assert "highinverse e4-e5-e6-g2-g3-g4" in sentence
    assert analysis.facts["other_side"] == "holds"


def test_draws_the_cells_of_every_rule() -> None:
    analysis = make_agent("allis").analyse(Position.from_moves("66643531745415"))
    group = next(group for group in analysis.groups if group.title.startswith("before"))
    assert dict(zip(group.cells, group.marks, strict=True)) == {
        (3, 0): "O",
        (3, 1): "O",
        (3, 2): "O",
        (3, 3): "+",
        (3, 4): "+",
    }
    assert group.note == "group d1-d2-d3-d4"
    assert {group.weight for group in analysis.groups} == {-1.0}


def test_names_the_groups_that_remain_unsolved() -> None:
    proof = proof_of("")
    assert proof.verdict == NOTHING
    assert proof.unsolved
    assert proof.steers
    analysis = make_agent("allis").analyse(Position.from_moves("4"))
    assert any("unsolved" in sentence for sentence in analysis.sentences)
    assert any(group.title.startswith("unsolved") for group in analysis.groups)
    assert analysis.facts["unsolved_groups"] == len(
        [group for group in analysis.groups if group.title.startswith("unsolved")]
    )


def test_says_when_the_rules_do_not_apply() -> None:
    proof = proof_of("4")
    assert (proof.verdict, proof.steers, proof.rules) == (NOTHING, False, ())
    sentences = make_agent("allis").analyse(Position()).sentences
    assert any("odd number of cells" in sentence for sentence in sentences)


def test_names_the_threat_that_wins() -> None:
    batch = random_lines(400, 20, 30, seed=9).batch
    desk = make_desk(Geometry(), RULE_NODES)
    won = [
        batch.position(i)
        for i in range(len(batch))
        if prove(batch.mover[i], batch.occupied[i], desk) == WINS
    ]
    assert won
    assert all(find_proof(position, desk).threats for position in won)


def test_the_rules_of_a_proof_solve_all_groups_they_name_none_twice() -> None:
    proof = proof_of("", Geometry(6, 6))
    assert proof.verdict == HOLDS
    words = [rule.words() for rule in proof.rules]
    assert len(set(words)) == len(words)
    assert not proof.unsolved


def test_level_c_says_who_settled_it() -> None:
    position = Position.from_moves("66643531745415")
    analysis = make_agent("allis:level=c").analyse(position)
    assert analysis.facts["decided_by"] in analysis.sentences[0]
    assert (
        make_agent("allis:level=c,nodes=1").analyse(Position()).facts["decided_by"] == "the solver"
    )


def test_names_cells_as_people_count_them() -> None:
    assert cell_names(((2, 0), (2, 1))) == "c1-c2"


def test_explaining_leaves_the_policy_alone() -> None:
    agent = make_agent("allis")
    position = Position.from_moves("4455")
    before = agent.policy_of(position)
    agent.analyse(position)
    assert np.array_equal(before, agent.policy_of(position))

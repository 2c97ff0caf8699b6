"""The network that was hardened: nobody takes a win from it."""

import pytest

from connectlab.agents import make_agent
from connectlab.agents.ntuple.agent import SOURCES
from connectlab.arena.exact import exact_success
from connectlab.arena.match import play_match
from connectlab.arena.proof import Prover
from connectlab.storage.checkpoint import read_header


def test_it_says_how_it_came_about_and_is_the_champion_otherwise() -> None:
    hardened, champion = (
        read_header(SOURCES.shipped_file(name)) for name in ("hardened", "champion")
    )
    assert hardened["hardened"] == {"way": "lessons", "rounds": 8, "lessons": 6707}
    assert "hardened" not in champion
    for told in ("network", "config", "games_done"):
        assert hardened[told] == champion[told]


@pytest.mark.slow
def test_no_opponent_whatever_takes_the_win_from_it() -> None:
    """Every game that can come about, to the last one: this is the proof itself."""
    proof = Prover(make_agent("ntuple:hardened")).prove()
    assert proof.is_proven
    assert proof.claim.result == 1
    assert proof.positions == 34_152_836


@pytest.mark.slow
def test_it_wins_all_games_as_the_proof_says() -> None:
    hardened = make_agent("ntuple:hardened")
    assert exact_success(hardened).win == 1.0
    for opponent in ("random", "negamax", "perfect"):
        games = 400 if opponent != "perfect" else 50
        found = play_match(hardened, make_agent(opponent), games=games, seed=5)
        assert found.first.wins == games // 2

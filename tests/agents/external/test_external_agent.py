"""Playing with another program: who answers, how many run, and that none is left behind."""

import gc
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from scripted import command, die_out, is_alive, kill, pids, spec

from connectlab.agents import make_agent
from connectlab.arena.exact import exact_success
from connectlab.arena.match import play_match
from connectlab.arena.threads import ArenaError
from connectlab.arena.tournament import play_tournament
from connectlab.game import Geometry, Position, PositionBatch

OURS = f"{sys.executable} -m connectlab engine"

PROGRAM = """
import sys, time
from connectlab.agents import make_agent
from connectlab.game import Position
agent = make_agent(sys.argv[1])
agent.choose_one(Position())
print("asked", flush=True)
if sys.argv[2] == "wait":
    time.sleep(3600)
"""


def positions(geometry: Geometry, n: int) -> PositionBatch:
    """Positions of random games that go on, of all lengths."""
    batch = PositionBatch.start(n, geometry, seed=5)
    random, found = make_agent("random", geometry), []
    while len(batch):
        found.append(batch[:3])
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
    return PositionBatch.joined(found)


def test_nothing_runs_until_it_is_asked(tmp_path: Path) -> None:
    agent = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    agent.choose(PositionBatch.start(0))
    assert pids(tmp_path / "pids") == []
    assert agent.choose_one(Position.from_moves("444444")) == 2
    assert len(pids(tmp_path / "pids")) == 1


def test_each_thread_has_a_program_to_itself_and_leaves_it_to_the_next(tmp_path: Path) -> None:
    agent = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    together = Barrier(2)

    def ask(batch: PositionBatch) -> None:
        together.wait()
        agent.choose(batch)

    for _ in range(3):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(ask, [PositionBatch.start(300)] * 2))
    assert len(pids(tmp_path / "pids")) == 2


def test_a_player_that_is_forgotten_leaves_no_process(tmp_path: Path) -> None:
    agent = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    agent.choose_one(Position())
    assert is_alive(pids(tmp_path / "pids")[0])
    del agent
    gc.collect()
    assert die_out(pids(tmp_path / "pids"))


@pytest.mark.parametrize("how", ["exit", "terminate", "kill"])
def test_no_process_outlives_ours_not_even_a_stubborn_one_with_helpers(
    how: str, tmp_path: Path
) -> None:
    engine = spec("faulty.py", "stubborn", tmp_path / "pids")
    ending = "wait" if how != "exit" else "end"
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, engine, ending], stdout=subprocess.PIPE, text=True
    ) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == "asked\n"
        if how != "exit":
            assert all(map(is_alive, pids(tmp_path / "pids")))
            ours.send_signal(signal.SIGTERM if how == "terminate" else signal.SIGKILL)
    engine_and_helper = pids(tmp_path / "pids")
    assert len(engine_and_helper) == 2
    try:
        assert die_out(engine_and_helper)
    finally:
        kill(engine_and_helper)


def test_closing_ends_the_program_and_asking_starts_it_again(tmp_path: Path) -> None:
    agent = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    agent.choose_one(Position())
    agent.close()
    assert die_out(pids(tmp_path / "pids"))
    assert agent.choose_one(Position()) == 3
    assert len(pids(tmp_path / "pids")) == 2


def test_a_fork_does_not_speak_to_the_program_of_its_parent(tmp_path: Path) -> None:
    agent = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    agent.choose_one(Position())
    fork = os.fork()
    if fork == 0:
        with_own = agent.choose_one(Position.from_moves("4")) == 3
        agent.close()
        os._exit(0 if with_own else 1)
    assert os.waitpid(fork, 0)[1] == 0
    first, second = pids(tmp_path / "pids")
    assert is_alive(first)
    assert die_out([second])
    assert agent.choose_one(Position()) == 3


def test_a_match_on_two_threads_is_that_on_one() -> None:
    agent, random = make_agent(spec("center.py")), make_agent("random")
    one, two = (play_match(agent, random, 60, seed=4, threads=n) for n in (1, 2))
    assert one.tally == two.tally
    assert one.tally.wins > one.tally.losses


def test_a_tournament_on_two_threads(tmp_path: Path) -> None:
    fine = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    result = play_tournament([fine, make_agent("random"), make_agent("extend")], 20, threads=2)
    assert result is not None
    assert 1 <= len(pids(tmp_path / "pids")) <= 2


def test_its_games_are_not_walked_through() -> None:
    with pytest.raises(ArenaError, match="comes from chance"):
        exact_success(make_agent(spec("center.py")))


@pytest.mark.parametrize("geometry", [Geometry(7, 6, 4), Geometry(10, 4, 4)], ids=str)
def test_our_engine_plays_as_the_player_itself(geometry: Geometry) -> None:
    batch = positions(geometry, 20)
    itself = make_agent("minimax:depth=2", geometry)
    engine = make_agent(f"external:command={OURS} minimax:depth=2", geometry)
    certain = itself.policy(batch).max(axis=1) == 1.0
    assert 10 < certain.sum() < len(batch)
    assert np.array_equal(itself.choose(batch)[certain], engine.choose(batch)[certain])


def test_our_engine_draws_the_same_lots_when_it_is_told_the_stream() -> None:
    batch = positions(Geometry(7, 6, 4), 20)
    engine = make_agent(f"external:command={OURS} random,streams=true")
    assert np.array_equal(make_agent("random").choose(batch), engine.choose(batch))


@pytest.mark.parametrize("banner_lines", [5, 8, 20])
def test_velena_is_asked_with_its_level_and_the_moves(banner_lines: int, tmp_path: Path) -> None:
    settings = {"protocol": "velena", "level": "b"}
    agent = make_agent(spec("velena.py", str(banner_lines), tmp_path / "log", **settings))
    assert agent.choose_one(Position()) == 3
    assert agent.choose_one(Position.from_moves("444444")) == 2
    assert agent.choose_one(Position.from_moves("12")) == 3
    agent.close()
    assert (tmp_path / "log").read_text().split() == ["b0", "b4444440", "b120", "q"]


def test_velena_plays_a_match(tmp_path: Path) -> None:
    velena = make_agent(spec("velena.py", "5", tmp_path / "log", protocol="velena"))
    result = play_match(velena, make_agent("random"), 20, threads=2)
    assert result.tally.games == 20


def test_an_analysis_says_what_was_asked_and_answered() -> None:
    agent = make_agent(spec("center.py"))
    analysis = agent.analyse(Position.from_moves("44"))
    assert analysis.sentences == (f"The engine {command('center.py')} answers 4.",)
    assert analysis.facts == {"protocol": "lines", "moves_sent": "44"}

"""Playing with an agent written for Kaggle: what it is shown, and what it keeps."""

import gc
import json
import os
from pathlib import Path

import numpy as np
import pytest
from written import die_out, is_alive, noting, opened, pids, written

from connectlab.agents import make_agent
from connectlab.agents.kaggle.episode import Answer, Episode
from connectlab.arena.exact import exact_success
from connectlab.arena.match import play_match
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry, Position, PositionBatch

COUNTING = "calls = []\ndef agent(obs):\n    calls.append(1)\n    return len(calls) - 1\n"
SHOWING = """
import json
def agent(obs, config):
    assert obs.board == obs["board"] and config.inarow == config["inarow"]
    with open({path!r}, "a") as file:
        file.write(json.dumps([obs, config]) + "\\n")
    return config.columns - 1
"""
LEFTMOST = "def agent(obs, config):\n    return min(c for c in range(7) if obs.board[c] == 0)\n"


def moves_of(agent: object, *lines: str, stream: int = 0) -> list[int]:
    """What the agent plays after some moves of one game, asked in this order."""
    return [agent.choose_one(Position.from_moves(line), stream=stream) for line in lines]


def test_it_is_shown_what_kaggle_shows(tmp_path: Path) -> None:
    geometry = Geometry(5, 4, 3)
    agent = written(tmp_path, SHOWING.format(path=str(tmp_path / "seen")), geometry)
    assert agent.choose_one(Position.from_moves("135", geometry)) == 4
    observation, configuration = json.loads((tmp_path / "seen").read_text())
    bottom = [1, 0, 2, 0, 1]
    assert observation == {
        "remainingOverageTime": 60,
        "step": 3,
        "board": [0] * 15 + bottom,
        "mark": 2,
    }
    assert configuration == {
        "episodeSteps": 1000,
        "actTimeout": 2,
        "runTimeout": 1200,
        "columns": 5,
        "rows": 4,
        "inarow": 3,
        "agentTimeout": 60,
        "timeout": 2,
        "__raw_path__": str(tmp_path / "main.py"),
    }


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("def agent(obs):\n    return obs.step + 1", 1),
        ("def agent():\n    return 2", 2),
        ("def agent(obs, config):\n    return config['rows'] - 1", 5),
        ("def agent(obs, config):\n    return None", 0),
        ("def first(obs):\n    return 1\ndef last(obs):\n    return 4", 4),
        (
            "class Agent:\n    def __call__(self, obs, config):\n        return 6\nagent = Agent()",
            6,
        ),
        ("def agent(obs):\n    return 3 if __name__ == 'builtins' else 0", 3),
    ],
)
def test_the_last_callable_gets_as_many_arguments_as_it_takes(
    source: str, column: int, tmp_path: Path
) -> None:
    assert written(tmp_path, source).choose_one(Position()) == column


def test_files_and_modules_beside_it_are_found(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("number = 2")
    (tmp_path / "weights.txt").write_text("3")
    source = (
        "import helper\ndef agent(obs):\n    return helper.number + int(open('weights.txt').read())"
    )
    assert written(tmp_path, source).choose_one(Position()) == 5


def test_its_weights_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "weights.txt").write_text("6")
    source = "def agent(obs):\n    return int(open('weights.txt').read())"
    agent = written(tmp_path, source, folder=tmp_path / "elsewhere")
    assert agent.choose_one(Position()) == 6


def test_each_side_of_each_game_keeps_globals_of_its_own(tmp_path: Path) -> None:
    agent = written(tmp_path, COUNTING)
    batch = PositionBatch.start(3, seed=1)
    played = []
    for _ in range(6):
        columns = agent.choose(batch)
        played.append(columns.tolist())
        batch = batch.play(columns)
    assert played == [[n] * 3 for n in (0, 0, 1, 1, 2, 2)]


def test_modules_beside_the_file_belong_to_the_game_too(tmp_path: Path) -> None:
    (tmp_path / "memory.py").write_text("calls = []")
    source = (
        "import memory\ndef agent(obs):\n    import memory as again\n    assert again is memory\n"
    )
    source += "    memory.calls.append(1)\n    return len(memory.calls) - 1"
    agent = written(tmp_path, source)
    assert moves_of(agent, "", "17", stream=1) == [0, 1]
    assert moves_of(agent, "", "17", stream=2) == [0, 1]
    assert moves_of(agent, "1727", stream=1) == [2]


def test_the_same_question_is_asked_once(tmp_path: Path) -> None:
    agent = written(tmp_path, COUNTING)
    assert moves_of(agent, "", "", "12", "12") == [0, 0, 1, 1]
    agent.analyse(Position.from_moves("12"))
    assert moves_of(agent, "1223") == [2]


def test_a_position_that_does_not_follow_begins_a_new_game(tmp_path: Path) -> None:
    agent = written(tmp_path, COUNTING)
    assert moves_of(agent, "", "12", "", "12", "32", "13") == [0, 1, 0, 1, 0, 0]


def test_only_so_many_games_are_kept(tmp_path: Path) -> None:
    agent = written(tmp_path, noting(tmp_path / "pids") + COUNTING, games_kept=2)
    assert [moves_of(agent, "", stream=n) for n in (1, 2)] == [[0], [0]]
    assert [moves_of(agent, "17", stream=n) for n in (1, 2)] == [[1], [1]]
    assert moves_of(agent, "", stream=3) == [0]
    assert moves_of(agent, "1727", stream=1) == [0], "it was forgotten, so it counts from 0 again"
    assert len(pids(tmp_path / "pids")) == 4


def test_what_it_prints_and_reads_does_not_disturb_its_answers(tmp_path: Path) -> None:
    source = """
import os, subprocess, sys
print("loading", "x" * 100_000)
def agent(obs):
    print('{"action": 1}')
    os.write(1, b'{"action": 2}\\n')
    sys.stdout.write("no end of line")
    subprocess.run(["echo", "5"], check=True)
    assert sys.stdin.read() == ""
    return 3
"""
    assert moves_of(written(tmp_path, source), "", "42") == [3, 3]


LOTS = """
import random, numpy
def agent(obs):
    return (random.randrange(7) + numpy.random.randint(7)) % 7
"""


def test_its_lots_belong_to_the_game(tmp_path: Path) -> None:
    batch = PositionBatch.start(40, seed=3)
    first, second = (written(tmp_path, LOTS).choose(batch) for _ in range(2))
    assert np.array_equal(first, second)
    backward = written(tmp_path, LOTS).choose(batch[np.arange(40)[::-1]])
    assert np.array_equal(first, backward[::-1])
    assert len(set(first.tolist())) > 3


def test_its_lots_go_on_from_move_to_move_whatever_other_games_do(tmp_path: Path) -> None:
    agent = written(tmp_path, f"import random\nrandom.seed(1)\n{LOTS}")
    alone, together = PositionBatch.start(1, seed=1), PositionBatch.start(3, seed=1)
    games = []
    for batch in (alone, together):
        moves = []
        for _ in range(5):
            columns = agent.choose(batch)
            batch = batch.play(columns)  # noqa: PLW2901
            moves.append(int(columns[0]))
        games.append(moves)
        agent = written(tmp_path, f"import random\nrandom.seed(1)\n{LOTS}")
    assert games[0] == games[1]
    assert len(set(games[0])) > 2


def test_several_workers_play_the_same_games(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    one = written(tmp_path / "one", COUNTING)
    two = written(tmp_path, noting(tmp_path / "pids") + COUNTING, workers=2)
    batch = PositionBatch.start(8, seed=3)
    assert np.array_equal(one.choose(batch), two.choose(batch))
    assert len(set(pids(tmp_path / "pids"))) == 2


def test_nothing_runs_until_it_is_asked_and_nothing_is_left(tmp_path: Path) -> None:
    agent = written(tmp_path, noting(tmp_path / "pids") + LEFTMOST)
    assert pids(tmp_path / "pids") == []
    agent.choose_one(Position())
    agent.close()
    assert die_out(pids(tmp_path / "pids"))
    agent.choose_one(Position(), stream=1)
    first, second = pids(tmp_path / "pids")
    assert first != second
    assert is_alive(second)
    del agent
    gc.collect()
    assert die_out([second])


def test_a_fork_does_not_speak_to_the_child_of_its_parent(tmp_path: Path) -> None:
    agent = written(tmp_path, noting(tmp_path / "pids") + LEFTMOST)
    agent.choose_one(Position())
    fork = os.fork()
    if fork == 0:
        with_own = agent.choose_one(Position.from_moves("1")) == 0
        agent.close()
        os._exit(0 if with_own else 1)
    assert os.waitpid(fork, 0)[1] == 0
    first, second = pids(tmp_path / "pids")
    assert is_alive(first)
    assert die_out([second])


def test_a_match_on_two_threads_is_that_on_one() -> None:
    center = Path(__file__).parent / "submissions" / "center.py"
    one, two = (
        play_match(opened(center), make_agent("random"), 40, seed=4, threads=n) for n in (1, 2)
    )
    assert one.tally == two.tally
    assert one.tally.wins > one.tally.losses


def test_its_games_are_not_walked_through(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="comes from chance"):
        exact_success(written(tmp_path, LEFTMOST))


def test_the_clock_of_a_game_runs_only_beyond_the_time_of_a_move() -> None:
    episode = Episode(overage_s=1.0)
    assert episode.charge(0.5, seconds=2.0)
    assert episode.overage_s == 1.0
    assert episode.charge(2.75, seconds=2.0)
    assert episode.overage_s == 0.25
    assert episode.charge(2.25, seconds=2.0), "exactly used up is in time"
    assert not episode.charge(2.125, seconds=2.0)


def test_a_position_follows_the_answer_and_one_move_of_the_other_side() -> None:
    episode = Episode(60.0)
    assert not episode.leads_to(Position())
    episode.note(Position.from_moves("44"), Answer(2))
    assert episode.leads_to(Position.from_moves("4435"))
    assert not episode.leads_to(Position.from_moves("4425"))
    assert not episode.leads_to(Position.from_moves("443"))
    assert not episode.leads_to(Position.from_moves("443567"))
    assert not episode.leads_to(Position.from_moves("4453"))
    episode.note(Position.from_moves("44"), Answer(None, "crashed"))
    assert not episode.leads_to(Position.from_moves("4435"))


def test_an_analysis_says_what_was_answered(tmp_path: Path) -> None:
    agent = written(tmp_path, LEFTMOST)
    analysis = agent.analyse(Position.from_moves("111111"))
    assert analysis.sentences == (f"The agent {tmp_path / 'main.py'} answers 2.",)
    assert analysis.facts == {"mark": 1, "step": 6}

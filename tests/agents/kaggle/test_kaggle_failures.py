"""What is no move loses the game, with its reason, and the next game is not disturbed."""

from pathlib import Path
from zlib import crc32

import pytest
from written import die_out, noting, pids, written

from connectlab.agents import make_agent
from connectlab.agents.forfeits import ForfeitError
from connectlab.agents.kaggle.agent import KaggleAgent
from connectlab.arena.match import play_match
from connectlab.game import Position

FULL = Position.from_moves("444444")
HEAD = "import os, signal, time\ndef agent(obs, config):\n    "


def reason(agent: KaggleAgent, position: Position = FULL, stream: int = 0) -> str:
    """Why the agent loses in this position; it must."""
    assert agent.policy_of(position, stream=stream) == (0.0,) * agent.geometry.columns
    return agent.forfeit_reason(position, stream)


@pytest.fixture(scope="module")
def obedient(tmp_path_factory: pytest.TempPathFactory) -> KaggleAgent:
    """A player that does what a file says, which is read for each game."""
    source = "exec(compile(open('orders.py').read(), 'orders.py', 'exec'))"
    return written(tmp_path_factory.mktemp("obedient"), source)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("return 3", "played column 4, which is full"),
        ("return 7", "answered 7, which is no column of 7x6 connect-4"),
        ("return -1", "answered -1, which is no column of 7x6 connect-4"),
        ("return '2'", "answered '2', which is no int of Python"),
        ("return 2.0", "answered 2.0, which is no int of Python"),
        ("return True", "answered True, which is no int of Python"),
        ("return [2]", "answered [2], which is no int of Python"),
        (
            "import numpy\n    return numpy.int64(2)",
            "answered np.int64(2), which is no int of Python",
        ),
        ("return 'x\\n' * 1000", "x\\nx\\n"),
        ("return 10**5000", "answered something of type int, which is no int of Python"),
        ("return 1 // 0", "raised ZeroDivisionError: integer division or modulo by zero"),
        ("raise ValueError('two\\nlines')", "raised ValueError: two lines"),
        ("raise SystemExit(4)", "raised SystemExit: 4"),
        ("import no_such_module", "raised ModuleNotFoundError: No module named 'no_such_module'"),
        ("os._exit(4)", "ended with exit code 4"),
        ("os.write(2, b'out of cheese')\n    os._exit(4)", "4; on standard error: 'out of cheese'"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was killed by signal 11"),
    ],
)
def test_what_is_no_move_is_told_in_one_line(line: str, told: str, obedient: KaggleAgent) -> None:
    place = obedient._submission.folder / "orders.py"
    place.write_text(HEAD + line)
    why = reason(obedient, stream=crc32(line.encode()))
    assert told in why
    assert "\n" not in why
    assert len(why) < 400


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1", "raised LookupError: the file defines no function"),
        ("import no_such_module", "raised ModuleNotFoundError"),
        ("raise SystemExit", "raised SystemExit"),
    ],
)
def test_a_file_that_cannot_be_executed_loses(source: str, told: str, tmp_path: Path) -> None:
    assert told in reason(written(tmp_path, source))


def test_an_agent_that_writes_into_every_pipe_loses(tmp_path: Path) -> None:
    line = "for fd in range(3, 64):\n        try: os.write(fd, b'rubbish\\n')\n"
    agent = written(tmp_path, HEAD + line + "        except OSError: pass")
    assert reason(agent) == "disturbed the pipe of its answers"


def test_an_exception_names_the_line_of_the_file(tmp_path: Path) -> None:
    agent = written(tmp_path, "import json\n\ndef agent(obs):\n    return json.loads('x')")
    assert reason(agent).endswith("char 0) (line 4)")


def test_a_late_agent_is_stopped_and_the_next_game_goes_on(tmp_path: Path) -> None:
    source = noting(tmp_path / "pids") + HEAD + "time.sleep(3600 * obs.board[-1])\n    return 2"
    agent = written(tmp_path, source, seconds=0.2, overage=0.3)
    late = Position.from_moves("7")
    assert reason(agent, late, 5) == "took longer than 0.2 s a move and 0.3 s a game"
    assert die_out(pids(tmp_path / "pids"))
    assert agent.choose_one(Position(), stream=6) == 2
    assert reason(agent, late, 5).startswith("took longer"), "asking again changes nothing"


def test_time_beyond_that_of_a_move_is_taken_from_the_game(tmp_path: Path) -> None:
    source = (
        HEAD + "time.sleep(0.3 if obs.step == 0 else 0)\n    return int(obs.remainingOverageTime)"
    )
    agent = written(tmp_path, source, seconds=0.001, overage=6)
    assert agent.choose_one(Position()) == 6
    assert agent.choose_one(Position.from_moves("71")) < 6
    assert agent.choose_one(Position(), stream=1) == 6


def test_the_first_move_pays_for_the_execution_of_the_file(tmp_path: Path) -> None:
    agent = written(tmp_path, "import time\ntime.sleep(0.3)\ndef agent(obs):\n    return 1",
                    seconds=0.1, overage=0.1)  # fmt: skip
    assert "took longer" in reason(agent)


def test_a_file_that_is_executed_anew_for_our_sake_costs_nothing(tmp_path: Path) -> None:
    source = "import time\ntime.sleep(0.3)\n" + HEAD + "return int(obs.remainingOverageTime * 10)"
    agent = written(tmp_path, source, seconds=10, overage=0.5, games_kept=1)
    agent.choose_one(Position(), stream=1)
    agent.choose_one(Position(), stream=2)
    assert agent.choose_one(Position.from_moves("61"), stream=1) == 5


def test_a_crash_in_one_game_leaves_the_others_alone(tmp_path: Path) -> None:
    source = noting(tmp_path / "pids") + HEAD + "return os._exit(3) if obs.board[-1] else 0"
    agent = written(tmp_path, source)
    assert agent.choose_one(Position(), stream=1) == 0
    assert reason(agent, Position.from_moves("7"), 2) == "ended with exit code 3"
    assert agent.choose_one(Position.from_moves("12"), stream=1) == 0
    assert len(set(pids(tmp_path / "pids"))) == 2


def test_a_match_counts_the_games_it_forfeits(tmp_path: Path) -> None:
    agent = written(tmp_path, HEAD + "return 0 if obs.step < 4 else 1 // 0")
    result = play_match(agent, make_agent("random"), 10, seed=1, threads=1)
    assert result.tally.losses == 10
    assert sum(result.agent_forfeits.values()) == 10
    assert all("ZeroDivisionError" in why for why in result.agent_forfeits)


def test_an_analysis_says_why_the_game_is_lost(tmp_path: Path) -> None:
    analysis = written(tmp_path, HEAD + "return 9").analyse(FULL)
    assert analysis.best == ()
    assert "answered 9, which is no column" in analysis.sentences[0]
    assert analysis.sentences[0].endswith("it loses the game.")


def test_an_interrupted_question_ends_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from connectlab.agents.external import process

    agent = written(tmp_path, noting(tmp_path / "pids") + HEAD + "return 0")
    agent.choose_one(Position())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(process.EngineProcess, "read_line", interrupt)
    with pytest.raises(KeyboardInterrupt):
        agent.choose_one(Position.from_moves("17"))
    assert die_out(pids(tmp_path / "pids"))


def test_helpers_that_leave_the_group_die_with_the_agent(tmp_path: Path) -> None:
    source = "import subprocess, sys\nhelper = subprocess.Popen([sys.executable, '-c', "
    source += "'import time; time.sleep(600)'], start_new_session=True)\n"
    source += f"open({str(tmp_path / 'pids')!r}, 'a').write(str(helper.pid) + '\\n')\n"
    agent = written(tmp_path, source + "def agent(obs):\n    return 0")
    assert agent.choose_one(Position()) == 0
    agent.close()
    assert len(pids(tmp_path / "pids")) == 1
    assert die_out(pids(tmp_path / "pids"))


def test_an_agent_that_kills_its_guard_dies_too(tmp_path: Path) -> None:
    source = noting(tmp_path / "pids") + HEAD + "os.kill(os.getppid(), 9)\n    time.sleep(600)"
    agent = written(tmp_path, source, seconds=1, overage=0)
    with pytest.raises(ForfeitError, match="ended with exit code -9"):
        agent.choose_one(Position())
    assert die_out(pids(tmp_path / "pids"))


def test_what_an_agent_raises_cannot_paint_the_terminal(tmp_path: Path) -> None:
    agent = written(tmp_path, HEAD + "raise ValueError('\\x1b[2Jred\\u202e')")
    with pytest.raises(ForfeitError) as raised:
        agent.choose_one(Position())
    assert str(raised.value).isprintable()


def test_an_agent_that_replaces_print_is_heard(tmp_path: Path) -> None:
    source = "import builtins\nbuiltins.print = lambda *a, **k: None\n"
    assert written(tmp_path, source + HEAD + "return 4").choose_one(Position()) == 4

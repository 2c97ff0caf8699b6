"""An engine that fails is one clear error, and its process is gone."""

import os
from pathlib import Path

import pytest
from scripted import command, die_out, is_alive, pids, spec

from connectlab.agents import AgentError, make_agent
from connectlab.agents.external import process
from connectlab.game import STANDARD, Geometry, Position

FULL = Position.from_moves("444444")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("dies", "ended with exit code 3; .*readyok'; on standard error: 'out of memory for real'"),
        ("dies at once", "ended with exit code 3; no output; on standard error: 'out of memory"),
        ("crashes", "was killed by signal 11"),
        (
            "silent",
            r"gave no answer in (2|1\.\d+) seconds; its last output: '.*info thinking hard'",
        ),
        ("rubbish", "did not say bestmove after position 444444 .*readyok . I would think the"),
        ("empty", "did not say bestmove"),
        ("no column", "played '8' after '444444', which is no column of 7x6 connect-4"),
        ("two columns", "played '44' .* no column"),
        ("no name", "played '' .* no column"),
        ("full", "played 4 after '444444', where it is full; .*'.*bestmove 4'"),
        ("refuses", "did not say bestmove .*'.*error I do not like this position'"),
        ("refuses the board", "did not say readyok after the board 7x6 .*error I only know Go"),
        ("floods", "floods its output; its last output: '…x*'"),
        ("floods one line", "floods its output; its last output: '…x*'"),
        ("floods errors", r"gave no answer in (2|1\.\d+) seconds; .*on standard error: '….*oh no!"),
        ("closes output", "closed its output"),
    ],
)
def test_a_fault_is_one_line_and_the_process_is_gone(
    fault: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient = fault not in ("silent", "floods errors")
    if fault == "closes output":
        monkeypatch.setattr(process, "DEATH_S", 0.5)
    seen = tmp_path / "pids"
    agent = make_agent(spec("faulty.py", fault, seen, seconds="60" if patient else "2"))
    with pytest.raises(AgentError, match=told) as raised:
        agent.choose_one(FULL)
    assert "\n" not in str(raised.value)
    assert command("faulty.py", fault, seen) in str(raised.value)
    assert len(pids(seen)) == 1
    assert die_out(pids(seen))


def test_an_answer_that_was_not_asked_for_is_not_taken_for_the_next(tmp_path: Path) -> None:
    agent = make_agent(spec("faulty.py", "says it twice", tmp_path / "pids"))
    assert agent.choose_one(Position()) == 3
    with pytest.raises(AgentError, match=r"without being asked|did not say readyok"):
        agent.choose_one(Position.from_moves("4"))
    assert die_out(pids(tmp_path / "pids"))


def test_a_program_that_died_between_two_questions_is_not_replaced_in_silence(
    tmp_path: Path,
) -> None:
    agent = make_agent(spec("faulty.py", "dies after a move", tmp_path / "pids"))
    assert agent.choose_one(Position()) == 3
    assert die_out(pids(tmp_path / "pids"))
    with pytest.raises(AgentError, match="ended with exit code 0"):
        agent.choose_one(Position.from_moves("4"))
    assert len(pids(tmp_path / "pids")) == 1
    assert agent.choose_one(Position.from_moves("4")) == 3, "it was told of: it may start again"
    assert len(pids(tmp_path / "pids")) == 2


def test_a_program_that_does_not_read_is_noticed() -> None:
    child = process.EngineProcess(["sleep", "3600"], "sleep", "")
    with pytest.raises(AgentError, match="sleep does not read what it is sent"):
        while True:
            child.send("x" * 1000)


def test_stones_that_no_moves_lead_to_are_refused() -> None:
    tower = Position.from_drawing("X . .\nX . .\nO . O", connect=4)
    agent = make_agent(spec("center.py"), tower.geometry)
    with pytest.raises(AgentError, match="no moves lead to"):
        agent.choose_one(tower)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("external", "external needs command=…"),
        ("external:command=", "external: command=: string should have at least 1 character"),
        ("external:command=''", "the command names no program"),
        ("external:command='velena", "the command cannot be read .no closing quotation"),
        ("external:command=no-such-program -x", "there is no program 'no-such-program'"),
        ("external:command=/tmp", "there is no program '/tmp', or it may not be run"),
        ("external:command=cat,level=a", "external: level is for protocol=velena"),
        ("external:command=cat,protocol=velena,streams=yes", "streams=true is for protocol=lines"),
        ("external:command=cat,protocol=uci", "protocol=uci"),
        ("external:command=cat,seconds=0", "seconds=0 should be greater than 0"),
    ],
)
def test_wrong_settings_are_told_before_anything_starts(text: str, told: str) -> None:
    with pytest.raises(AgentError, match=told):
        make_agent(text)


def test_a_program_the_system_cannot_run_says_why(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_bytes(b"\x7fELF, or not")
    program.chmod(0o755)
    with pytest.raises(AgentError, match=r"ended with exit code 127; .*cannot be run"):
        make_agent(f"external:command={program}").choose_one(Position())


def test_velena_refuses_other_boards() -> None:
    with pytest.raises(AgentError, match="cannot play on 6x7 connect-4"):
        make_agent("external:command=cat,protocol=velena", Geometry(6, 7, 4))
    assert make_agent("external:command=cat,protocol=velena").geometry == STANDARD


def test_an_interrupted_question_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = make_agent(spec("faulty.py", "fine", tmp_path / "pids"))
    agent.choose_one(Position())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(process.EngineProcess, "read_line", interrupt)
    with pytest.raises(KeyboardInterrupt):
        agent.choose_one(Position())
    assert die_out(pids(tmp_path / "pids"))


def test_the_check_for_living_processes_can_fail() -> None:
    assert is_alive(os.getpid())
    assert not die_out([os.getpid()], patience_s=0.02)

"""The server of the tests is watched as closely as it is promised."""

import subprocess
from pathlib import Path

import pytest
from serving import Lab, family, kill_all, stop

from living import die_out, is_alive

QUITTER = ["sh", "-c", "trap 'exit 0' INT; sleep 60 & echo ready; while :; do wait; done"]
"""A program that ends when it is asked to, and leaves a process behind."""


def test_a_server_that_leaves_a_process_behind_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.die_out", lambda processes: die_out(processes, patience_s=0.2))
    process = subprocess.Popen(QUITTER, stdout=subprocess.PIPE, text=True, start_new_session=True)
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        members = family(process.pid)
        assert len(members) >= 2
        with pytest.raises(AssertionError, match="left processes behind"):
            stop(Lab(tmp_path, process))
        assert die_out(members), "and what was left is ended all the same"


def test_all_processes_of_a_session_belong_to_its_family() -> None:
    """One whose parent is gone is found too."""
    orphaned = ["sh", "-c", "(sleep 60 & echo $!) ; sleep 60"]
    with subprocess.Popen(
        orphaned, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        orphan = int(process.stdout.readline())
        members = family(process.pid)
        kill_all(members)
        assert {orphan, process.pid} <= set(members)
        assert die_out(members)
        assert not is_alive(orphan)

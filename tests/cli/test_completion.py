"""The shell completes commands, players, learners and presets."""

import subprocess

import pytest
from all_commands import all_commands
from processes import PROGRAM, connectlab

from connectlab.agents.registry import learners, players

PLAYER_WORDS = {"agent", "opponent", "agents", "first", "second"}


def completed(line: str) -> list[str]:
    """Return what bash would offer at the end of a line."""
    words = line.split(" ")
    asked = {
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
        "_CONNECTLAB_COMPLETE": "complete_bash",
    }
    ran = connectlab(environment=asked)
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("connectlab tourn", ["tournament"]),
        ("connectlab match mini", ["minimax"]),
        ("connectlab match random perf", ["perfect"]),
        ("connectlab play --first hu", ["human"]),
        ("connectlab train nt", ["ntuple"]),
        ("connectlab train ntuple --preset qui", ["quick"]),
        ("connectlab train ntuple --preset thill-p", ["thill-p3", "thill-p4"]),
        ("connectlab agents negam", ["negamax"]),
        ("connectlab tuples dr", ["draw"]),
        ("connectlab tuples list cov", ["cover", "cover-any"]),
        ("connectlab tuples draw thill-p", ["thill-p3", "thill-p4"]),
        ("connectlab tuples index ntup", ["ntuple"]),
    ],
)
def test_a_word_is_completed(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def test_everything_is_offered_for_nothing() -> None:
    assert completed("connectlab match ") == list(players())
    assert completed("connectlab learners ") == list(learners())


def test_every_place_of_a_player_is_completed() -> None:
    places = [
        (name, parameter)
        for name, command in all_commands().items()
        for parameter in command.params
        if parameter.name in PLAYER_WORDS or parameter.name in ("learner", "preset")
    ]
    assert len(places) >= 9
    missing = [
        f"{name} {parameter.name}"
        for name, parameter in places
        if parameter._custom_shell_complete is None
    ]
    assert not missing


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_shown(shell: str) -> None:
    ran = connectlab(environment={"_CONNECTLAB_COMPLETE": f"source_{shell}"})
    assert ran.returncode == 0
    assert "_CONNECTLAB_COMPLETE" in ran.stdout


def test_completion_for_the_shell_in_use_is_shown() -> None:
    script = " ".join([*PROGRAM, "--show-completion", "; true"])  # a shell that stays the parent
    ran = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert "complete -o default -F _connectlab_completion connectlab" in ran.stdout

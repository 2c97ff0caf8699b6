"""What holds for every command: help, mistakes, exit codes, quick start."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO, Any

import pytest
from all_commands import all_commands
from processes import PROGRAM, connectlab

from connectlab import __version__
from connectlab import cli as cli_package
from connectlab.cli import options

COMMANDS = list(all_commands())
Cli = Callable[..., Any]


def test_every_command_of_the_design_is_there() -> None:
    contests = {"demo", "match", "tournament", "evaluate", "positions"}
    assert contests | {"solve", "play", "agents", "learners", "inspect", "train"} <= set(COMMANDS)


def test_without_a_command_the_help_is_printed(cli: Cli) -> None:
    ran = cli()
    assert ran.code == 0
    assert ran.out == cli("--help").out
    assert all(command in ran.out for command in COMMANDS if " " not in command)


def test_version(cli: Cli) -> None:
    assert cli("--version") == (0, f"connectlab {__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_names_an_example(cli: Cli, command: str) -> None:
    ran = cli(*command.split(), "--help")
    assert ran.code == 0
    assert f"connectlab {command}" in ran.out
    assert "Example" in ran.out
    assert ran.err == ""


def test_help_imports_nothing_heavy() -> None:
    """Starting up stays quick because numba, numpy and rich are not loaded for it."""
    heavy = ("numba", "numpy", "matplotlib", "scipy", "rich")
    script = (
        "import sys\n"
        "from connectlab.cli.app import run, app\n"
        f"for command in {COMMANDS!r}: run([*command.split(), '--help'])\n"
        "run(['--help'])\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["mtach"], "Did you mean 'match'"),
        (["solve"], "--file"),
        (["solve", "44", "--file", "x"], "not both"),
        (["solve", "48"], "move 2: there is no column '8': choose 1 to 7"),
        (["solve", "4444444"], "move 7: column 4 is full"),
        (["solve", "4", "--file", "no-such-file"], "not both"),
        (["solve", "--file", "no-such-file"], "no-such-file: no such file or directory"),
        (["solve", "4", "--columns", "9", "--rows", "8"], "at most 64"),
        (["solve", "4", "--table-mb", "0"], "--table-mb"),
        (["match", "random"], "Missing argument 'B'"),
        (["match", "random", "minimx"], "did you mean 'minimax'?"),
        (["match", "random", "minimax:dept=3"], "did you mean 'depth'?"),
        (["match", "random", "random", "--games", "many"], "--games"),
        (["match", "random", "random", "--games", "0"], "--games"),
        (["match", "random", "random", "--sides", "both"], "--sides"),
        (["match", "random", "random", "--wrong"], "No such option: --wrong"),
        (["tournament", "random"], "invite --all"),
        (["inspect", "perfect", "1212121"], "is over"),
        (["evaluate", "random", "--positions", "no-such-file"], "no-such-file"),
        (["evaluate", "random", "--measure", "luck"], "luck"),
        (["play", "--second", "nobody"], "no player 'nobody'"),
        (["positions", "--rows", "0"], "'--rows': 0 is not from 1 to 64"),
        (["agents", "minimx"], "did you mean 'minimax'?"),
        (["learners", "ntupel"], "did you mean 'ntuple'?"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(cli: Cli, arguments: list[str], part: str) -> None:
    ran = cli(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("connectlab: ")
    assert ran.err.count("\n") == 1
    assert part in ran.err


def whole_number_options() -> list[tuple[str, str]]:
    """Return every command with each of its options that takes a whole number."""
    found = [
        (name, option.opts[0])
        for name, command in all_commands().items()
        for option in command.params
        if option.metavar in ("N", "MB")
    ]
    assert ("match", "--seed") in found
    assert ("tuples vary", "--replace") in found
    assert len(found) > 40
    return found


@pytest.mark.parametrize("number", ["1" + "0" * 30, "-1", "9" * 5000, "seven"], ids=len)
@pytest.mark.parametrize(("command", "option"), whole_number_options(), ids=" ".join)
def test_a_number_out_of_bounds_is_one_line_and_exit_code_2(
    cli: Cli, command: str, option: str, number: str
) -> None:
    ran = cli(*command.split(), option, number)
    assert (ran.code, ran.out) == (2, "")
    assert f"'{option}'" in ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 300


@pytest.mark.parametrize("option", ["--games", "--threads"])
def test_what_would_never_end_is_refused(cli: Cli, option: str) -> None:
    ran = cli("match", "random", "random", option, str(10**12))
    assert (ran.code, ran.out) == (2, "")
    assert f"'{option}': 1000000000000 is not from 1 to" in ran.err


@pytest.mark.parametrize("seed", [0, options.MOST_SEED])
def test_every_seed_within_the_limits_plays(cli: Cli, seed: int) -> None:
    ran = cli("match", "random", "random", "--games", "2", "--seed", str(seed), "--json")
    assert ran.document["seed"] == seed


def test_the_limits_are_those_of_the_rooms_below() -> None:
    from connectlab.arena.games import MOST_GAMES
    from connectlab.arena.threads import MOST_THREADS
    from connectlab.game.geometry import MAX_BITS
    from connectlab.training.config import MOST_TRAINING_GAMES

    assert options.MOST_GAMES == MOST_GAMES
    assert options.MOST_THREADS == MOST_THREADS
    assert options.MOST_CELLS == MAX_BITS
    assert options.MOST_TRAINING_GAMES == MOST_TRAINING_GAMES


def test_mistakes_leave_no_traceback_in_a_real_process() -> None:
    ran = connectlab("match", "random", "nobody")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert connectlab("--no-such-option").returncode == 2


@pytest.mark.parametrize("typed", ["", "hint\n"], ids=["waiting", "solving"])
def test_ctrl_c_exits_130_without_a_traceback(typed: str) -> None:
    """Both while waiting for a person and deep in a search: 9x6 takes the solver very long."""
    process = subprocess.Popen(
        [*PROGRAM, "play", "--columns", "9", "--second", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    _read_until(process.stdout, "your move")
    process.stdin.write(typed)
    process.stdin.flush()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == ""


def test_ctrl_c_between_two_steps_of_the_program_exits_130(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before a command listens and after it has ended too: there is nothing to tell then."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("connectlab.cli.app.main", interrupted)
    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
        cli_package.main()
    assert isinstance(ended.value, SystemExit)
    assert ended.value.code == 130


def _read_until(stream: IO[str], text: str) -> None:
    seen = ""
    while text not in seen:
        character = stream.read(1)
        assert character, seen
        seen += character


def test_too_little_memory_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("Unable to allocate 1.33 GiB")

    monkeypatch.setattr("connectlab.game.position.Position.from_moves", fail)
    ran = cli("inspect", "random", "44")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "connectlab: there is too little memory for this (Unable to allocate 1.33 GiB): "
        "what was saved is kept\n"
    )

"""An engine with one fault: ``faulty.py FAULT PIDS``; it adds its number to the file PIDS.

Up to its fault it plays as ``center.py`` does.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from center import answer


def say(line: str) -> None:
    print(line, flush=True)


def note(pid: int) -> None:
    with Path(sys.argv[2]).open("a") as pids:
        pids.write(f"{pid}\n")


def die() -> None:
    print("out of memory\nfor real", file=sys.stderr, flush=True)
    sys.exit(3)


def be_silent() -> None:
    say("info thinking hard")
    time.sleep(3600)


def flood() -> None:
    while True:
        say("info " + "x" * 1000)


def flood_one_line() -> None:
    while True:
        sys.stdout.write("x" * 1000)


def flood_errors() -> None:
    while True:
        sys.stderr.write("oh no! " * 100)


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def close_output() -> None:
    os.close(1)
    time.sleep(3600)


def lie_twice() -> None:
    say("bestmove 4\nbestmove 4")


FAULTS = {
    "dies": die,
    "crashes": crash,
    "silent": be_silent,
    "rubbish": lambda: say("I would think the middle is nice"),
    "empty": lambda: say(""),
    "no column": lambda: say("bestmove 8"),
    "two columns": lambda: say("bestmove 44"),
    "no name": lambda: say("bestmove"),
    "full": lambda: say("bestmove 4"),
    "refuses": lambda: say("error I do not like this position"),
    "floods": flood,
    "floods one line": flood_one_line,
    "floods errors": flood_errors,
    "closes output": close_output,
    "says it twice": lie_twice,
}


def start() -> None:
    """Note this process; a stubborn one has a helper, too, and listens to no signal."""
    note(os.getpid())
    if sys.argv[1] == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        note(subprocess.Popen(["sleep", "3600"]).pid)
    if sys.argv[1] == "dies at once":
        die()


def play() -> None:
    told: dict[str, list[int]] = {"board": [7, 6, 4], "moves": []}
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"] and sys.argv[1] != "stubborn":
            return
        if words[0] == "board" and sys.argv[1] == "refuses the board":
            say("error I only know Go")
        if words[0] == "go" and sys.argv[1] in FAULTS:
            FAULTS[sys.argv[1]]()
            continue
        said = answer(words, told)
        if said is not None:
            say(said)
        if words[0] == "go" and sys.argv[1] == "dies after a move":
            return


if __name__ == "__main__":
    start()
    play()
    while sys.argv[1] == "stubborn":
        time.sleep(60)

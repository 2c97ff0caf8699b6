"""Speaks as Velena does, with its prompt: ``velena.py BANNER_LINES LOG``; plays to the middle.

Every line it reads goes to LOG.
"""

import sys
from pathlib import Path


def reply(line: str) -> str:
    level, moves, end = line[:1], line[1:-1], line[-1:]
    if level not in ("a", "b", "c") or end != "0" or set(moves) - set("1234567"):
        return "?Syntax error"
    if any(moves.count(column) > 6 for column in "1234567"):
        return "?Positional error"
    free = next(column for column in "4352617" if moves.count(column) < 6)
    return f"Velena answers in {free}"


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        print("" if number % 3 == 2 else f"Velena answers in {number + 1}, says the manual")
    while True:
        print(">", end="", flush=True)
        asked = sys.stdin.readline().strip()
        with Path(sys.argv[2]).open("a") as log:
            log.write(f"{asked}\n")
        if not asked or asked == "q":
            break
        print(reply(asked), flush=True)

"""Plays the column with room that is nearest to the middle, the left one of two."""

import sys


def answer(words: list[str], state: dict[str, list[int]]) -> str | None:
    if words[0] == "board":
        state["board"] = [int(word) for word in words[1:]]
    elif words[0] == "position":
        state["moves"] = [int(move, 36) - 1 for move in "".join(words[1:])]
    elif words[0] == "isready":
        return "readyok"
    elif words[0] == "go":
        columns, rows, _ = state["board"]
        free = [c for c in range(columns) if state["moves"].count(c) < rows]
        best = min(free, key=lambda column: abs(2 * column - (columns - 1)))
        return f"bestmove {'123456789abcdefghijklmnopqrstuvw'[best]}"
    return None


if __name__ == "__main__":
    told: dict[str, list[int]] = {"board": [7, 6, 4], "moves": []}
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        said = answer(line.split(), told)
        if said is not None:
            print(said, flush=True)

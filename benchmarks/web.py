"""How quickly the web lab answers: many games at once, pages beside a busy solver, the first move.

    python benchmarks/web.py [--games 50] [--seconds 10] [--workers N] [--cold]

The real server runs in processes of its own; this one asks, over loopback and connections that stay
open. Every game is a closed loop: a random move for the person, then the player's answer, and at
once the next, so all games wait for an answer all the time. The solver is kept busy with empty
boards that it cannot finish, more of them than there are workers. ``--cold`` starts another
server with an empty cache of kernels too, which takes minutes.

The exit code is 1 if a request fails, if the slowest twentieth of the answers to 50 games takes
half a second or more, or if the first move against the champion takes more than a second.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.agents import make_agent
from connectlab.game import Position, PositionBatch

if TYPE_CHECKING:
    from serving import Lab

TESTS = Path(__file__).parents[1] / "tests"
"""Starting and ending a server is what the tests of the web lab do too."""
PLAYER, CHAMPION = "minimax:depth=4", "ntuple:champion"
PAGES = ("/", "/js/main.js", "/css/board.css")
HARD = {"columns": 9, "rows": 6, "connect": 4, "moves": ""}
"""An empty board too large to be solved while we look."""
REQUIRED_GAMES, MOST_P95_S, MOST_FIRST_S = 50, 0.5, 1.0


class Connection:
    """One connection that stays open; asks one thing after another."""

    def __init__(self, lab: "Lab", visitor: str) -> None:
        self._lab, self._visitor = lab, visitor
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: object = None) -> tuple[int, bytes]:
        """Return status and body of an answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._lab.port)
        reader, writer = self._streams
        writer.write(self._request(path, body))
        status = int((await reader.readline()).split()[1])
        length = 0
        while (line := await reader.readline()) != b"\r\n":
            name, _, value = line.lower().partition(b":")
            length = int(value) if name == b"content-length" else length
        return status, await reader.readexactly(length)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()

    def _request(self, path: str, body: object) -> bytes:
        data = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._lab.port}",
            f"X-Visitor: {self._visitor}",
            "Content-Type: application/json",
            f"Content-Length: {len(data)}",
        ]
        return "\r\n".join([*lines, "", ""]).encode() + data


@dataclass
class Times:
    """How long answers of one kind took, and how many were errors."""

    name: str
    seconds: list[float] = field(default_factory=list)
    errors: int = 0

    def quantile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    async def note(self, connection: Connection, path: str, body: object = None) -> bytes:
        """Ask, and note how long the answer took."""
        began = time.perf_counter()
        status, answer = await connection.ask(path, body)
        self.seconds.append(time.perf_counter() - began)
        self.errors += status != 200
        return answer

    def row(self) -> str:
        quantiles = (f"{1e3 * self.quantile(share):>9.1f}" for share in (0.5, 0.95, 1.0))
        return f"{self.name:<46}{len(self.seconds):>7}{''.join(quantiles)}{self.errors:>8}"


HEADER = f"{'ms':<46}{'number':>7}{'p50':>9}{'p95':>9}{'max':>9}{'errors':>8}"


async def play_games(lab: "Lab", games: int, seconds: float, name: str, player: str) -> Times:
    """Play many games side by side for some seconds."""
    times, end = Times(name), time.perf_counter() + seconds
    await asyncio.gather(*(play_on(lab, number, player, times, end) for number in range(games)))
    return times


async def play_on(lab: "Lab", number: int, player: str, times: Times, end: float) -> None:
    """Play one game after another until it is late."""
    connection, lots = Connection(lab, f"visitor-{number}"), random.Random(number)
    position = Position.from_moves("")
    while time.perf_counter() < end:
        position = position.play(lots.choice(position.legal_columns))
        if not position.is_over:
            answer = await times.note(connection, "/api/move", question(position, player, number))
            position = position.play(int(json.loads(answer)["column"]) - 1)
        if position.is_over:
            position = Position.from_moves("")
    connection.close()


def question(position: Position, player: str, game: int = 0) -> dict[str, object]:
    return {"position": {"moves": position.moves, "game": game}, "player": player}


async def load_pages(lab: "Lab", seconds: float, name: str) -> Times:
    """Load static files again and again."""
    connection, times = Connection(lab, "reader"), Times(name)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        await times.note(connection, PAGES[len(times.seconds) % len(PAGES)])
        await asyncio.sleep(0.01)
    connection.close()
    return times


async def while_solving(lab: "Lab", solvers: int, seconds: float, name: str) -> tuple[Times, Times]:
    """Load pages, and let one person play the champion, while the solver has all it can take."""
    tasks = [asyncio.ensure_future(solve_on(lab, number)) for number in range(solvers)]
    await asyncio.sleep(1.0)
    pages = await load_pages(lab, seconds, f"{name}, solver busy")
    moves = await play_games(lab, 1, seconds, "a move of the champion, solver busy", CHAMPION)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return pages, moves


async def solve_on(lab: "Lab", number: int) -> None:
    connection = Connection(lab, f"solver-{number}")
    try:
        while True:
            await connection.ask("/api/verdicts", {"position": HARD, "deadline_s": 5.0})
    finally:
        connection.close()


async def first_move(lab: "Lab") -> Times:
    """Ask the champion for a move, as the first visitor does."""
    times, connection = Times("first move of the champion after ready"), Connection(lab, "first")
    await times.note(connection, "/api/move", question(Position.from_moves("4"), CHAMPION))
    connection.close()
    return times


def in_process(seconds: float) -> Times:
    """Time the same moves without a server."""
    agent, times, lots = (
        make_agent(PLAYER),
        Times(f"a move of {PLAYER}, in process"),
        random.Random(0),
    )
    position, end = Position.from_moves(""), time.perf_counter() + seconds
    agent.choose(PositionBatch.of([position]))
    while time.perf_counter() < end:
        position = position.play(lots.choice(position.legal_columns))
        began = time.perf_counter()
        if not position.is_over:
            column = int(agent.choose(PositionBatch.of([position]))[0])
            times.seconds.append(time.perf_counter() - began)
            position = position.play(column)
        if position.is_over:
            position = Position.from_moves("")
    return times


@contextmanager
def timed_server(options: argparse.Namespace, name: str) -> Iterator["Lab"]:
    """Start a server and say how long it took to get ready."""
    sys.path[:0] = [str(TESTS), str(TESTS / "web")]
    from serving import serving

    workers = [] if options.workers is None else ["--workers", str(options.workers)]
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with serving(Path(folder), *workers) as lab:
            print(f"ready in {time.perf_counter() - began:.1f} s, {name}", flush=True)
            yield lab


async def measure(lab: "Lab", options: argparse.Namespace) -> bool:
    """Print everything; return whether the lab is quick enough."""
    print(f"\n{HEADER}")
    short, n = options.seconds / 4, options.games
    first = show(await first_move(lab))
    games = show(await play_games(lab, n, options.seconds, f"{n} games against {PLAYER}", PLAYER))
    alone = show(await play_games(lab, 1, short, f"one game against {PLAYER}", PLAYER))
    inside = show(in_process(short))
    idle = show(await load_pages(lab, short, "a static file, idle"))
    busy, moves = map(show, await while_solving(lab, options.solvers, short, "a static file"))
    print(f"\n{len(games.seconds) / options.seconds:,.0f} moves/s with {n} games at once")
    compare("a move over HTTP / in process", alone, inside)
    compare("a static file with a busy solver / idle", busy, idle)
    errors = sum(times.errors for times in (first, games, alone, idle, busy, moves))
    slow = n <= REQUIRED_GAMES and games.quantile(0.95) >= MOST_P95_S
    return not (errors or slow or first.seconds[0] > MOST_FIRST_S)


def show(times: Times) -> Times:
    print(times.row(), flush=True)
    return times


def compare(name: str, times: Times, base: Times) -> None:
    half, most = (times.quantile(share) / base.quantile(share) for share in (0.5, 0.95))
    more_ms = 1e3 * (times.quantile(0.5) - base.quantile(0.5))
    print(f"{name}: p50 {half:.1f} times ({more_ms:+.1f} ms), p95 {most:.1f} times")


def cold(options: argparse.Namespace) -> None:
    """Start a server that has to compile everything."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["CONNECTLAB_CACHE_DIR"] = cache
        with timed_server(options, "nothing in the cache") as lab:
            print(f"{HEADER}\n{asyncio.run(first_move(lab)).row()}")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=50, help="games at once")
    parser.add_argument("--seconds", type=float, default=10.0, help="time for the games")
    parser.add_argument("--solvers", type=int, default=8, help="hard questions at once")
    parser.add_argument("--workers", type=int, default=None, help="as for connectlab serve")
    parser.add_argument("--cold", action="store_true", help="start without a cache too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print(f"{len(os.sched_getaffinity(0))} cores", flush=True)
    with timed_server(options, "kernels in the cache") as lab:
        is_quick = asyncio.run(measure(lab, options))
    if options.cold:
        cold(options)
    return 0 if is_quick else 1


if __name__ == "__main__":
    sys.exit(main())

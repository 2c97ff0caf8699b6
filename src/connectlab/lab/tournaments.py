"""Tournaments that are watched: each pairing is stored when it has been played.

A tournament is a folder: ``tournament.json`` says what is played and never changes; ``result.json``
is what has been played so far, written by whoever holds the lock; ``now.json`` is the pairing that
is being played; ``going.json`` is there as long as the tournament shall go on, and says why it does
not. Every pairing has a seed of its own, so a tournament that was stopped or killed ends with the
same result as ``connectlab tournament``.
"""

import json
import secrets
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from connectlab.agents.registry import make_agent, settings_class
from connectlab.agents.spec import Spec
from connectlab.arena.results import MatchResult
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.lab.keeper import Task
from connectlab.lab.tournament_view import TournamentPlan, TournamentView
from connectlab.storage.files import write_text
from connectlab.storage.locks import hold, is_held
from connectlab.training.folder import read_model
from connectlab.training.measurement import mapping
from connectlab.training.run import RunStoppedError, Stop

PLAN_FILE, RESULT_FILE, NOW_FILE = "tournament.json", "result.json", "now.json"
GOING_FILE, LOCK_FILE = "going.json", ".lock"
NOW_SECONDS = 0.5
"""Time between two words on how far a pairing is."""
MOST_TOURNAMENTS = 1_000


class TournamentError(UserError):
    """A tournament that does not exist or cannot go on."""


class _Going(BaseModel):
    """What ``going.json`` says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    placed: int
    problem: str | None = None


class Tournaments:
    """All tournaments of a folder: the ledger of a keeper."""

    def __init__(self, root: Path, *, threads: int | None = 1) -> None:
        self.root = root
        self.threads = threads
        self._unwritten: dict[str, _Going] = {}
        """Those that failed, where the disk did not even take the reason."""

    # What people do

    def begin(
        self, players: Sequence[str], geometry: Geometry, games: int, *, seed: int = 0
    ) -> str:
        """Ask for a tournament and return its name; whether everyone can play is seen later."""
        if len(players) < 2:
            raise TournamentError("a tournament needs at least 2 players")
        if len(self._names()) >= MOST_TOURNAMENTS:
            raise TournamentError(f"{MOST_TOURNAMENTS} tournaments are kept: remove some of them")
        now = datetime.now(UTC)
        plan = TournamentPlan(
            players=[_shortest(spec) for spec in players],
            columns=geometry.columns,
            rows=geometry.rows,
            connect=geometry.connect,
            variant=str(geometry.variant),
            games=games,
            seed=seed,
            made=now.isoformat(timespec="seconds"),
        )
        name = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        try:
            write_text(self.root / name / PLAN_FILE, plan.model_dump_json(indent=2) + "\n")
            self._go(name)
        except OSError:
            shutil.rmtree(self.root / name, ignore_errors=True)
            raise
        return name

    def stop(self, name: str) -> None:
        """Let a tournament stop after the moves it is at."""
        if not self.find(name).is_going:
            raise TournamentError(f"tournament {name} is not going on")
        self.done(name)

    def resume(self, name: str) -> None:
        """Let a tournament go on."""
        found = self.find(name)
        if found.is_finished:
            raise TournamentError(f"tournament {name} is finished")
        if found.is_going and found.problem is None:
            raise TournamentError(f"tournament {name} is going on already")
        self._go(name)

    def look(self) -> list[TournamentView]:
        """Return all tournaments, the newest first; damaged ones are left out."""
        found = []
        for name in self._names():
            with suppress(UserError, OSError):
                found.append(self.find(name))
        return sorted(found, key=lambda view: (view.plan.made, view.name), reverse=True)

    def find(self, name: str) -> TournamentView:
        """Return one tournament as it stands."""
        folder = self.root / name
        if not _is_name(name) or not (folder / PLAN_FILE).is_file():
            raise TournamentError(f"there is no tournament {name[:80]}")
        plan = read_model(TournamentPlan, folder / PLAN_FILE)
        going = self._read_going(name)
        return TournamentView(
            name,
            plan,
            _number_names(plan.players),
            _read_matches(folder / RESULT_FILE, plan),
            _read_now(folder / NOW_FILE),
            going is not None,
            is_held(folder / LOCK_FILE),
            None if going is None else going.problem,
        )

    # What a keeper does

    def wanted(self) -> list[str]:
        """Return the tournaments that shall go on, in the order in which they were asked for."""
        found = {name: self._read_going(name) for name in self._names()}
        going = {name: each.placed for name, each in found.items() if each and not each.problem}
        return sorted(going, key=lambda name: (going[name], name))

    def is_busy(self, name: str) -> bool:
        """Say whether a process is at it."""
        return is_held(self.root / name / LOCK_FILE)

    def task(self, name: str) -> Task:
        """Return the work."""
        return TournamentTask(self.root / name, self.threads)

    def done(self, name: str) -> None:
        """Cross out what is finished."""
        (self.root / name / GOING_FILE).unlink(missing_ok=True)
        self._unwritten.pop(name, None)

    def failed(self, name: str, reason: str) -> None:
        """Write down why it does not go on; if the disk is full, keep it in memory."""
        try:
            if (self.root / name / PLAN_FILE).is_file():
                self._go(name, reason)
        except OSError:
            self._unwritten[name] = _Going(placed=time.time_ns(), problem=reason)

    def _go(self, name: str, problem: str | None = None) -> None:
        going = _Going(placed=time.time_ns(), problem=problem)
        write_text(self.root / name / GOING_FILE, going.model_dump_json() + "\n")
        self._unwritten.pop(name, None)

    def _read_going(self, name: str) -> _Going | None:
        if name in self._unwritten:
            return self._unwritten[name]
        try:
            return read_model(_Going, self.root / name / GOING_FILE)
        except FileNotFoundError:
            return None
        except (UserError, OSError) as error:
            return _Going(placed=0, problem=str(error))

    def _names(self) -> list[str]:
        return [file.parent.name for file in self.root.glob(f"[!.]*/{PLAN_FILE}")]


@dataclass(frozen=True)
class TournamentTask:
    """Plays the pairings that have not been played."""

    folder: Path
    threads: int | None

    def __call__(self, stop: Stop) -> None:
        """Play to the end, or until it is stopped; each pairing is on the disk before the next."""
        from connectlab.arena.tournament import entered_names, play_pair  # with kernels

        plan = read_model(TournamentPlan, self.folder / PLAN_FILE)
        with hold(self.folder / LOCK_FILE, str(self.folder)) or nullcontext():
            agents = [make_agent(spec, plan.geometry) for spec in plan.players]
            entered_names(agents)
            matches = _read_matches(self.folder / RESULT_FILE, plan)
            for pair in plan.pairs:
                if pair not in matches:
                    watch = _watch(self.folder, pair, plan.games, stop)
                    matches[pair] = play_pair(
                        agents,
                        pair,
                        plan.games,
                        seed=plan.seed,
                        threads=self.threads,
                        progress=watch,
                    )
                    _write_matches(self.folder / RESULT_FILE, matches)


def _watch(
    folder: Path, pair: tuple[int, int], games: int, stop: Stop
) -> Callable[[int, int], None]:
    """Return what a pairing reports to: it tells how far it is, and ends it when asked to stop."""
    told = -NOW_SECONDS

    def report(done: int, total: int) -> None:
        nonlocal told
        del total
        if stop.is_set():
            raise RunStoppedError("stopped")
        if time.monotonic() - told >= NOW_SECONDS:
            told = time.monotonic()
            now = {"first": pair[0], "second": pair[1], "done": done, "games": games}
            write_text(folder / NOW_FILE, json.dumps(now) + "\n")

    report(0, games)
    return report


def _shortest(text: str) -> str:
    """Return the spec as its agent would write it."""
    spec = Spec.parse(text)
    return str(Spec.of(spec.validate(settings_class(spec.name))))


def _number_names(players: Sequence[str]) -> tuple[str, ...]:
    """Give everyone a name; one that entered before gets a number."""
    return tuple(
        spec if (copies := players[:number].count(spec)) == 0 else f"{spec} ({copies + 1})"
        for number, spec in enumerate(players)
    )


def _write_matches(file: Path, matches: Mapping[tuple[int, int], MatchResult]) -> None:
    played = [{"pair": list(pair), **matches[pair].to_json()} for pair in sorted(matches)]
    write_text(file, json.dumps({"matches": played}, allow_nan=False) + "\n")


def _read_matches(file: Path, plan: TournamentPlan) -> dict[tuple[int, int], MatchResult]:
    """Return what has been played, by the numbers of the players."""
    try:
        plain = mapping(json.loads(file.read_bytes()))["matches"]
        if not isinstance(plain, list):
            raise ValueError("no list")
        found = [_read_match(each, plan) for each in plain]
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise TournamentError(f"{file} is damaged: remove it, and all is played again") from None
    return dict(found)


def _read_match(plain: object, plan: TournamentPlan) -> tuple[tuple[int, int], MatchResult]:
    given = mapping(plain)
    pair = given["pair"]
    if not isinstance(pair, list) or tuple(pair) not in plan.pairs:
        raise ValueError("no such pairing")
    return (pair[0], pair[1]), MatchResult.of(given, plan.geometry)


def _read_now(file: Path) -> Mapping[str, object] | None:
    with suppress(OSError, ValueError):
        return mapping(json.loads(file.read_bytes()))
    return None


def _is_name(name: str) -> bool:
    return (
        0 < len(name) <= 80 and name.replace("-", "").isascii() and name.replace("-", "").isalnum()
    )

"""Hardening a network: it learns where a referee found that it gives its result away.

Self-play alone does not see every position that an opponent can bring about. Here a proof
(:mod:`connectlab.arena.proof`) finds the holes of the network, it learns from them in one of two
ways (:mod:`connectlab.lab.hardening_ways`), and is proven anew, until there is no hole. A player
that was made this way is called hardened, since self-play alone did not make it; it still plays by
its weights alone.

A hardening is a folder: ``plan.json``, ``rounds.json`` (what each proof found), the state of what
learns, and ``latest.safetensors`` and ``best.safetensors`` to play with, the best being that with
the fewest holes. The state is written last in a round: one that is killed is begun again from its
proof. One process at a time may work in it.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from connectlab.agents import make_agent
from connectlab.agents.ntuple.config import GREATEST_ALPHA, NTupleSettings
from connectlab.agents.registry import trained_spec
from connectlab.arena.proof import Proof, Prover
from connectlab.arena.walk import Walk
from connectlab.errors import UserError
from connectlab.lab.hardening_ways import ByGames, ByLessons, Way
from connectlab.solver import Progress
from connectlab.storage.checkpoint import Checkpoint
from connectlab.storage.files import write_text
from connectlab.storage.locks import hold
from connectlab.training.config import MOST_TRAINING_GAMES
from connectlab.training.folder import LOCK_FILE, STATE_FILE

PLAN_FILE, ROUNDS_FILE = "plan.json", "rounds.json"
WAYS: dict[str, type[Way]] = {"lessons": ByLessons, "games": ByGames}


class Plan(BaseModel):
    """How a network is hardened."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False
    )

    source: str
    """The network that is gone on with: a run, a checkpoint, or one that comes along; with games
    a run, or the saved state of one."""
    way: Literal["lessons", "games"] = "lessons"
    """How it learns from holes: lessons, in which the referee tells the moves that hold, or games
    of self-play that begin there."""
    margin: float = Field(default=0.02, gt=0, le=10)
    """Of lessons: by how much the total of a right move is to be ahead."""
    near: float = Field(default=0.3, gt=0, le=100)
    """Of lessons: totals that are nearer than this make a close decision, which is spared."""
    watched: int = Field(default=150_000, ge=1)
    """Of lessons: positions of each ply, at least, in which close decisions are looked for."""
    depth: int = Field(default=1, ge=1, le=64)
    """Of games: plies that the player looks ahead whose holes are closed."""
    games: int = Field(default=200_000, ge=1, le=10_000_000)
    """Of games: games between two proofs."""
    restarts: float = Field(default=0.5, gt=0, le=1)
    """Of games: the share that begins from holes."""
    before: int = Field(default=3, ge=1, le=20)
    """Of games: positions of each line into a hole from which games begin: the hole, and those 2,
    4, … plies before it."""
    alpha: float = Field(default=0.001, gt=0, le=GREATEST_ALPHA)
    """Of games: alpha, the step size."""
    average_games: int = Field(default=0, ge=0, le=MOST_TRAINING_GAMES)
    """Of games: how many weights are averaged over, looking at them every 10,000; 0 for the latest
    weights."""
    seed: int = Field(default=1, ge=0, lt=2**63)
    """Seed of all that is drawn."""

    @model_validator(mode="after")
    def _lessons_are_for_depth_1(self) -> Self:
        if self.way == "lessons" and self.depth > 1:
            raise ValueError("lessons harden a player without search: take depth=1, or way=games")
        return self


Count = Annotated[int, Field(ge=0, strict=True)]


class Round(NamedTuple):
    """What a proof found, and what was learned before it."""

    number: Count
    games: Count
    """Games of self-play, those of the source included."""
    lessons: Count
    """Positions whose right moves were told."""
    positions: Count
    holes: Count
    by_ply: dict[Annotated[str, Field(pattern="^[0-9]{1,2}$")], Count]
    """Holes by the stones on the board, where there are any."""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)]


_ROUNDS = TypeAdapter(list[Round])


class Hardening:
    """A network that is hardened in a folder, round by round."""

    def __init__(self, folder: Path, plan: Plan, threads: int | None = None) -> None:
        self.folder = folder
        self.plan = plan
        self.threads = threads
        _check_plan(folder, plan)
        self.rounds = _read_rounds(folder)
        self._state = folder / STATE_FILE
        self._way = self._begun()
        self.is_stuck = False
        """Whether the last round left no hope: the tuples cannot keep all lessons together."""
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / PLAN_FILE, plan.model_dump_json(indent=1) + "\n")

    @property
    def player(self) -> str:
        """The best so far, as a spec string."""
        return self._spec(self.folder)

    @property
    def fewest(self) -> int | None:
        """Holes of the best so far."""
        return min((each.holes for each in self.rounds), default=None)

    def run(
        self, rounds: int, watch: Callable[[str], Progress | None] | None = None
    ) -> Iterator[Round]:
        """Prove and learn until there is no hole, at most so many rounds; yield each proof."""
        with hold(self.folder / LOCK_FILE, str(self.folder)) or nullcontext():
            for _ in range(rounds):
                proof, walk = self._prove(watch("proving") if watch else None)
                found = self._keep_round(proof)
                yield found
                if proof.is_proven:
                    return
                goes_on = self._way.learn(proof, walk)
                self._way.state().save(self._state)
                if not goes_on:
                    self.is_stuck = True
                    return

    def _spec(self, path: Path) -> str:
        looks = {"depth": str(self.plan.depth)} if self.plan.depth > 1 else {}
        return trained_spec("ntuple", path, looks)

    def _begun(self) -> Way:
        """Return what was saved in the folder, or what the source gives to begin with."""
        way = WAYS[self.plan.way](self.plan)
        if self._state.exists():
            way.restore(Checkpoint.load(self._state))
        return way

    def _prove(self, progress: Progress | None) -> tuple[Proof, Walk]:
        latest = self.folder / "latest.safetensors"
        self._way.checkpoint().save(latest)
        agent = make_agent(self._spec(latest), self._way.geometry)
        lines = self.plan.way == "games"
        return Prover(agent, threads=self.threads, progress=progress, all_lines=lines).walk()

    def _keep_round(self, proof: Proof) -> Round:
        """Note what a proof found; one that was killed before it could learn is noted anew."""
        number = self._way.rounds
        by_ply = {str(each.ply): each.holes for each in proof.plies if each.holes}
        found = Round(
            number,
            self._way.games,
            self._way.lessons,
            proof.positions,
            proof.holes,
            by_ply,
            round(proof.seconds, 1),
        )
        self.rounds = [*self.rounds[:number], found]
        if found.holes == self.fewest:
            latest = Checkpoint.load(self.folder / "latest.safetensors")
            latest.save(self.folder / "best.safetensors")
        document = [each._asdict() for each in self.rounds]
        write_text(self.folder / ROUNDS_FILE, json.dumps(document, indent=1) + "\n")
        return found


def locate(source: str) -> str:
    """Return a source as it is found from anywhere: a name that comes along, or a whole path."""
    if source in NTupleSettings.shipped:
        return source
    try:
        source.encode()
    except UnicodeEncodeError:
        raise UserError(f"the name {source!r} is no text: rename it") from None
    return str(Path(source).expanduser().absolute())


def read_plan(folder: Path) -> Plan | None:
    """Return the plan of a hardening that was begun in a folder."""
    path = folder / PLAN_FILE
    if not path.exists():
        return None
    try:
        return Plan.model_validate_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        raise UserError(f"{path} is damaged: take another folder") from None


def _check_plan(folder: Path, plan: Plan) -> None:
    """Refuse a folder of another hardening, or of anything else."""
    earlier = read_plan(folder)
    if earlier is not None and earlier != plan:
        raise UserError(f"{folder} holds another hardening: take another folder, or its settings")
    if earlier is None and folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder} holds something else: take a new folder")


def _read_rounds(folder: Path) -> list[Round]:
    path = folder / ROUNDS_FILE
    if not path.exists():
        return []
    try:
        return _ROUNDS.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise UserError(f"{path} is damaged: take another folder") from None

"""Hardening a network: games begin where the referee found that it gives its result away.

Self-play alone does not see every position that an opponent can bring about. Here a proof
(:mod:`connectlab.arena.proof`) finds the holes of the network, and the next games of self-play
begin from these positions and from some just before them; then it is proven anew, and so on. The
referee says *where* to play and never *what*: all values still come from the learner's own games. A
player that was made this way is called hardened, since self-play alone did not make it.

A hardening is a folder: ``plan.json``, ``rounds.json`` (what each proof found), the learner's
``state.safetensors``, and ``latest.safetensors`` and ``best.safetensors`` to play with, the best
being that with the fewest holes. The state is written last in a round: one that is killed is begun
again from its proof.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from connectlab.agents import make_agent
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.training import STATE_KIND, NTupleLearner
from connectlab.arena.hole_lines import HoleLine
from connectlab.arena.proof import Proof, Prover
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.solver import Progress
from connectlab.storage.checkpoint import Checkpoint
from connectlab.storage.files import write_text
from connectlab.training.config import MOST_TRAINING_GAMES
from connectlab.training.folder import STATE_FILE

PLAN_FILE = "plan.json"
NEVER = 2.0
"""No temporal difference is larger, so none is a surprise: games begin from holes alone."""


class Plan(BaseModel):
    """How a network is hardened."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    source: str
    """The run, or the saved state of one, that is gone on with."""
    depth: int = Field(default=1, ge=1, le=64)
    """Plies that the player looks ahead whose holes are closed."""
    games: int = Field(default=200_000, ge=1)
    """Games between two proofs."""
    restarts: float = Field(default=0.5, gt=0, le=1)
    """The share of games that begin from holes."""
    before: int = Field(default=3, ge=1, le=20)
    """Positions of each line into a hole from which games begin: the hole, and those 2, 4, … plies
    before it."""
    alpha: float = Field(default=0.001, gt=0)
    """alpha, the step size."""
    average_games: int = Field(default=0, ge=0)
    """Games over which weights are averaged, as in training; 0 for the latest weights."""
    seed: int = Field(default=1, ge=0, lt=2**63)
    """Seed of all games."""


class Round(NamedTuple):
    """What a proof found, and after how many games in all."""

    number: int
    games: int
    positions: int
    holes: int
    by_ply: dict[str, int]
    """Holes by the stones on the board, where there are any."""
    seconds: float


class Hardening:
    """A network that is hardened in a folder, round by round."""

    def __init__(self, folder: Path, plan: Plan, threads: int | None = None) -> None:
        self.folder = folder
        self.plan = plan
        self.threads = threads
        _check_plan(folder, plan)
        self.rounds: list[Round] = _read_rounds(folder)
        self._state = folder / STATE_FILE
        self._learner = self._begun()
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / PLAN_FILE, plan.model_dump_json(indent=1) + "\n")

    @property
    def player(self) -> str:
        """The best so far, as a spec string."""
        looks = f",depth={self.plan.depth}" if self.plan.depth > 1 else ""
        return f"ntuple:{self.folder}{looks}"

    @property
    def fewest(self) -> int | None:
        """Holes of the best so far."""
        return min((each.holes for each in self.rounds), default=None)

    def run(
        self, rounds: int, watch: Callable[[str], Progress | None] | None = None
    ) -> Iterator[Round]:
        """Prove and learn until there is no hole, at most so many rounds; yield each proof."""
        for _ in range(rounds):
            number = self._learner.games_done
            proof = self._prove(watch("proving") if watch else None)
            found = _round_of(len(self._earlier(number)), number, proof)
            self.rounds = [*self._earlier(number), found]
            self._keep_round(found)
            yield found
            if proof.is_proven:
                return
            self._learner.begin_games_from(
                _starts(proof.lines, self.plan.before, self._learner.config.geometry)
            )
            self._learner.learn(self.plan.games)
            self._learner.state().save(self._state)

    def _earlier(self, games: int) -> list[Round]:
        """Return the rounds before the one with so many games; a killed one is done again."""
        return [each for each in self.rounds if each.games < games]

    def _prove(self, progress: Progress | None) -> Proof:
        latest = self.folder / "latest.safetensors"
        learner = self._learner
        learner.checkpoint(hardened=True).save(latest)
        depth = f",depth={self.plan.depth}" if self.plan.depth > 1 else ""
        agent = make_agent(f"ntuple:{latest}{depth}", learner.config.geometry)
        return Prover(agent, threads=self.threads, progress=progress, all_lines=True).prove()

    def _keep_round(self, found: Round) -> None:
        if found.holes == self.fewest:
            latest = Checkpoint.load(self.folder / "latest.safetensors")
            latest.save(self.folder / "best.safetensors")
        document = [each._asdict() for each in self.rounds]
        write_text(self.folder / "rounds.json", json.dumps(document, indent=1) + "\n")

    def _begun(self) -> NTupleLearner:
        """Return the learner as it was saved, or as the run that is gone on with left it."""
        if self._state.exists():
            state = Checkpoint.load(self._state, STATE_KIND)
            learner = NTupleLearner(_config_of(state))
            learner.restore(state)
            return learner
        state = Checkpoint.load(_state_of(Path(self.plan.source)), STATE_KIND)
        learner = NTupleLearner(self._hardened(_config_of(state)))
        learner.take_over(state)
        return learner

    def _hardened(self, config: NTupleConfig) -> NTupleConfig:
        changes = {
            "alpha": str(self.plan.alpha),
            "restarts": self.plan.restarts,
            "surprise": NEVER,
            "average_games": self.plan.average_games,
            "seed": self.plan.seed,
            "games": MOST_TRAINING_GAMES,
        }
        return NTupleConfig.model_validate({**config.plain(), **changes})


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
    path = folder / "rounds.json"
    if not path.exists():
        return []
    try:
        return [Round(**each) for each in json.loads(path.read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        raise UserError(f"{path} is damaged: take another folder") from None


def _state_of(source: Path) -> Path:
    return source / STATE_FILE if source.is_dir() else source


def _config_of(state: Checkpoint) -> NTupleConfig:
    try:
        return NTupleConfig.model_validate(state.header.get("config"))
    except ValidationError:
        raise UserError("the saved state is damaged: its settings make no sense") from None


def _round_of(number: int, games: int, proof: Proof) -> Round:
    by_ply = {str(each.ply): each.holes for each in proof.plies if each.holes}
    return Round(number, games, proof.positions, proof.holes, by_ply, round(proof.seconds, 1))


def _starts(lines: Sequence[HoleLine], before: int, geometry: Geometry) -> list[Position]:
    """Return the positions of holes, and of each line those 2, 4, … plies before."""
    return [
        Position.from_moves(line.moves[: len(line.moves) - 2 * back], geometry)
        for line in lines
        for back in range(before)
        if len(line.moves) >= 2 * back
    ]

"""Two ways in which a network learns from its holes.

*Lessons*: the referee tells which moves hold in every position where the network erred, and the
network takes the smallest steps after which it plays one of them
(:mod:`connectlab.agents.ntuple.lessons`). This closes every hole it knows of at once; new ones come
about where the steps disturb something else, fewer in every round.

*Games*: games of self-play begin from the holes and from some positions just before them. Here the
referee says *where* to play and never *what*: all values still come from the learner's own games.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from connectlab.agents.ntuple.agent import SOURCES
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.lessons import Lessons, add_burden
from connectlab.agents.ntuple.network import KIND, Network
from connectlab.agents.ntuple.training import STATE_KIND, NTupleLearner
from connectlab.agents.perfect import shared_solver
from connectlab.agents.settings import PerfectSettings
from connectlab.arena.hole_lines import HoleLine
from connectlab.arena.proof import Proof
from connectlab.arena.walk import Claim, Walk, values_after
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.game.neighbours import batch_of
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.config import MOST_TRAINING_GAMES
from connectlab.training.folder import STATE_FILE
from connectlab.training.saved import check_kind, saved_count

if TYPE_CHECKING:
    from connectlab.lab.hardening import Plan

NOTHING = -2
"""What a column that cannot be played leaves: less than a loss."""
LESSONS_KIND = f"{KIND}-lessons"
NEVER = 2.0
"""No temporal difference is larger, so none is a surprise: games begin from holes alone."""


class Way(ABC):
    """A network that learns from holes, round by round."""

    geometry: Geometry
    rounds = 0
    """Rounds that were learned from."""
    games = 0
    """Games of self-play, those of the source included."""
    lessons = 0
    """Positions whose right moves were told."""

    @abstractmethod
    def __init__(self, plan: "Plan") -> None:
        """Begin with the source of the plan."""

    @abstractmethod
    def learn(self, proof: Proof, walk: Walk) -> bool:
        """Learn from the holes of a proof, which ends a round; say whether there is hope."""

    @abstractmethod
    def checkpoint(self) -> Checkpoint:
        """Return the network to play with; it says how it was hardened."""

    @abstractmethod
    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""

    @abstractmethod
    def restore(self, state: Checkpoint) -> None:
        """Go on from a state that was saved with the same plan."""


class ByLessons(Way):
    """The referee tells the right moves."""

    def __init__(self, plan: "Plan") -> None:
        self._plan = plan
        source = Checkpoint.load(SOURCES.locate(plan.source), KIND)
        self._network = Network.from_checkpoint(source)
        self._told = {name: source.header[name] for name in source.header if name != "network"}
        self.geometry = self._network.geometry
        self.games = saved_count({"games_done": 0, **self._told}, "games_done")
        self._lessons = Lessons(self._network)
        self._keys = np.empty(0, np.uint64)

    def learn(self, proof: Proof, walk: Walk) -> bool:
        """Learn the right moves at all holes of this and earlier rounds.

        There is no hope where all holes were lessons before, and not all lessons can be kept.
        """
        del proof
        new = np.setdiff1d(np.concatenate([each.keys for each in walk.holes]), self._keys)
        self._add(new, walk.claim)
        margin, burden = self._plan.margin, self._burden(walk)
        self._lessons.learn(burden, margin, self._plan.seed + self.rounds)
        self.rounds += 1
        return len(new) > 0 or self._lessons.kept(margin) == len(self._lessons)

    def _add(self, keys: NDArray[np.uint64], claim: Claim) -> None:
        """Add positions that are no lesson yet; the solver tells what holds what is to be held."""
        batch = batch_of(keys, self.geometry)
        solver = shared_solver(self.geometry, PerfectSettings().table_mb)
        rows, columns = np.nonzero(batch.legal)
        values = np.full(batch.legal.shape, NOTHING, np.int8)
        values[rows, columns] = values_after(batch[rows].play(columns), solver)
        least = claim.result if claim.keep == "result" else values.max(axis=1, keepdims=True)
        self._lessons.add(batch, values >= least)
        self._keys = np.concatenate([self._keys, keys])
        self.lessons = len(self._keys)

    def _burden(self, walk: Walk) -> NDArray[np.float32]:
        """Return what rests on each weight, in some positions of every ply at even distances."""
        burden = np.zeros(len(self._network.weights), np.float32)
        for level in walk.levels:
            keys = np.asarray(level.keys[:: max(1, len(level) // self._plan.watched)])
            add_burden(self._network, batch_of(keys, self.geometry), self._plan.near, burden)
        return burden

    def checkpoint(self) -> Checkpoint:
        """Return the network; it says how many lessons it was given."""
        hardened: dict[str, object] = {
            "way": "lessons",
            "rounds": self.rounds,
            "lessons": self.lessons,
        }
        if "hardened" in self._told:
            hardened["before"] = self._told["hardened"]
        return self._network.checkpoint({**self._told, "hardened": hardened}, half=True)

    def state(self) -> Checkpoint:
        """Return the weights, which float16 can hold, and the positions of all lessons."""
        header = {"network": self._network.header.plain(), "rounds": self.rounds}
        weights = self._network.weights.astype(np.float16)
        return Checkpoint(LESSONS_KIND, header, {"weights": weights, "keys": self._keys})

    def restore(self, state: Checkpoint) -> None:
        """Take over the weights, and have the right moves told again."""
        check_kind(state, LESSONS_KIND)
        weights, keys = state.arrays.get("weights"), state.arrays.get("keys")
        described = self._network.header.plain()
        if state.header.get("network") != described or weights is None or keys is None:
            raise CheckpointError("the saved state is damaged, or of another source")
        if weights.shape != self._network.weights.shape or keys.dtype != np.uint64:
            raise CheckpointError("the saved state is damaged: its arrays do not fit its network")
        self.rounds = saved_count(state.header, "rounds")
        self._network.weights[:] = weights
        solver = shared_solver(self.geometry, PerfectSettings().table_mb)
        self._add(keys.view(np.uint64), Claim.of(self.geometry, "first", None, solver))


class ByGames(Way):
    """Games of self-play begin where the holes are."""

    def __init__(self, plan: "Plan") -> None:
        self._plan = plan
        path = Path(plan.source)
        try:
            state = Checkpoint.load(path / STATE_FILE if path.is_dir() else path, STATE_KIND)
        except CheckpointError as error:
            raise UserError(f"way=games goes on with a run, so name its folder: {error}") from None
        self._learner = NTupleLearner(self._hardened(_config_of(state)))
        self._learner.take_over(state)
        self.geometry = self._learner.config.geometry
        self.games = self._learner.games_done

    def _hardened(self, config: NTupleConfig) -> NTupleConfig:
        changes = {
            "alpha": str(self._plan.alpha),
            "epsilon": str(config.epsilon.end),
            "epsilon_second": config.epsilon_second and str(config.epsilon_second.end),
            "restarts": self._plan.restarts,
            "surprise": NEVER,
            "average_games": self._plan.average_games,
            "seed": self._plan.seed,
            "games": MOST_TRAINING_GAMES,
        }
        return NTupleConfig.model_validate({**config.plain(), **changes})

    def learn(self, proof: Proof, walk: Walk) -> bool:
        """Play so many games, some of which begin at the holes of this and earlier rounds.

        The earliest holes are noted last: where there is no room for all, they stay.
        """
        del walk
        lines = proof.lines[::-1]
        self._learner.begin_games_from(starts_of(lines, self._plan.before, self.geometry))
        self._learner.learn(self._plan.games)
        self.games = self._learner.games_done
        self.rounds += 1
        return True

    def checkpoint(self) -> Checkpoint:
        """Return the network; it says that some games began at holes."""
        return self._learner.checkpoint(hardened={"way": "games", "rounds": self.rounds})

    def state(self) -> Checkpoint:
        """Return the state of the learner."""
        state = self._learner.state()
        return Checkpoint(state.kind, {**state.header, "rounds": self.rounds}, state.arrays)

    def restore(self, state: Checkpoint) -> None:
        """Go on with the learner."""
        self._learner.restore(state)
        self.games = self._learner.games_done
        self.rounds = saved_count(state.header, "rounds")


def _config_of(state: Checkpoint) -> NTupleConfig:
    try:
        return NTupleConfig.model_validate(state.header.get("config"))
    except ValidationError:
        raise UserError("the saved state is damaged: its settings make no sense") from None


def starts_of(lines: Sequence[HoleLine], before: int, geometry: Geometry) -> list[Position]:
    """Return the positions of holes, and of each line those 2, 4, … plies before."""
    return [
        Position.from_moves(line.moves[: len(line.moves) - 2 * back], geometry)
        for line in lines
        for back in range(before)
        if len(line.moves) >= 2 * back
    ]

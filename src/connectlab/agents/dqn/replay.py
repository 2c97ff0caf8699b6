"""The replay buffer: transitions as bitboards, where the network learns.

A transition is (position, column, reward, position then, bootstrap): 41 bytes, so that millions
fit. ``bootstrap`` is what the value of the position then counts: 0 where the game is over, else the
discount of the moves between, negative if the other side is to move then.

Which are drawn depends on the seed and the number of the round alone, so nothing of a random
generator needs to be saved.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.dqn.deep import Tensor, torch

WORDS = 4
"""mover and occupied, before and after."""
SMALLEST_ERROR = 1e-6
"""epsilon of prioritised replay: no transition is never drawn."""


class Transitions(NamedTuple):
    """Transitions, one entry each."""

    words: Tensor
    """int64[4, n]: ``mover`` and ``occupied`` of the position, then of the position after."""
    columns: Tensor
    """uint8[n], the column that was chosen."""
    reward: Tensor
    """float32[n], the discounted sum of rewards between the two positions."""
    bootstrap: Tensor
    """float32[n]"""


@dataclass(frozen=True)
class Sample:
    """Some transitions that were drawn."""

    places: Tensor
    """int64[n], where they lie in the buffer."""
    weights: Tensor
    """float32[n], how much each counts in the loss."""


class Replay:
    """A ring of transitions; the oldest is replaced, or with ``bug`` the newest (Table VII)."""

    def __init__(
        self, capacity: int, device: torch.device, *, priority: float = 0.0, bug: bool = False
    ) -> None:
        self.capacity = capacity
        self.added = 0
        """Transitions that were ever added."""
        self._priority = priority
        self._bug = bug
        self._device = device
        self.held = Transitions(
            torch.zeros((WORDS, capacity), dtype=torch.int64, device=device),
            torch.zeros(capacity, dtype=torch.uint8, device=device),
            torch.zeros(capacity, device=device),
            torch.zeros(capacity, device=device),
        )
        n = capacity if priority else 0
        self.priorities = torch.zeros(n, dtype=torch.float64, device=device)
        """float64[capacity]: |error| to the power alpha; none where all are drawn alike."""
        self.highest = torch.ones(1, dtype=torch.float64, device=device)
        """The highest priority so far, which new transitions get (Schaul et al., Algorithm 1)."""

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    def add(
        self,
        words: NDArray[np.int64],
        columns: NDArray[np.uint8],
        reals: NDArray[np.float32],
    ) -> None:
        """Add transitions, the oldest first: int64[4, n], uint8[n], float32[2, n]."""
        n = len(columns)
        if not n:
            return
        places, kept = self._places(n)
        self.added += n
        where = self._upload(places)
        held = self.held
        held.words[:, where] = self._upload(words[:, kept])
        held.columns[where] = self._upload(columns[kept])
        rewards, bootstraps = self._upload(reals[:, kept])
        held.reward[where] = rewards
        held.bootstrap[where] = bootstraps
        if self._priority:
            self.priorities[where] = self.highest.expand(len(where))

    def _places(self, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64] | slice]:
        """Return where the next transitions go, and which of them stay there."""
        numbers = np.arange(self.added, self.added + n)
        places = np.minimum(numbers, self.capacity - 1) if self._bug else numbers % self.capacity
        if n <= self.capacity and not self._bug:
            return places, slice(None)
        # Of several that go to one place the last stays: to torch their order means nothing.
        used, backwards = np.unique(places[::-1], return_index=True)
        return used, n - 1 - backwards

    def _upload(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device, non_blocking=True)

    def draw(self, updates: int, batch: int, beta: float, generator: torch.Generator) -> Sample:
        """Draw batches for some updates: places and weights of shape [updates, batch].

        Each is drawn with replacement, all alike or in proportion to its priority. The weights are
        (n p)^-beta over their largest in the batch.
        """
        size = (updates, batch)
        if not self._priority:
            where = torch.randint(len(self), size, generator=generator, device=self._device)
            return Sample(where, torch.ones(size, device=self._device))
        sums = self.priorities[: len(self)].cumsum(0)
        lots = torch.rand(size, dtype=torch.float64, generator=generator, device=self._device)
        where = torch.searchsorted(sums, lots * sums[-1], right=True).clamp_(max=len(self) - 1)
        chance = self.priorities[where] / sums[-1]
        weights = (chance * len(self)).pow(-beta)
        return Sample(where, (weights / weights.amax(1, keepdim=True)).float())

    def take(self, places: Tensor) -> Transitions:
        """Return the transitions at some places, int64[n]."""
        held = self.held
        return Transitions(
            held.words[:, places],
            held.columns[places],
            held.reward[places],
            held.bootstrap[places],
        )

    def set_errors(self, places: Tensor, errors: Tensor) -> None:
        """Set the priorities of transitions that were learned, by the size of their errors."""
        priorities = (errors.double() + SMALLEST_ERROR).pow(self._priority)
        self.priorities[places] = priorities
        torch.maximum(self.highest, priorities.amax().view(1), out=self.highest)

    def tensors(self, added: int) -> dict[str, Tensor]:
        """Return views of what a buffer holds after so many transitions, by their saved names."""
        n, held = min(added, self.capacity), self.held
        found = {
            "replay_words": held.words[:, :n],
            "replay_columns": held.columns[:n],
            "replay_reward": held.reward[:n],
            "replay_bootstrap": held.bootstrap[:n],
        }
        if self._priority:
            found |= {"priorities": self.priorities[:n], "highest": self.highest}
        return found

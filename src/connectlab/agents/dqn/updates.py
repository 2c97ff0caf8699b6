"""The update of deep Q-learning: targets for a batch from the replay buffer, and a step of Adam.

The target of a transition is reward + bootstrap * max Q(position then) with the values of the
target network; with ``double`` the learned network says which column is the best there. Columns
without room do not count, unless moves into them are allowed.

Nothing here waits for the device. On CUDA the same operations are recorded once as a graph and
replayed for every update, so that launching them costs nothing.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.dqn.config import DQNConfig
from connectlab.agents.dqn.deep import Tensor, torch
from connectlab.agents.dqn.forward import Eyes, QFunction, mirror_planes
from connectlab.agents.dqn.parameters import Layout
from connectlab.agents.dqn.replay import Replay, Transitions

BETA_1, BETA_2, SMALLEST = 0.9, 0.999, 1e-8
"""Adam's usual constants, which the paper does not change."""
WARM = 3
"""Updates that are made before a graph is recorded, and undone."""
LOSS, REWARD, VALUE = range(3)
"""What stands where in ``Updates.sums``."""


class Updates:
    """The learned network, its target and its optimiser, all as vectors on one device."""

    def __init__(self, config: DQNConfig, layout: Layout, start: Tensor, replay: Replay) -> None:
        device = replay.held.reward.device
        self._config, self._replay = config, replay
        self._eyes = Eyes(layout.header, device)
        self._q = QFunction(layout)
        self.learned = start.to(device).clone().requires_grad_()
        self.target = self.learned.detach().clone()
        self.mean = torch.zeros_like(self.target)
        """Adam's m."""
        self.square = torch.zeros_like(self.target)
        """Adam's v."""
        self._divisor = torch.zeros_like(self.target)
        self.sums = torch.zeros(3, device=device)
        """Sums over updates of the loss, and of the means of reward and Q(s, a) in the batch."""
        self.done = 0
        """Updates made so far."""
        batch = config.batch
        self._places = torch.zeros(batch, dtype=torch.int64, device=device)
        self._weights = torch.ones(batch, device=device)
        self._flipped = torch.zeros(batch, dtype=torch.bool, device=device)
        self._noise = torch.zeros((3, layout.noise_size), device=device)
        """Draws for the learned network, for its target, and for who chooses the next move."""
        self._rates = torch.zeros(2, device=device)
        """Learning rate over Adam's first correction, and the root of the second."""
        self._run: Callable[[], None] = self._update

    # Acting

    @torch.no_grad()
    def best_columns(
        self, mover: NDArray[np.uint64], occupied: NDArray[np.uint64], generator: torch.Generator
    ) -> NDArray[np.int64]:
        """Return the column of the highest Q for every position; waits for the device."""
        words = torch.from_numpy(np.stack([mover, occupied]).view(np.int64))
        own, stones = words.to(self.learned.device, non_blocking=True)
        noise = self._noise[0].normal_(generator=generator) if self._config.noisy else None
        values = self._q(self.learned, self._eyes.planes(own, stones), noise)
        best: NDArray[np.int64] = self._playable(values, stones).argmax(1).cpu().numpy()
        return best

    def _playable(self, values: Tensor, occupied: Tensor) -> Tensor:
        """Leave columns without room out of a maximum."""
        if self._config.invalid == "allow":
            return values
        return values.masked_fill(~self._eyes.room(occupied), -torch.inf)

    # Learning

    def learn(self, updates: int, beta: float, alpha: float, generator: torch.Generator) -> None:
        """Make so many updates, each with a batch of its own."""
        config = self._config
        sample = self._replay.draw(updates, config.batch, beta, generator)
        for number in range(updates):
            self._places.copy_(sample.places[number])
            self._weights.copy_(sample.weights[number])
            if config.mirror:
                self._flipped.random_(0, 2, generator=generator)
            if config.noisy:
                self._noise.normal_(generator=generator)
            self._set_rates(alpha)
            if self._run == self._update and self.learned.is_cuda:
                self._run = self._record()
            self._run()

    def _set_rates(self, alpha: float) -> None:
        self.done += 1
        first, second = 1 - BETA_1**self.done, 1 - BETA_2**self.done
        rates = torch.tensor([alpha / first, second**0.5])
        if self._rates.is_cuda:
            rates = rates.pin_memory()
        self._rates.copy_(rates, non_blocking=True)

    def _update(self) -> None:
        """Make one update with the places, weights, flips, noise and rates that are set."""
        batch = self._replay.take(self._places)
        target = self._targets(batch)
        values, planes = batch.columns.long(), self._look(batch.words[0], batch.words[1])
        columns = torch.where(self._flipped, self._columns_less_one - values, values)
        noise = self._noise[0] if self._config.noisy else None
        q = self._q(self.learned, planes, noise).gather(1, columns[:, None])[:, 0]
        loss = (self._weights * self._losses(q, target)).mean()
        (gradient,) = torch.autograd.grad(loss, [self.learned])
        with torch.no_grad():
            self._adam(gradient)
            self.sums += torch.stack([loss, batch.reward.mean(), q.mean()])
            if self._config.priority:
                self._replay.set_errors(self._places, (target - q).abs())
            if self._config.target_average:
                self.target.lerp_(self.learned, 1 - self._config.target_average)

    @property
    def _columns_less_one(self) -> int:
        return self._config.columns - 1

    def _look(self, mover: Tensor, occupied: Tensor) -> Tensor:
        planes = self._eyes.planes(mover, occupied)
        return mirror_planes(planes, self._flipped) if self._config.mirror else planes

    @torch.no_grad()
    def _targets(self, batch: Transitions) -> Tensor:
        _, _, mover, occupied = batch.words
        planes = self._look(mover, occupied)
        room = self._eyes.room(occupied)
        if self._config.mirror:
            room = torch.where(self._flipped[:, None], room.flip(1), room)
        if self._config.invalid == "allow":
            room = torch.ones_like(room)
        noise, other = self._noise[1:] if self._config.noisy else (None, None)
        then = self._q(self.target, planes, noise)
        chooser = self._q(self.learned, planes, other) if self._config.double else then
        best = chooser.masked_fill(~room, -torch.inf).argmax(1, keepdim=True)
        return batch.reward + batch.bootstrap * then.gather(1, best)[:, 0]

    def _losses(self, q: Tensor, target: Tensor) -> Tensor:
        if self._config.loss == "huber":
            return torch.nn.functional.smooth_l1_loss(q, target, reduction="none")
        return (q - target) ** 2

    def _adam(self, gradient: Tensor) -> None:
        """Step as Adam does (Kingma and Ba 2015, Algorithm 1)."""
        if self._config.clip:
            gradient = gradient * (self._config.clip / gradient.norm().clamp(min=self._config.clip))
        self.mean.lerp_(gradient, 1 - BETA_1)
        self.square.mul_(BETA_2).addcmul_(gradient, gradient, value=1 - BETA_2)
        rate, root = self._rates
        torch.sqrt(self.square, out=self._divisor)
        self.learned.addcdiv_(self.mean, self._divisor.div_(root).add_(SMALLEST).div_(-rate))

    def copy_to_target(self) -> None:
        """Let the target network be what has been learned."""
        self.target.copy_(self.learned.detach())

    # CUDA

    def _record(self) -> Callable[[], None]:
        """Record an update as a CUDA graph; what the recording changes is put back."""
        changed = [self.learned, self.target, self.mean, self.square, self.sums]
        changed += [self._replay.priorities, self._replay.highest]
        kept = [tensor.detach().clone() for tensor in changed]
        beside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(WARM):
                self._update()
        torch.cuda.current_stream().wait_stream(beside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._update()
        with torch.no_grad():
            for tensor, before in zip(changed, kept, strict=True):
                tensor.copy_(before)
        return graph.replay

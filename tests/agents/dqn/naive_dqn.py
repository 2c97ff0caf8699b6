"""Deep Q-learning as a textbook has it: modules of torch, one transition at a time."""

from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from connectlab.agents.dqn.config import DQNConfig
from connectlab.agents.dqn.network import Network
from connectlab.game import Position


class Step(NamedTuple):
    """One transition."""

    position: Position
    column: int
    reward: float
    then: Position
    bootstrap: float


def planes_of(position: Position, planes: str) -> torch.Tensor:
    """Three planes, the top row first: free, and the stones of two sides."""
    geometry = position.geometry
    own, other = position.mover, position.opponent
    if planes == "players":
        own, other = position.first_stones, position.second_stones
    seen = torch.zeros(3, geometry.rows, geometry.columns)
    for column in range(geometry.columns):
        for row in range(geometry.rows):
            cell = geometry.cell(column, row)
            plane = 1 if own & cell else 2 if other & cell else 0
            seen[plane, geometry.rows - 1 - row, column] = 1
    return seen


class Module(nn.Module):
    """The network as layers of torch, with the weights of a file."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        header, arrays = network.header, network.arrays
        self.planes, self.dueling = header.planes, header.dueling
        weights = {
            name: torch.from_numpy(np.array(a, dtype=np.float32)) for name, a in arrays.items()
        }
        self.convolutions, self.dense = nn.ModuleList(), nn.ModuleList()
        for layer in range(1, header.layers + 1):
            weight = weights[f"conv{layer}"].permute(3, 2, 0, 1)
            module = nn.Conv2d(weight.shape[1], weight.shape[0], 3, padding=header.padding)
            self._set(module, weight, weights[f"conv{layer}_bias"])
            self.convolutions.append(module)
        for layer in range(1, header.hidden_layers + 1):
            self.dense.append(self._linear(weights, f"hidden{layer}"))
        self.output = self._linear(weights, "output")
        self.value = self._linear(weights, "value") if header.dueling else None

    def _linear(self, weights: dict[str, torch.Tensor], name: str) -> nn.Linear:
        module = nn.Linear(*weights[name].shape)
        self._set(module, weights[name].T, weights[f"{name}_bias"])
        return module

    @staticmethod
    def _set(module: nn.Conv2d | nn.Linear, weight: torch.Tensor, bias: torch.Tensor) -> None:
        module.weight = nn.Parameter(weight.contiguous())
        module.bias = nn.Parameter(bias.clone())

    def forward(self, position: Position) -> torch.Tensor:
        x = planes_of(position, self.planes)[None]
        for convolution in self.convolutions:
            x = torch.relu(convolution(x))
        x = x.permute(0, 2, 3, 1).flatten(1)
        for layer in self.dense:
            x = torch.relu(layer(x))
        if self.value is None:
            return self.output(x)[0]
        advantage = self.output(x)[0]
        return self.value(x)[0] + advantage - advantage.mean()


def learn(
    learned: Module, target: Module, batches: list[list[Step]], config: DQNConfig
) -> list[float]:
    """Make an update for each batch; return the losses."""
    optimiser = torch.optim.Adam(learned.parameters(), lr=config.alpha.start)
    losses = []
    for batch in batches:
        errors = [error_of(learned, target, step, config) for step in batch]
        loss = torch.stack(errors).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return losses


def error_of(learned: Module, target: Module, step: Step, config: DQNConfig) -> torch.Tensor:
    with torch.no_grad():
        value = 0.0
        if step.bootstrap:
            then = target(step.then)
            chooser = learned(step.then) if config.double else then
            columns = step.then.legal_columns
            if config.invalid == "allow":
                columns = tuple(range(config.columns))
            best = max(columns, key=lambda column: float(chooser[column]))
            value = float(then[best])
    error = learned(step.position)[step.column] - (step.reward + step.bootstrap * value)
    if config.loss == "huber" and abs(float(error.detach())) > 1:
        return error.abs() - 0.5
    return error**2 / 2 if config.loss == "huber" else error**2

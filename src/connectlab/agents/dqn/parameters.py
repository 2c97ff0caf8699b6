"""All that a network learns in one vector, so that copying and stepping are single operations.

The vector is cut into the arrays of :class:`~connectlab.agents.dqn.network.NetworkHeader` by one
``split``, whose gradient is one vector again. Convolutions lie as [out, 3, 3, in], which is what
torch multiplies fastest; dense layers as they are saved. With noisy layers the strengths of their
noise (Fortunato et al. 2018, Eq. 9) follow after the arrays that are saved.
"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.dqn.deep import Tensor, torch
from connectlab.agents.dqn.network import NetworkHeader

Shape = tuple[int, ...]


class Layout:
    """Where each array of a network lies in the vector of all parameters."""

    def __init__(self, header: NetworkHeader, *, noisy: bool) -> None:
        self.header = header
        self.noisy = noisy
        dense = [name for name in header.shapes if not name.startswith("conv")]
        sigmas = {f"{name}_sigma": header.shapes[name] for name in dense} if noisy else {}
        self.shapes: dict[str, Shape] = {**header.shapes, **sigmas}
        self.sizes = [int(np.prod(shape)) for shape in self.shapes.values()]
        self.size = sum(self.sizes)
        """Length of the vector."""

    def arrays(self, vector: Tensor) -> dict[str, Tensor]:
        """Cut the vector into arrays for the forward pass; convolutions as [out, in, 3, 3]."""
        parts = torch.split(vector, self.sizes)
        return {
            name: _convolution(part, shape) if len(shape) == 4 else part.view(shape)
            for (name, shape), part in zip(self.shapes.items(), parts, strict=True)
        }

    @cached_property
    def noise_sizes(self) -> dict[str, tuple[int, int]]:
        """How many noise variables each dense layer takes: for its inputs, and its outputs."""
        if not self.noisy:
            return {}
        names = [n for n in self.header.shapes if len(self.header.shapes[n]) == 2]
        return {name: (self.shapes[name][0], self.shapes[name][1]) for name in names}

    @property
    def noise_size(self) -> int:
        """Noise variables of one draw."""
        return sum(a + b for a, b in self.noise_sizes.values())

    def saved(self, vector: Tensor, dtype: str) -> dict[str, NDArray[np.floating]]:
        """Return the arrays as a player's file has them, on the CPU."""
        arrays = self.arrays(vector.detach().cpu())
        saved: dict[str, NDArray[np.floating]] = {}
        for name, shape in self.header.shapes.items():
            array = arrays[name].permute(2, 3, 1, 0) if len(shape) == 4 else arrays[name]
            saved[name] = np.ascontiguousarray(array.numpy()).astype(dtype)
        return saved

    def fill(self, vector: Tensor, arrays: Mapping[str, NDArray[np.floating]]) -> None:
        """Overwrite the parameters by arrays of a player's file; strengths of noise stay."""
        parts = torch.split(vector, self.sizes)
        for (name, shape), part in zip(self.shapes.items(), parts, strict=True):
            if name not in arrays:
                continue
            array = torch.from_numpy(arrays[name].astype(np.float32))
            ordered = array.permute(3, 0, 1, 2) if len(shape) == 4 else array
            part.copy_(ordered.reshape(-1))


def _convolution(part: Tensor, shape: Shape) -> Tensor:
    """See a part of the vector as [out, in, 3, 3], the features of a cell side by side."""
    height, width, n_in, n_out = shape
    return part.view(n_out, height, width, n_in).permute(0, 3, 1, 2)


def new_parameters(layout: Layout, seed: int, noisy_sigma: float) -> Tensor:
    """Return untrained parameters: uniform in plus and minus one over the root of the inputs.

    So torch begins its layers, which the paper does not change. The strength of noise begins at
    sigma_0 over that root (Fortunato et al., section 3.2).
    """
    rng = np.random.default_rng([seed, 1])
    arrays: dict[str, NDArray[np.float32]] = {}
    bound = 1.0
    for name, shape in layout.shapes.items():
        if name.endswith("_sigma"):
            weights = layout.shapes[name.removesuffix("_sigma").removesuffix("_bias")]
            arrays[name] = np.full(shape, noisy_sigma / np.sqrt(weights[0]), dtype=np.float32)
            continue
        if not name.endswith("_bias"):
            bound = 1 / np.sqrt(np.prod(shape[:-1]))
        arrays[name] = rng.uniform(-bound, bound, shape).astype(np.float32)
    vector = torch.zeros(layout.size)
    layout.fill(vector, arrays)
    return vector

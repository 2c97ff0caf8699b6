"""From bitboards to Q on any device: planes are made where the network is, when they are needed.

Bitboards come as int64 with the bits of a uint64; only shifted single bits are ever looked at, so
the sign does not matter.
"""

from connectlab.agents.dqn.deep import Tensor, torch
from connectlab.agents.dqn.network import PLANES, NetworkHeader
from connectlab.agents.dqn.parameters import Layout

functional = torch.nn.functional


class Eyes:
    """How a network sees boards."""

    def __init__(self, header: NetworkHeader, device: torch.device) -> None:
        geometry = header.geometry
        bits, rows, columns = geometry.rows + 1, geometry.rows, geometry.columns
        shifts = [c * bits + rows - 1 - above for above in range(rows) for c in range(columns)]
        self._shifts = torch.tensor(shifts, device=device)
        self._tops = torch.tensor([c * bits + rows - 1 for c in range(columns)], device=device)
        self._size = rows, columns
        self._own = header.planes == "own"

    def planes(self, mover: Tensor, occupied: Tensor) -> Tensor:
        """Return float32[n, 3, rows, columns], the features of a cell side by side in memory."""
        stones = (occupied[:, None] >> self._shifts) & 1
        first = (mover[:, None] >> self._shifts) & 1
        if not self._own:
            first = first ^ (stones & (stones.sum(1, keepdim=True) & 1))
        planes = torch.stack([1 - stones, first, stones - first], dim=2).float()
        return planes.view(-1, *self._size, PLANES).permute(0, 3, 1, 2)

    def room(self, occupied: Tensor) -> Tensor:
        """Return which columns have room, bool[n, columns]."""
        return ((occupied[:, None] >> self._tops) & 1) == 0


def mirror_planes(planes: Tensor, flipped: Tensor) -> Tensor:
    """Exchange left and right where ``flipped``, bool[n], says so."""
    return torch.where(flipped[:, None, None, None], planes.flip(3), planes)


class QFunction:
    """The forward pass of a network whose parameters are one vector."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def __call__(self, vector: Tensor, planes: Tensor, noise: Tensor | None = None) -> Tensor:
        """Return Q of every column, float32[n, columns]; with noise in the dense layers if given.

        ``noise`` is one draw of ``Layout.noise_size`` normal variables.
        """
        header, arrays = self._layout.header, self._layout.arrays(vector)
        if noise is not None:
            self._disturb(arrays, noise)
        x = planes
        for layer in range(1, header.layers + 1):
            weight, bias = arrays[f"conv{layer}"], arrays[f"conv{layer}_bias"]
            x = functional.conv2d(x, weight, bias, padding=header.padding).relu()
        x = x.permute(0, 2, 3, 1).reshape(len(x), -1)
        for layer in range(1, header.hidden_layers + 1):
            x = torch.addmm(arrays[f"hidden{layer}_bias"], x, arrays[f"hidden{layer}"]).relu()
        values = torch.addmm(arrays["output_bias"], x, arrays["output"])
        if header.dueling:
            value = torch.addmm(arrays["value_bias"], x, arrays["value"])
            values = value + values - values.mean(1, keepdim=True)
        return values

    def _disturb(self, arrays: dict[str, Tensor], noise: Tensor) -> None:
        """Add factorised Gaussian noise to the dense layers (Fortunato et al., Eq. 10 and 11)."""
        scaled = noise.sign() * noise.abs().sqrt()
        at = 0
        for name, (n_in, n_out) in self._layout.noise_sizes.items():
            into, out = scaled[at : at + n_in], scaled[at + n_in : at + n_in + n_out]
            arrays[name] = arrays[name] + arrays[f"{name}_sigma"] * torch.outer(into, out)
            arrays[f"{name}_bias"] = arrays[f"{name}_bias"] + arrays[f"{name}_bias_sigma"] * out
            at += n_in + n_out

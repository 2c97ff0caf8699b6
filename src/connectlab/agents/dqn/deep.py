"""The one place that imports torch: learning needs it, playing does not."""

from collections.abc import Iterator
from contextlib import contextmanager

from connectlab.training.learner import LearnerError

try:
    import torch
except ImportError:
    raise LearnerError(
        "learning with deep Q-networks needs torch: pip install 'connectlab[deep]'"
    ) from None

__all__ = ["Tensor", "choose_device", "flushing", "torch"]

Tensor = torch.Tensor


def choose_device(wanted: str) -> torch.device:
    """Return the device for a setting: cuda, cpu, or auto."""
    if wanted == "cuda" and not torch.cuda.is_available():
        raise LearnerError("torch finds no CUDA device here: set device=cpu, or leave it out")
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    if wanted == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
    return torch.device(wanted)


@contextmanager
def flushing() -> Iterator[None]:
    """Take the smallest numbers for 0 meanwhile: Adam's squares fade into them, and they are slow.

    Whoever learns beside this in the same process shall have them, so it does not last.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)

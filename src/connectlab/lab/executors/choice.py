"""Which executor somebody asked for."""

from typing import Literal, TypeAlias

from connectlab.lab.executors.base import Executor, ExecutorError
from connectlab.lab.executors.local import LocalProcesses

Kind: TypeAlias = Literal["local", "ray"]


def make_executor(
    kind: Kind = "local", *, workers: int | None = None, address: str | None = None
) -> Executor:
    """Return processes of this machine, or the Ray cluster at an address.

    ``workers`` is the number of tasks at a time: a process for each core of this machine unless
    given, on a cluster as many as it has cores.
    """
    if kind == "local":
        if address is not None:
            raise ExecutorError("--address is that of a cluster: add --executor ray")
        return LocalProcesses(workers)
    from connectlab.lab.executors.ray import RayCluster

    return RayCluster(address, workers)

"""Put trained players into the package: ``ship.py mlp:5=RUN_FOLDER ntuple:champion=FILE …``.

What stands before ``=`` is a name that comes along. Of a run folder the best network is taken if
the run was judged, else the latest; name a file to choose otherwise. It is read before it is
copied. Of a table, states that were entered and never visited are left out: they hold what a new
state would begin with, so it plays the same without them.
"""

import argparse
from importlib import import_module
from pathlib import Path

from connectlab.agents.registry import settings_class
from connectlab.agents.sources import Learned, Sources
from connectlab.game import STANDARD
from connectlab.storage.checkpoint import Checkpoint


def main() -> None:
    """Ship everything that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="+", metavar="KIND:NAME=RUN_FOLDER")
    for given in parser.parse_args().players:
        name, _, path = given.partition("=")
        kind, _, source = name.partition(":")
        shipped = settings_class(kind).shipped
        if source not in shipped:
            parser.error(f"{name} is none that comes along: {', '.join(shipped)}")
        ship(kind, source, Path(path))


def ship(kind: str, name: str, source: Path) -> None:
    """Read one player and save it under its name."""
    sources: Sources[Learned] = import_module(f"connectlab.agents.{kind}.agent").SOURCES
    file = sources.find(source)
    learned = sources.open(str(file))
    if learned.geometry != STANDARD:
        raise SystemExit(f"{source} was trained on {learned.geometry}, not on {STANDARD}")
    target = sources.shipped_file(name)
    checkpoint = Checkpoint.load(file, kind)
    (visited_only(checkpoint) if kind == "qtable" else checkpoint).save(target)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


def visited_only(checkpoint: Checkpoint) -> Checkpoint:
    """Return a table without the states that were never visited."""
    from connectlab.agents.qtable.model import Model

    visited = checkpoint.arrays["visits"] > 0
    if (Model.from_checkpoint(checkpoint).changed & ~visited).any():
        raise SystemExit("a state that was never visited was learned: nothing is shipped")
    arrays = {name: array[visited] for name, array in checkpoint.arrays.items()}
    return Checkpoint(checkpoint.kind, checkpoint.header, arrays)


if __name__ == "__main__":
    main()

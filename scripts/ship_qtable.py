"""Put the table of a run into the package: ``ship_qtable.py RUN_FOLDER``.

States that were entered and never visited are left out. They hold what a new state would begin
with, so the table plays the same without them; all values stay as they are.
"""

import argparse
from pathlib import Path

from connectlab.agents.qtable.agent import SHIPPED_FILE
from connectlab.agents.qtable.model import KIND, Model
from connectlab.storage.checkpoint import Checkpoint

PACKAGE = Path(__file__).parents[1] / "src" / "connectlab" / "agents" / "qtable"


def main() -> None:
    """Copy the visited states of the latest checkpoint, once it has been read."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, metavar="RUN_FOLDER")
    checkpoint = Checkpoint.load(parser.parse_args().run / "latest.safetensors", KIND)
    model = Model.from_checkpoint(checkpoint)
    visited = checkpoint.arrays["visits"] > 0
    if (model.changed & ~visited).any():
        raise SystemExit("a state that was never visited was learned: nothing is shipped")
    arrays = {name: array[visited] for name, array in checkpoint.arrays.items()}
    target = PACKAGE / SHIPPED_FILE
    Checkpoint(KIND, checkpoint.header, arrays).save(target)
    print(f"{target.name}: {len(arrays['keys']):,} states, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

"""Put the best network of a run into the package: ``ship_champion.py RUN_FOLDER``."""

import argparse
import shutil
from pathlib import Path

from connectlab.agents.ntuple.agent import CHAMPION_FILE, load_network
from connectlab.storage.files import replacing

PACKAGE = Path(__file__).parents[1] / "src" / "connectlab" / "agents" / "ntuple"


def main() -> None:
    """Copy the checkpoint, once it has been read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, metavar="RUN_FOLDER")
    best = parser.parse_args().run / "best.safetensors"
    load_network(str(best))
    target = PACKAGE / CHAMPION_FILE
    with replacing(target) as beside:
        shutil.copyfile(best, beside)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

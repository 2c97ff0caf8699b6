"""Put trained networks into the package: ``ship_mlp.py 1=RUN_FOLDER 2=RUN_FOLDER … best=FILE``.

Of a run folder the latest network is taken, which is what the paper measures; ``best=`` takes the
one that its run's evaluations chose. A checkpoint file is taken as it is.
"""

import argparse
import shutil
from pathlib import Path

from connectlab.agents.mlp.agent import SHIPPED, load_network
from connectlab.game import STANDARD
from connectlab.storage.files import replacing

PACKAGE = Path(__file__).parents[1] / "src" / "connectlab" / "agents" / "mlp"


def main() -> None:
    """Copy each checkpoint, once it has been read."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("networks", nargs="+", metavar="NAME=RUN_FOLDER")
    given = [text.partition("=") for text in parser.parse_args().networks]
    for name, _, _ in given:
        if name not in SHIPPED:
            parser.error(f"{name!r} is none of {', '.join(SHIPPED)}")
    for name, _, path in given:
        ship(name, Path(path))


def ship(name: str, source: Path) -> None:
    """Copy one network under its name."""
    if source.is_dir():
        source /= "best.safetensors" if name == "best" else "latest.safetensors"
    network = load_network(str(source))
    if network.geometry != STANDARD:
        raise SystemExit(f"{source} was trained on {network.geometry}, not on {STANDARD}")
    target = PACKAGE / SHIPPED[name]
    with replacing(target) as beside:
        shutil.copyfile(source, beside)
    print(f"{target.name}: {network.hidden} hidden neurons, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

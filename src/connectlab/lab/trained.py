"""The trained players of a runs folder, as plain data; no kernel is needed to list them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from connectlab.agents.registry import config_class, trained_spec
from connectlab.agents.sources import RUN_FILES
from connectlab.agents.spec import validate
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.training.folder import RUN_FILE, RunRecord

DEEPEST = 2
"""Runs are folders of the runs folder, or of a sweep within it."""
MOST_RUNS = 1_000


@dataclass(frozen=True)
class Trained:
    """A player that came out of a run, or comes out while it goes on."""

    path: Path
    learner: str
    title: str
    """Name of the folder, learner and preset."""
    geometry: Geometry
    changed: float
    """When its player was last written, in seconds since 1970."""

    @property
    def spec(self) -> str:
        """The spec string of the player."""
        return trained_spec(self.learner, self.path)


def list_trained(runs: Path) -> list[Trained]:
    """Return the players of all runs in a folder, newest first; what is no run is passed over."""
    found = (read_trained(folder) for folder in _folders(runs, DEEPEST))
    known = [one for one in found if one is not None]
    return sorted(known, key=lambda one: (-one.changed, str(one.path)))[:MOST_RUNS]


def read_trained(folder: Path) -> Trained | None:
    """Return the player of a run; None if there is no run, or none that has a player yet."""
    try:
        file = next((folder / name for name in RUN_FILES if (folder / name).is_file()), None)
        if file is None:
            return None
        record = RunRecord.read(folder)
        config = validate(record.learner, config_class(record.learner), record.config)
        title = f"{folder.name} ({record.title})"
        return Trained(folder, record.learner, title, config.geometry, file.stat().st_mtime)
    except (UserError, OSError):
        return None


def _folders(folder: Path, deepest: int) -> Iterator[Path]:
    """Yield the run folders in a folder and below; a run holds no other runs."""
    try:
        inside = sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return
    for path in inside:
        if (path / RUN_FILE).is_file():
            yield path
        elif deepest > 1:
            yield from _folders(path, deepest - 1)

"""Where learned players come from: a name that comes along, a run folder, or a checkpoint file."""

import struct
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Generic, Protocol, TypeVar

from connectlab.agents.settings import AgentError, AgentSettings
from connectlab.game.geometry import Geometry
from connectlab.storage.checkpoint import Checkpoint, CheckpointError

RUN_FILES = ("best.safetensors", "latest.safetensors")
"""What is looked for in a run folder, the first that exists."""
DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
"""What reading a header that somebody made up may raise."""
KEPT = 8
"""Players that are kept in memory, those used last."""


class Learned(Protocol):
    """What a checkpoint is read into."""

    @property
    def geometry(self) -> Geometry:
        """The board it was trained on."""


LearnedT = TypeVar("LearnedT", bound=Learned)


class Sources(Generic[LearnedT]):
    """Finds and reads the checkpoints of one kind of player.

    As long as a file does not change, all players of a process share what was read from it.
    """

    def __init__(
        self,
        kind: str,
        read: Callable[[Checkpoint], LearnedT],
        settings: type[AgentSettings] = AgentSettings,
    ) -> None:
        self._kind = kind
        self._read = read
        self._settings = settings
        """They know what comes along."""
        self._loaded: OrderedDict[tuple[str, int, int], LearnedT] = OrderedDict()
        self._lock = Lock()

    def load(self, source: str, geometry: Geometry) -> LearnedT:
        """Read what a source names; refuse what is missing, damaged or of another board.

        What was trained without chance, or with other odds, may play with some: the board looks the
        same. What was trained on counts sees nothing else, so it plays only there.
        """
        learned = self.open(source)
        home = learned.geometry
        if home.plain != geometry.plain or home.variant.counts != geometry.variant.counts:
            raise AgentError(
                f"{self._kind}:{source} was trained on a {learned.geometry} board and cannot play "
                f"on {geometry}"
            )
        return learned

    def open(self, source: str) -> LearnedT:
        """Read what a source names, whatever its board."""
        if source in self._settings.shipped:
            file = self.shipped_file(source)
            if not file.is_file():
                raise AgentError(
                    f"this build of connectlab comes without {self._kind}:{source}: train one "
                    f"(connectlab train {self._kind}) and name its folder"
                )
            return self._load_file(file)
        return self._load_file(self.find(Path(source).expanduser()))

    def locate(self, source: str) -> Path:
        """Return the checkpoint file that a source names."""
        if source in self._settings.shipped:
            return self.shipped_file(source)
        return self.find(Path(source).expanduser())

    def shipped_file(self, name: str) -> Path:
        """Return where a player that comes along lies in this installation."""
        return self._settings.shipped_file(name)

    def find(self, path: Path) -> Path:
        """Return the checkpoint file for a path that a user gave."""
        if path.is_file():
            return path
        if not path.is_dir():
            names = "".join(f", or {name}" for name in self._settings.shipped)
            raise AgentError(
                f"there is no {self._kind} player {path}: name a run folder or a checkpoint "
                f"file{names}"
            )
        for name in RUN_FILES:
            if (path / name).is_file():
                return path / name
        raise AgentError(f"the folder {path} holds no trained player ({' or '.join(RUN_FILES)})")

    def _load_file(self, path: Path) -> LearnedT:
        status = path.stat()
        version = (str(path.resolve()), status.st_mtime_ns, status.st_size)
        with self._lock:
            if version in self._loaded:
                self._loaded.move_to_end(version)
                return self._loaded[version]
        learned = self._parse(path)
        with self._lock:
            self._loaded[version] = learned
            while len(self._loaded) > KEPT:
                self._loaded.popitem(last=False)
        return learned

    def _parse(self, path: Path) -> LearnedT:
        checkpoint = Checkpoint.load(path, self._kind)
        try:
            return self._read(checkpoint)
        except (AgentError, CheckpointError) as error:
            raise AgentError(f"{path}: {error}") from None
        except DAMAGE:
            raise AgentError(
                f"{path} is damaged: it does not describe a player of kind {self._kind}"
            ) from None

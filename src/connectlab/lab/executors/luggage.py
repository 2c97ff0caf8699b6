"""Files that tasks read: those below the working folder travel, others must be there already."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from connectlab.agents.external.config import ExternalSettings
from connectlab.agents.opponents import SEPARATOR
from connectlab.agents.registry import settings_class
from connectlab.agents.sources import RUN_FILES
from connectlab.agents.spec import Spec
from connectlab.errors import UserError
from connectlab.lab.executors.base import ExecutorError
from connectlab.settings import NamedSettings


@dataclass(frozen=True)
class Luggage:
    """One file, with its content unless it is expected to be there."""

    path: str
    digest: str
    content: bytes | None

    @classmethod
    def pack(cls, path: Path) -> "Luggage":
        """Read a file; one whose path leads out of the working folder is only named."""
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        travels = not path.is_absolute() and ".." not in path.parts
        return cls(str(path), digest, content if travels else None)

    def unpack(self) -> None:
        """Put the file into the working folder, or see that the same one is there."""
        path = Path(self.path)
        if self.content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.content)
        elif not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != self.digest:
            raise ExecutorError(
                f"a node of the cluster does not have the same {path}: name it by a path below "
                "the working folder, and it travels"
            )


def files_of(settings: NamedSettings) -> tuple[Path, ...]:
    """Return the files that settings of a player, a learner or a measure name.

    Every text that leads to a file counts, also within the specs of other players; of a run folder
    it is the checkpoint. An external program cannot travel and is refused.
    """
    if isinstance(settings, ExternalSettings):
        raise ExecutorError(
            f"the program {settings.command!r} cannot travel to a cluster: use --executor local"
        )
    texts = [value for value in settings.model_dump().values() if isinstance(value, str)]
    return tuple(dict.fromkeys(file for text in texts for file in _files_named(text)))


def files_of_player(text: str) -> tuple[Path, ...]:
    """Return the files that the spec of a player names."""
    spec = Spec.parse(text)
    return files_of(spec.validate(settings_class(spec.name)))


def files_of_all(settings: Iterable[NamedSettings]) -> tuple[Path, ...]:
    """Return the files that any of these settings name, each once."""
    return tuple(dict.fromkeys(file for each in settings for file in files_of(each)))


def _files_named(text: str) -> Iterator[Path]:
    path = Path(text)
    if text and path.is_file():
        yield path
    elif text and path.is_dir():
        yield from [path / name for name in RUN_FILES if (path / name).is_file()][:1]
    for part in text.split(SEPARATOR):
        yield from _files_of_spec(part)


def _files_of_spec(text: str) -> tuple[Path, ...]:
    """Return the files of a text that may be a player's spec; of any other text, none."""
    try:
        spec = Spec.parse(text)
        settings = spec.validate(settings_class(spec.name))
    except UserError:
        return ()
    return files_of(settings)

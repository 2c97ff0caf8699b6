"""Where the file of a Kaggle agent lies: given as it is, in a folder, or inside an archive.

An archive is somebody else's file. Only plain files and folders are taken from it, only to places
inside a new temporary folder, and only up to a size.
"""

import gzip
import io
import shutil
import tarfile
import tempfile
import warnings
import weakref
import zlib
from pathlib import Path, PurePosixPath

from connectlab.agents.kaggle.config import KaggleSettings
from connectlab.agents.settings import AgentError

MAIN = "main.py"
"""What Kaggle looks for in a submission."""
ARCHIVES = (".tar.gz", ".tgz", ".tar")
MOST_BYTES = 1 << 30
"""Of an archive when it is unpacked; Kaggle takes submissions of some hundred megabytes."""
MOST_ENTRIES = 10_000
LARGEST_FILE = 256 << 20
"""Of the source itself; some carry their weights in it."""
DAMAGE = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError)


class Submission:
    """The file of an agent, checked as far as that goes without running it.

    A temporary folder, where there is one, goes away with this object.
    """

    def __init__(self, settings: KaggleSettings) -> None:
        source = Path(settings.source).expanduser()
        self.file = self._find(source).resolve()
        folder = Path(settings.folder).expanduser() if settings.folder else self.file.parent
        if not folder.is_dir():
            raise AgentError(f"kaggle: there is no folder {folder}")
        self.folder = folder.resolve()
        _check_source(self.file, settings.source)

    def _find(self, source: Path) -> Path:
        if source.is_dir():
            return _main_of(source, source)
        if not source.is_file():
            raise AgentError(
                f"kaggle: there is no file {source}: name the agent's main.py, or its archive"
            )
        if not source.name.endswith(ARCHIVES):
            return source
        folder = Path(tempfile.mkdtemp(prefix="connectlab-kaggle-"))
        clean_up = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        try:
            unpack(source, folder)
            return _main_of(folder, source)
        except BaseException:
            clean_up()
            raise


def _main_of(folder: Path, source: Path) -> Path:
    if not (folder / MAIN).is_file():
        raise AgentError(f"kaggle: {source} holds no {MAIN} at its top")
    return folder / MAIN


def _check_source(file: Path, source: str) -> None:
    """Raise ``AgentError`` in one line if the file is no Python."""
    if file.stat().st_size > LARGEST_FILE:
        raise AgentError(f"kaggle: {source} is too large: at most {LARGEST_FILE >> 20} MB")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(file.read_text(encoding="utf-8"), str(file), "exec")
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        raise AgentError(f"kaggle: {source} is no Python{where}: {error.msg}") from None
    except (OSError, ValueError, MemoryError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise AgentError(f"kaggle: {source} cannot be read: {reason}") from None


class _Limited(io.RawIOBase):
    """The bytes of an archive, up to a limit: a small file can hold very many."""

    def __init__(self, file: io.BufferedReader | gzip.GzipFile, left: int) -> None:
        self._file = file
        self._left = left

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; a size must be given."""
        data = self._file.read(min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise AgentError(f"is too large: at most {MOST_BYTES >> 20} MB when unpacked")
        return data


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a submission into an empty folder; refuse whatever is not a file or folder inside."""
    plain = archive.name.endswith(".tar")
    try:
        with archive.open("rb") if plain else gzip.open(archive, "rb") as packed:
            limited = _Limited(packed, MOST_BYTES)
            with tarfile.open(fileobj=limited, mode="r|") as entries:
                for number, entry in enumerate(entries):
                    if number >= MOST_ENTRIES:
                        raise AgentError(f"holds more than {MOST_ENTRIES:,} files")
                    _unpack_entry(entries, entry, folder)
    except AgentError as error:
        raise AgentError(f"kaggle: {archive} {error}") from None
    except DAMAGE as error:
        raise AgentError(f"kaggle: {archive} cannot be unpacked: {error}") from None


def _unpack_entry(entries: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path) -> None:
    place = PurePosixPath(entry.name)
    if place.is_absolute() or ".." in place.parts or "\\" in entry.name or "\0" in entry.name:
        raise AgentError(f"would write outside its folder: {entry.name!r}")
    target = folder / place
    if entry.isdir():
        target.mkdir(parents=True, exist_ok=True)
    elif entry.isfile() and not entry.issparse():
        target.parent.mkdir(parents=True, exist_ok=True)
        data = entries.extractfile(entry)
        assert data is not None, "a plain file has data"
        with target.open("xb") as file:
            shutil.copyfileobj(data, file)
    else:
        raise AgentError(f"holds {entry.name!r}, which is neither a file nor a folder")

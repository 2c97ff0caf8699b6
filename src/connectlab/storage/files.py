"""Writing files so that a crash never leaves half of one.

A regular file is written beside its place and renamed into it. What is no regular file (a device, a
pipe, a FIFO) cannot be replaced: it gets the bytes. A link is followed, and stays a link.
"""

import errno
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.errors import UserError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STREAM_FOLDERS = ("/dev/fd/", "/proc/")
_STREAM_LINKS = ("/dev/stdin", "/dev/stdout", "/dev/stderr")
"""What is found here belongs to the system, even where it leads to a regular file."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write; on success its content is flushed and takes its place.

    If the body fails, the old file stays as it was and the temporary one is removed. An
    ``OSError`` speaks of ``path``, not of the temporary file.
    """
    if is_stream(path):
        with _spooled(path) as beside:
            yield beside
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = _beside(target)
    try:
        with _errors_about(path, beside):
            _create(beside)
            rights = stat.S_IMODE((target if target.exists() else beside).stat().st_mode)
            yield beside
            _flush(beside)
            beside.chmod(rights)  # the body may have put another file in its place
            beside.replace(target)
        _flush_folder(target.parent)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, or leave the old one."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def check_writable(path: Path) -> None:
    """Raise ``UserError`` if a file could not be written later: to be asked before long work."""
    try:
        _try_to_write(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"{path} cannot be written: {reason}") from None


def _try_to_write(path: Path) -> None:
    if path.is_dir():
        raise UserError(f"{path} is a folder: name a file")
    if is_stream(path):
        return
    target = Path(os.path.realpath(path))
    folder = target.parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UserError(f"{path} cannot be written: {folder} is no folder that takes new files")
    if target.parent == folder:
        beside = _beside(target)
        with _errors_about(path, beside):
            _create(beside)
            beside.unlink()


def is_stream(path: Path) -> bool:
    """Whether a path leads to something that is written to and not replaced."""
    name = str(path.absolute())
    if name.startswith(_STREAM_FOLDERS) or name in _STREAM_LINKS:
        return True
    try:
        return not stat.S_ISREG(path.stat().st_mode) and not path.is_dir()
    except (FileNotFoundError, NotADirectoryError):
        return False


@contextmanager
def _spooled(path: Path) -> Iterator[Path]:
    """Yield a temporary file; on success, copy its bytes into ``path``."""
    with tempfile.TemporaryDirectory(prefix="connectlab-") as folder:
        beside = Path(folder) / (path.name or "spooled")
        beside.touch()
        with _errors_about(path, beside):
            yield beside
            with beside.open("rb") as source, path.open("wb") as sink:
                shutil.copyfileobj(source, sink)


@contextmanager
def _errors_about(path: Path, beside: Path) -> Iterator[None]:
    """Let an error of the temporary file, or of a write that names none, speak of ``path``."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(beside)):
            raise
        # A reader of a FIFO who left is no reader of standard output, which a broken pipe means.
        number = errno.EIO if error.errno == errno.EPIPE else error.errno
        raise OSError(number, error.strerror or str(error), str(path)) from error


def _beside(target: Path) -> Path:
    """Return a name in the folder of ``target`` that nobody else has."""
    return target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}{target.suffix}")


def _create(path: Path) -> None:
    """Create an empty file, with the rights that a new file gets in its folder."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Make a renaming last; not every system can do that for a folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def save_png(figure: "Figure", path: Path, *, dpi: int = 150) -> None:
    """Write a figure as a PNG file, whole or not at all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with replacing(path) as beside:
        FigureCanvasAgg(figure).print_figure(beside, format="png", dpi=dpi)

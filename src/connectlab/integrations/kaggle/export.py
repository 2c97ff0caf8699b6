"""Writing a player as a submission to Kaggle's ConnectX."""

from pathlib import Path

from connectlab.agents.registry import home_board, make_agent
from connectlab.game.geometry import STANDARD, Geometry
from connectlab.integrations.kaggle.players import ExportError, check_exportable, make_submission
from connectlab.integrations.kaggle.submission import MAIN_FILE, Submission
from connectlab.storage.files import check_writable, is_stream, replacing

ARCHIVE_FILE = "submission.tar.gz"
ARCHIVE_ENDING = ".tar.gz"
FILE_ENDING = ".py"


def export(
    spec: str,
    path: Path | str | None = None,
    *,
    geometry: Geometry | None = None,
    force: bool = False,
) -> Path:
    """Write the player a spec string names for Kaggle; return where it lies.

    A path that ends in .py gets one file, one that ends in .tar.gz an archive. Without a path it is
    ``main.py``, or ``submission.tar.gz`` where the weights are too large for one file. An existing
    file is replaced only with ``force``. Without a board it is that of the player, or 7x6.
    """
    check_exportable(spec)
    board = geometry or home_board(spec) or STANDARD
    chosen = None if path is None else check_path(Path(path), force=force)
    submission = make_submission(make_agent(spec, board))
    if chosen is None:
        default = Path(MAIN_FILE if submission.is_one_file else ARCHIVE_FILE)
        chosen = check_path(default, force=force)
    content = _content(submission, spec, chosen)
    with replacing(chosen) as beside:
        beside.write_bytes(content)
    return chosen


def check_path(path: Path, *, force: bool) -> Path:
    """Refuse a path of another ending, one that cannot be written, or one that is taken."""
    if not path.name.endswith((FILE_ENDING, ARCHIVE_ENDING)) and not is_stream(path):
        raise ExportError(f"{path} must end in .py (one file) or .tar.gz (an archive)")
    check_writable(path)
    if path.exists() and not force and not is_stream(path):
        raise ExportError(f"{path} is there already: take another name, or force to replace it")
    return path


def _content(submission: Submission, spec: str, path: Path) -> bytes:
    """Return what goes into a file, an archive if its name says so."""
    if path.name.endswith(ARCHIVE_ENDING):
        return submission.tarball
    if not submission.is_one_file:
        size = sum(array.nbytes for array in submission.arrays.values()) / 1e6
        raise ExportError(
            f"{spec} has {size:.1f} MB of weights, too many for one file: "
            f"name an archive, as in -o {ARCHIVE_FILE}"
        )
    return submission.files[MAIN_FILE]

"""What a disk refuses, told in a sentence: it is full, may not be written to, or is not well."""

import errno
from pathlib import Path

FULL, FORBIDDEN, UNWELL = 507, 403, 503
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NO_RIGHTS = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def disk_refusal(error: OSError) -> tuple[int, str] | None:
    """Return the status of HTTP and a sentence; None for what has nothing to do with a disk.

    Folders of this machine are no business of a visitor: only the name of a file is told.
    """
    if error.errno in NO_SPACE:
        return FULL, "the disk of the server is full: this could not be saved"
    if error.errno is None or not isinstance(error.filename, str):
        return None
    name, reason = Path(error.filename).name, (error.strerror or str(error)).lower()
    if error.errno in NO_RIGHTS:
        return FORBIDDEN, f"the server may not change {name} on its disk: {reason}"
    return UNWELL, f"the server cannot use {name} on its disk: {reason}"

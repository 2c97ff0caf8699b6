"""Devices for tests that write to one."""

import os
import stat
import sys
from pathlib import Path

import pytest

NUMBERS = {"null": (1, 3), "full": (1, 7)}
"""Major and minor numbers on Linux."""


def make_device(folder: Path, name: str) -> Path:
    """Return a device that swallows everything ("null") or takes nothing ("full").

    Root gets a node of its own, since a fault under test could replace that of the machine by a
    file; nobody else may do that.
    """
    if os.geteuid() != 0:
        return _usable(Path("/dev") / name)
    path = folder / name
    if sys.platform != "linux":
        pytest.skip("device numbers are known for Linux alone")
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(*NUMBERS[name]))
    except OSError:
        pytest.skip("no device may be made here")
    return _usable(path)


def _usable(path: Path) -> Path:
    try:
        path.open("wb").close()
    except OSError:
        pytest.skip(f"there is no device {path}")
    if not path.is_char_device():
        pytest.skip(f"{path} is no device")
    return path

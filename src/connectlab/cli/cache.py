"""``connectlab cache``: the folder of compiled kernels."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Json

if TYPE_CHECKING:
    from connectlab._cache import KernelSet

SHORT = "Show or clear the folder of compiled kernels."
EPILOG = "Examples: connectlab cache, connectlab cache --clear"

MEGABYTE = 2**20


def command(
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove all of them; the next start compiles again.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the folder where compiled kernels are kept, and how much is in it.

    Each source file with kernels has a set of them. Sets of other versions are removed by
    themselves once they were not used for a month. CONNECTLAB_CACHE_DIR names another folder.
    """
    from connectlab import _cache

    removed = _cache.clear() if clear else 0
    sets = _cache.kernel_sets()
    if json:
        console.print_json(_document(_cache.folder(), sets, removed))
    else:
        _print_summary(_cache.folder(), sets)
        if clear:
            console.output().print(f"{console.count(removed, 'set')} removed")


def _document(folder: Path, sets: list["KernelSet"], removed: int) -> dict[str, object]:
    return {
        "folder": str(folder),
        "bytes": sum(one.size for one in sets),
        "sets_in_use": sum(one.current for one in sets),
        "removed": removed,
        "kernel_sets": [
            {
                "name": one.path.name,
                "bytes": one.size,
                "in_use": one.current,
                "idle_days": round(one.idle_days, 2),
            }
            for one in sets
        ],
    }


def _print_summary(folder: Path, sets: list["KernelSet"]) -> None:
    used = [one for one in sets if one.current]
    others = [one for one in sets if not one.current]
    out = console.output()
    out.print(str(folder))
    out.print(f"{_amount(sets)} of compiled kernels")
    out.print(f"  in use by this version: {_amount(used)}")
    out.print(f"  of other versions:      {_amount(others)}")


def _amount(sets: list["KernelSet"]) -> str:
    size = sum(one.size for one in sets) / MEGABYTE
    return f"{console.count(len(sets), 'set')}, {size:.1f} MB"

"""Which runs belong together: those that differ in their seeds alone, and repeats of a plan."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant
from connectlab.lab.plans import PLAN_FILE, Plan
from connectlab.training.folder import RUN_FILE, RunRecord
from connectlab.training.measurement import whole
from connectlab.training.metrics import RunError

BOARD_KEYS = ("columns", "rows", "connect")
LONGEST_NAME = 60
"""Characters of a name made of settings; what needs more is named after its first run."""


def find_groups(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the runs of each group by its name.

    A path is a run, a folder of runs, or a folder with a plan. A group is named after what sets
    it apart, and after its folder where it is the only one.
    """
    single: list[Path] = []
    plans: list[Path] = []
    for path in paths:
        if (path / RUN_FILE).is_file():
            single.append(path)
        elif (path / PLAN_FILE).is_file():
            plans.append(path)
        elif runs := sorted(file.parent for file in path.glob(f"*/{RUN_FILE}")):
            single += runs
        else:
            raise RunError(f"{path} holds no run, and no folder with one")
    only = str(paths[0]) if len(paths) == 1 else None
    plans = _each_once(plans)
    inside = {path.resolve() for folder in plans for path in folder.iterdir()}
    groups = _alike([path for path in _each_once(single) if path.resolve() not in inside], only)
    for folder in plans:
        groups |= _planned(folder, alone=only is not None)
    return groups


def _each_once(paths: Sequence[Path]) -> list[Path]:
    """Leave out folders that were named before, however they were written."""
    return list({path.resolve(): path for path in reversed(paths)}.values())[::-1]


def board_of(path: Path, record: RunRecord) -> str:
    """Return the board of the run in a folder, such as ``7x6 connect-4``."""
    try:
        columns, rows, connect = (whole(record.config[key]) for key in BOARD_KEYS)
        variant = Variant.parse(str(record.config.get("variant", "")))
        return str(Geometry(columns, rows, connect, variant))
    except (KeyError, ValueError):
        raise RunError(f"{path / RUN_FILE} is damaged: it names no board") from None


def _alike(paths: Sequence[Path], folder: str | None) -> dict[str, list[Path]]:
    """Group runs that differ in their seeds alone; ``folder`` names them if all do."""
    groups: dict[str, list[Path]] = {}
    traits: dict[str, dict[str, str]] = {}
    for path in paths:
        found = _traits(path, RunRecord.read(path))
        text = json.dumps(found, sort_keys=True)
        groups.setdefault(text, []).append(path)
        traits[text] = found
    if len(groups) == 1:
        return {folder or str(found[0]): found for found in groups.values()}
    names = _names_apart(list(traits.values()))
    return {
        name if len(name) <= LONGEST_NAME else str(found[0]): found
        for name, found in zip(names, groups.values(), strict=True)
    }


def _traits(path: Path, record: RunRecord) -> dict[str, str]:
    """Return all that decides how a run goes but its seeds, as text by name."""
    settings = {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in record.config.items()
        if not key.endswith("seed") and key not in BOARD_KEYS
    }
    return {"learner": record.learner, "board": board_of(path, record), **settings}


def _names_apart(traits: Sequence[Mapping[str, str]]) -> list[str]:
    """Say of each group, in the settings that not all of them share, what it is."""
    keys = dict.fromkeys(key for each in traits for key in each)
    apart = [key for key in keys if len({each.get(key) for each in traits}) > 1]
    return [
        " ".join(
            each[key] if key in ("learner", "board") else f"{key}={each[key]}"
            for key in apart
            if key in each
        )
        for each in traits
    ]


def _planned(folder: Path, *, alone: bool) -> dict[str, list[Path]]:
    """Return the groups of a plan; beside other runs their names tell the folder too."""
    groups: dict[str, list[Path]] = {}
    for variant in Plan.read(folder).variants():
        if (folder / variant.name / RUN_FILE).is_file():
            words = [f"{key}={value}" for key, value in variant.group.items()]
            name = " ".join(words if words and alone else [str(folder), *words])
            groups.setdefault(name, []).append(folder / variant.name)
    if not groups:
        raise RunError(f"{folder} holds a plan, but no run was begun")
    return groups

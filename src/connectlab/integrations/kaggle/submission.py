"""From the modules of the runtime to a file or an archive that Kaggle takes.

The same submission always gives the same bytes.
"""

import ast
import base64
import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

RUNTIME = "connectlab.integrations.kaggle.runtime"
ALWAYS = ("play",)
"""Modules that every player needs."""
MAIN_FILE = "main.py"
WEIGHTS_FILE = "weights.npz"
EMBEDDED_MOST = 900_000
"""Characters of weights that may stand in ``main.py``; more go into a file beside it."""
PACKED_MOST = 10 * EMBEDDED_MOST
"""Bytes of arrays that are tried: larger ones pack into no file."""
PACKING = 6
"""Level of compression: 9 takes ten times as long and saves a fiftieth."""
LINE = 96
"""Characters of embedded weights in a line."""

_NOQA = re.compile(r"  # (noqa|type: ignore).*")


@dataclass(frozen=True, eq=False)
class Submission:
    """A player as Kaggle takes it: code, the expression that makes the player, and its numbers."""

    title: str
    """A line that says what it is."""
    facts: Mapping[str, str]
    """More of it, for the head of the file."""
    modules: tuple[str, ...]
    """Modules of the runtime that the expression needs; those they import come along."""
    player: str
    """The Python expression that makes the player; ``WEIGHTS`` are its arrays."""
    arrays: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)

    @cached_property
    def embedded(self) -> str | None:
        """The arrays as text in ``main.py``; None if there are none or they are too large."""
        if not self.arrays or sum(a.nbytes for a in self.arrays.values()) > PACKED_MOST:
            return None
        text = base64.b85encode(zlib.compress(self._archive, 9)).decode("ascii")
        return text if len(text) <= EMBEDDED_MOST else None

    @property
    def is_one_file(self) -> bool:
        """Whether ``main.py`` holds everything."""
        return not self.arrays or self.embedded is not None

    @cached_property
    def files(self) -> dict[str, bytes]:
        """All files of the submission by name, ``main.py`` first."""
        found = {MAIN_FILE: self.main.encode("utf-8")}
        return found if self.is_one_file else {**found, WEIGHTS_FILE: self._archive}

    @cached_property
    def tarball(self) -> bytes:
        """All files as a ``submission.tar.gz``."""
        packed = io.BytesIO()
        with (
            gzip.GzipFile(
                fileobj=packed, mode="wb", filename="", mtime=0, compresslevel=PACKING
            ) as zipped,
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive,
        ):
            for name, content in self.files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
        return packed.getvalue()

    @property
    def main(self) -> str:
        """The text of ``main.py``."""
        modules = [Module(name) for name in in_order((*ALWAYS, *self.modules, *self._reader))]
        parts = [self._head, merged_imports(modules)]
        parts += [module.section for module in modules]
        return "\n\n".join([*parts, self._end])

    @property
    def _reader(self) -> tuple[str, ...]:
        return ("weights",) if self.arrays else ()

    @cached_property
    def _archive(self) -> bytes:
        """The arrays as a NumPy archive."""
        packed = io.BytesIO()
        np.savez(packed, allow_pickle=False, **dict(self.arrays))
        return packed.getvalue()

    @property
    def _head(self) -> str:
        said = [self.title, *(f"{key}: {value}" for key, value in self.facts.items())]
        return "\n".join(f"# {' '.join(line.split())}" for line in said)

    @property
    def _end(self) -> str:
        """The lines that make the player and, last of all that can be called, the agent."""
        lines = ["# " + " the player ".center(LINE, "-"), ""]
        if self.embedded is not None:
            cut = range(0, len(self.embedded), LINE)
            rows = "\n".join(self.embedded[at : at + LINE] for at in cut)
            lines += [f'WEIGHTS = unpack("""\n{rows}\n""")', ""]
        elif self.arrays:
            lines += [f"WEIGHTS = read_beside({WEIGHTS_FILE!r})", ""]
        return "\n".join([*lines, f"PLAYER = {self.player}", *AGENT])


AGENT = (
    "",
    "",
    "def agent(observation: Any, configuration: Any) -> int:",
    '    """Answer Kaggle. It takes the last thing here that can be called: add nothing below."""',
    "    return answer(PLAYER, observation, configuration)",
    "",
)


class Module:
    """A module of the runtime, taken apart."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.source = files(RUNTIME).joinpath(f"{name}.py").read_text(encoding="utf-8")
        self._tree = ast.parse(self.source)

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Every import; all stand above the rest of the module."""
        return [node for node in self._tree.body if isinstance(node, ast.Import | ast.ImportFrom)]

    @property
    def needs(self) -> list[str]:
        """The modules of the runtime that it imports."""
        named = [node.module or "" for node in self.imports if isinstance(node, ast.ImportFrom)]
        return [name[len(RUNTIME) + 1 :] for name in named if name.startswith(f"{RUNTIME}.")]

    @property
    def foreign(self) -> Iterator[tuple[str, str | None]]:
        """The imports of other packages: ("x as y", None), or a module and one of its names."""
        for node in self.imports:
            if isinstance(node, ast.Import):
                yield from ((ast.unparse(alias), None) for alias in node.names)
            elif not (node.module or "").startswith(RUNTIME):
                yield from ((node.module or "", ast.unparse(alias)) for alias in node.names)

    @property
    def names(self) -> list[str]:
        """What it defines at its top level."""
        defined: list[str] = []
        for node in self._tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined.append(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                stored = (part for target in targets for part in ast.walk(target))
                defined += [part.id for part in stored if isinstance(part, ast.Name)]
        return defined

    @property
    def section(self) -> str:
        """The module under a heading: its docstring as comments, and all below the imports."""
        said = ast.get_docstring(self._tree) or ""
        heading = "# " + f" {self.name} ".center(LINE, "-")
        comment = "\n".join(f"# {line}".rstrip() for line in said.splitlines())
        last = max(node.end_lineno or 0 for node in [self._tree.body[0], *self.imports])
        body = "\n".join(self.source.splitlines()[last:]).strip("\n")
        return f"{heading}\n#\n{comment}\n\n{_without_notes(body)}"


def _without_notes(text: str) -> str:
    """Take out what is meant for our own linters."""
    return "\n".join(_NOQA.sub("", line) for line in text.splitlines())


def in_order(names: tuple[str, ...]) -> list[str]:
    """Return modules with all they need, each after those that it needs."""
    ordered: list[str] = []
    for name in names:
        for found in (*in_order(tuple(Module(name).needs)), name):
            if found not in ordered:
                ordered.append(found)
    return ordered


def merged_imports(modules: list[Module]) -> str:
    """Return one block of imports for all modules."""
    plain: set[str] = set()
    named: dict[str, set[str]] = {}
    for module, name in (found for each in modules for found in each.foreign):
        if name is None:
            plain.add(module)
        else:
            named.setdefault(module, set()).add(name)
    lines = [f"import {module}" for module in sorted(plain)]
    lines += [
        f"from {module} import {', '.join(sorted(named[module]))}" for module in sorted(named)
    ]
    return "\n".join(lines)

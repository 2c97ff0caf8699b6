"""The one place that configures Numba.

Every compiled function of the package is declared with :func:`kernel`. It releases the GIL, divides
like NumPy, and keeps its machine code in a cache directory whose name holds a hash of its source
file and of all files that one can import: Numba itself does not notice a change in a callee or in a
constant of another file.

``CONNECTLAB_CACHE_DIR`` moves the cache; ``NUMBA_DISABLE_JIT=1`` runs the kernels as plain Python.
"""

import atexit
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

Word: TypeAlias = Any
"""64 bits: a uint64 inside a kernel, an int when plain Python hands them in or gets them back."""

Real: TypeAlias = Any
"""A number with a fraction: a float32 or float64 inside a kernel, a float outside."""

config: Any = numba.config
JIT_ENABLED = not config.DISABLE_JIT


def kernel(
    *signatures: Any, fastmath: bool | set[str] = False, inline: bool = False
) -> Callable[[Function], Function]:
    """Compile a function with the project's settings; with signatures, at once and only for them.

    ``inline`` pastes the function into its callers before type inference: for tiny helpers in
    the hottest loops only, since each call is compiled again.
    """

    def compile_function(function: Function) -> Function:
        if not JIT_ENABLED:
            return np.errstate(over="ignore")(function)  # as machine words wrap round, silently
        dispatcher: Any = numba.njit(
            nogil=True,
            error_model="numpy",
            fastmath=fastmath,
            inline="always" if inline else "never",
        )(function)
        _keep_machine_code(dispatcher)
        with register_dispatcher(dispatcher):  # so that a kernel may call itself
            for signature in signatures:
                dispatcher.compile(signature)
        if signatures:
            dispatcher.disable_compile()
        compiled: Function = dispatcher
        return compiled

    return compile_function


def _keep_machine_code(dispatcher: Any) -> None:
    """Give one function our cache directory without moving that of other Numba users."""
    others = config.CACHE_DIR
    config.CACHE_DIR = str(cache_directory(Path(dispatcher.py_func.__code__.co_filename)))
    try:
        dispatcher.enable_caching()
    except RuntimeError:
        pass  # typed at a prompt: there is no file to watch, so nothing can be kept
    finally:
        config.CACHE_DIR = others


@cache
def cache_directory(source: Path) -> Path:
    """Return an existing, writable directory for the machine code of the kernels in a file."""
    for root in _cache_roots():
        directory = root / f"kernels-{_source_hash(source)}"
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(directory, os.W_OK):
            return directory
    return _passing_directory()


@cache
def _passing_directory() -> Path:
    """Return a directory that is removed when the program ends."""
    directory = Path(tempfile.mkdtemp(prefix="connectlab-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


def _cache_roots() -> list[Path]:
    chosen = os.environ.get("CONNECTLAB_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    user = os.environ.get("XDG_CACHE_HOME")
    home = Path(user) if user else Path("~/.cache").expanduser()
    return [home / "connectlab"]


def _source_hash(source: Path) -> str:
    """Hash a file and every module of the package that it reaches through imports."""
    package = Path(__file__).parent
    pending = [source]
    wanted = set(pending)
    while pending:
        named = _modules_named(pending.pop(), package) - wanted
        wanted |= named
        pending.extend(named)
    digest = hashlib.sha256()
    for path in sorted(wanted):
        digest.update(path.as_posix().encode() + b"\0" + _read(path))
    return digest.hexdigest()[:16]


@cache
def _modules_named(source: Path, package: Path) -> frozenset[Path]:
    """Return the files a source can import by name; for a sub-package, all of its modules."""
    files: set[Path] = set()
    for name in set(re.findall(rb"connectlab\.([\w.]*\w)", _read(source))):
        path = package.joinpath(*name.decode().split("."))
        files |= {path.with_suffix(".py"), *path.glob("*.py")}
    return frozenset(path for path in files if path.is_file())


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


@intrinsic
def _population(_typing_context: Any, bits: Any) -> Any:
    """Count set bits with LLVM's ctpop, one machine instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


if JIT_ENABLED:

    @kernel("int64(uint64)")
    def popcount(bits: Word) -> int:
        """Count the set bits of a uint64."""
        return _population(bits)  # type: ignore[call-arg]

else:

    def popcount(bits: Word) -> int:
        """Count the set bits of a uint64."""
        return int(bits).bit_count()

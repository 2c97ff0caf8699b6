"""The one place that configures Numba.

Every compiled function of the package is declared with :func:`kernel`. It releases the GIL, divides
like NumPy, and keeps its machine code in a cache directory whose name holds a hash of all kernel
sources: Numba itself does not notice a change in a callee or in a constant of another file.

``CONNECTLAB_CACHE_DIR`` moves the cache; ``NUMBA_DISABLE_JIT=1`` runs the kernels as plain Python.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
from numba import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

Word: TypeAlias = Any
"""64 bits: a uint64 inside a kernel, an int when plain Python hands them in or gets them back."""

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
            return function
        dispatcher: Any = numba.njit(
            nogil=True,
            error_model="numpy",
            fastmath=fastmath,
            inline="always" if inline else "never",
        )(function)
        _keep_machine_code(dispatcher)
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
    config.CACHE_DIR = str(cache_directory())
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = others


@cache
def cache_directory() -> Path:
    """Return the existing, writable directory that holds the machine code of these sources."""
    for root in _cache_roots():
        directory = root / f"kernels-{_source_hash()}"
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(directory, os.W_OK):
            return directory
    return Path(tempfile.mkdtemp(prefix="connectlab-"))


def _cache_roots() -> list[Path]:
    chosen = os.environ.get("CONNECTLAB_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    user = os.environ.get("XDG_CACHE_HOME")
    home = Path(user) if user else Path("~/.cache").expanduser()
    return [home / "connectlab"]


def _source_hash() -> str:
    """Hash every source file of the package that can hold a kernel or a constant one uses."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if b"_jit" in source:
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + source)
    return digest.hexdigest()[:16]


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

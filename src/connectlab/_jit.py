"""The one place that configures Numba.

Every compiled function of the package is declared with :func:`kernel`. It releases the GIL, divides
like NumPy, and keeps its machine code in a folder of ours (:mod:`connectlab._cache`).

A kernel with signatures whose machine code is kept is not even loaded before somebody needs it:
most programs call a few kernels, and those have what they call compiled in. One that is not kept is
compiled where it is declared, so a mistake in a kernel is found by the import, as ever.

``CONNECTLAB_CACHE_DIR`` moves the folder; ``NUMBA_DISABLE_JIT=1`` runs the kernels as plain Python.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

from connectlab import _cache
from connectlab._machine_code import MachineCode

Function = TypeVar("Function", bound=Callable[..., Any])

Word: TypeAlias = Any
"""64 bits: a uint64 inside a kernel, an int when plain Python hands them in or gets them back."""

Real: TypeAlias = Any
"""A number with a fraction: a float32 or float64 inside a kernel, a float outside."""

NumbaType: TypeAlias = Any
"""A type of Numba's, for the signatures of kernels."""

config: Any = numba.config
JIT_ENABLED = not config.DISABLE_JIT


def record_type(fields: Sequence[NumbaType], record: type[tuple[object, ...]]) -> NumbaType:
    """Return Numba's type of a named tuple whose fields have these types."""
    if len(set(fields)) == 1:  # Numba has another type for those, and finds it when it is called
        return types.NamedUniTuple(fields[0], len(fields), record)  # type: ignore[no-untyped-call]
    return types.NamedTuple(tuple(fields), record)  # type: ignore[no-untyped-call]


def tuple_type(*entries: NumbaType) -> NumbaType:
    """Return Numba's type of a tuple whose entries have these types."""
    return types.Tuple(entries)  # type: ignore[no-untyped-call]


def kernel(
    *signatures: NumbaType,
    fastmath: bool | set[str] = False,
    inline: bool = False,
    borrows: bool = False,
) -> Callable[[Function], Function]:
    """Compile a function with the project's settings; with signatures, only for them.

    ``inline`` pastes the function into its callers before type inference: for tiny helpers in
    the hottest loops only, since each call is compiled again. ``borrows`` counts no references to
    arrays: for hot kernels that take records of arrays and make no array themselves.
    """

    unlisted: Any = {"_nrt": False} if borrows else {}  # an option that Numba's types leave out

    def compile_function(function: Function) -> Function:
        if not JIT_ENABLED:
            return np.errstate(over="ignore")(function)  # as machine words wrap round, silently
        dispatcher: Any = numba.njit(
            nogil=True,
            error_model="numpy",
            fastmath=fastmath,
            inline="always" if inline else "never",
            **unlisted,
        )(function)
        kept = _keep_machine_code(dispatcher)
        if signatures:
            load = _loader(dispatcher, signatures)
            if kept:
                dispatcher.compile = load
            else:
                load()
        compiled: Function = dispatcher
        return compiled

    return compile_function


def _loader(dispatcher: Any, signatures: tuple[Any, ...]) -> Callable[..., Any]:
    """Return what stands in for the method ``compile`` of a kernel: get all its code, no other."""
    compile_one = dispatcher.compile

    def load(_wanted: object = None) -> Any:
        # Numba calls this for types it has no code for; asked again, it finds what was declared.
        with global_compiler_lock, register_dispatcher(dispatcher):  # a kernel may call itself
            if dispatcher._can_compile:
                for signature in signatures:
                    compile_one(signature)
                dispatcher.disable_compile()
        return dispatcher

    return load


def _keep_machine_code(dispatcher: Any) -> bool:
    """Give one function its place in our folder; return whether there is something already."""
    source = Path(dispatcher.py_func.__code__.co_filename)
    # Typed at a prompt there is no file to watch, so nothing can be kept.
    directory = _cache.open_set(source) if source.is_file() else None
    if directory is None:
        return False
    kept = MachineCode(dispatcher.py_func)
    dispatcher._cache = kept
    return kept.exists()


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

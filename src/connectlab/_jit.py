"""The one place that configures Numba.

Every compiled function of the package is declared with :func:`kernel`. It releases the GIL, divides
like NumPy, and keeps its machine code in a folder of ours (:mod:`connectlab._cache`).

A kernel with signatures whose machine code is kept is not even loaded before somebody needs it: most
programs call a few kernels, and those have what they call compiled in. One that is not kept is
compiled where it is declared, so a mistake in a kernel is found by the import, as ever.

``CONNECTLAB_CACHE_DIR`` moves the folder; ``NUMBA_DISABLE_JIT=1`` runs the kernels as plain Python.
"""

import hashlib
import importlib.util
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import caching
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

from connectlab import _cache

Function = TypeVar("Function", bound=Callable[..., Any])

Word: TypeAlias = Any
"""64 bits: a uint64 inside a kernel, an int when plain Python hands them in or gets them back."""

Real: TypeAlias = Any
"""A number with a fraction: a float32 or float64 inside a kernel, a float outside."""

config: Any = numba.config
JIT_ENABLED = not config.DISABLE_JIT


def _leave_scipy_alone() -> None:
    """Let Numba load scipy.linalg (0.1 s, 30 MB) for a kernel that needs it, not at every start.

    On its way in, ``numba.np.arraymath`` only asks whether it could.
    """
    from numba.np import linalg

    ensure = linalg.ensure_blas

    def is_installed() -> None:
        if importlib.util.find_spec("scipy") is None:
            raise ImportError("no scipy")

    linalg.ensure_blas = is_installed
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = ensure
    arraymath.ensure_blas = ensure


if JIT_ENABLED:
    _leave_scipy_alone()


def kernel(
    *signatures: Any, fastmath: bool | set[str] = False, inline: bool = False
) -> Callable[[Function], Function]:
    """Compile a function with the project's settings; with signatures, only for them.

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
    dispatcher._cache = _KernelCache(dispatcher.py_func)
    return dispatcher._cache.is_kept()


class _Place(caching._CacheLocator):  # type: ignore[misc]
    """Where Numba finds the files of one kernel."""

    def __init__(self, function: Any, source: str) -> None:
        self._py_file = source  # Numba names it in warnings
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Any, source: str) -> "_Place":
        return cls(function, source)

    def get_cache_path(self) -> str:
        return str(_cache.set_path(Path(self._py_file)))

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> None:
        """The name of the directory says already which source it is."""

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Results(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Place,)


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, for which no state of the disk is an error."""

    _impl_class = _Results

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, None)

    def is_kept(self) -> bool:
        """Say whether there is machine code for some signature; whether it is sound, time will tell."""
        return Path(self._cache_file._index_path).is_file()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return what is kept; None, to compile it, if that is nothing or cannot be read."""
        try:
            return super().load_overload(signature, target_context)
        except OSError:
            return None
        except Exception:  # damage can look like anything once it is unpickled
            _cache.tell_once(f"damaged compiled code in {self._cache_path}; compiling it again")
            self._cache_file.forget()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep machine code if the disk lets us."""
        try:
            super().save_overload(signature, result)
        except OSError as error:
            _cache.tell_unkept(error)


class _CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The index of a kernel and a file of machine code for each signature, with checksums.

    Machine code with a single wrong bit would not fail but crash.
    """

    def forget(self) -> None:
        """Remove the index, so that what it names is written anew."""
        Path(self._index_path).unlink(missing_ok=True)

    def _dump(self, content: Any) -> bytes:
        data: bytes = super()._dump((self._version, content))
        return _checksum(data) + data

    def _load_index(self) -> dict[Any, str]:
        path = Path(self._index_path)
        return (self._load(path) or {}) if path.is_file() else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump(overloads))

    def _load_data(self, name: str) -> Any:
        return self._load(Path(self._data_path(name)))

    def _load(self, path: Path) -> Any:
        """Return the content of a file; None if it comes from another Numba."""
        content = path.read_bytes()
        check, data = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
        if check != _checksum(data):
            raise ValueError(f"{path} is damaged")
        version, loaded = pickle.loads(data)
        return loaded if version == self._version else None


CHECKSUM_BYTES = 16


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()


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

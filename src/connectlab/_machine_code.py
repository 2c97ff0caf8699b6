"""The machine code of one kernel on disk: what Numba's cache does, less its tracebacks.

Numba keeps an index for each function and a file for each signature. Here both carry a checksum,
since machine code with a single wrong bit would not fail but crash; what is damaged is compiled
again, and a disk that is full or cannot be written only means that nothing is kept. Each is told in
one line.

Numba would also get ready to compile before it loads anything, which takes longer than the loading.
"""

# mypy: disable-error-code="no-untyped-call"

import hashlib
import importlib
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba.core import caching

from connectlab import _cache

CHECKSUM_BYTES = 16


class MachineCode(caching.FunctionCache):
    """What a dispatcher of Numba asks for kept machine code, and gives new one to keep."""

    def __init__(self, function: Any) -> None:
        self._impl_class = _Results
        super().__init__(function)
        self._files = _CheckedFiles(self._cache_path, self._impl.filename_base, None)
        self._cache_file = self._files

    def exists(self) -> bool:
        """Say whether there is something for some signature; if it is sound, loading will tell."""
        return self._files.exists()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return what is kept; None, to compile it, if that is nothing or cannot be read."""
        try:
            # Not the method of Numba, which first gets all that a compiler needs (0.2 s, 70 MB).
            _name_helpers()
            return self._load_overload(signature, target_context)
        except OSError:
            return None
        except Exception:  # damage can look like anything once it is unpickled
            _cache.tell_once(f"damaged compiled code in {self._cache_path}; compiling it again")
            self._files.forget()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep machine code if the disk lets us."""
        try:
            super().save_overload(signature, result)
        except OSError as error:
            _cache.tell_unkept(error)


@cache
def _name_helpers() -> None:
    """Tell LLVM where kept machine code finds the memory manager of Numba."""
    runtime: Any = importlib.import_module("numba.core.runtime._nrt_python")
    for name, address in runtime.c_helpers.items():
        llvmlite.binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class _Place(caching._CacheLocator):
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
        """Return nothing: the name of the directory says already which source it is."""

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Results(caching.CompileResultCacheImpl):
    _locator_classes = [_Place]  # noqa: RUF012 (Numba's own is a list)


class _CheckedFiles(caching.IndexDataCacheFile):
    """The index of a kernel and a file of machine code for each signature, with checksums."""

    def exists(self) -> bool:
        return Path(self._index_path).is_file()

    def forget(self) -> None:
        """Remove the index, so that what it names is written anew."""
        Path(self._index_path).unlink(missing_ok=True)

    def _dump(self, content: Any) -> bytes:
        data: bytes = super()._dump((self._version, content))
        return _checksum(data) + data

    def _load_index(self) -> dict[Any, str]:
        return (self._load(Path(self._index_path)) or {}) if self.exists() else {}

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
        if b"_numba_hashsecret" in data:  # code that hashes text; the import names them for LLVM
            importlib.import_module("numba.cpython.hashing")
        version, loaded = pickle.loads(data)
        return loaded if version == self._version else None


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()

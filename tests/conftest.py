"""Settings of the whole test suite; the folder itself is importable, so tests share ``naive``."""

from hypothesis import settings

# A compiled function is slow on its first call, so no deadline; the same examples on every run, so
# that a failure can be repeated anywhere.
settings.register_profile("connectlab", deadline=None, derandomize=True, database=None)
settings.load_profile("connectlab")

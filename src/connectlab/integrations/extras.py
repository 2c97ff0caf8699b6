"""Packages that only some of the doors need, and what to say when one is not installed."""

from connectlab.errors import UserError


class MissingExtraError(UserError, ImportError):
    """A package is needed that comes with an extra of ours."""


def missing(extra: str, error: ImportError) -> MissingExtraError:
    """Say in one line what to install; ``extra`` is a name of our ``pyproject.toml``."""
    name = (error.name or str(error)).partition(".")[0]
    return MissingExtraError(f"{name} is not installed: pip install 'connectlab[{extra}]'")

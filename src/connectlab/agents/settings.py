"""What players are set up with, and the settings of those without a room of their own.

Nothing here needs a kernel, so players are listed and their settings checked without Numba.
"""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from connectlab.errors import UserError
from connectlab.settings import NamedSettings

Objective: TypeAlias = Literal["distance", "outcome", "framework", "framework-books"]
"""What the perfect player aims at."""


class AgentError(UserError):
    """A player that does not exist, is set up wrongly, or cannot play on this board."""


class AgentSettings(NamedSettings):
    """The settings of a player, the same in a spec string and in JSON.

    A field called ``source`` takes what stands first in a spec string without a key, such as the
    path in ``ntuple:runs/first``.
    """

    shipped: ClassVar[Mapping[str, str]] = {}
    """Sources that come with connectlab, the one that stands for this player first, and the file of
    each in the package of these settings."""

    @classmethod
    def shipped_file(cls, source: str) -> Path:
        """Return where a source that comes along lies in this installation."""
        return Path(str(files(cls.__module__.rpartition(".")[0]) / cls.shipped[source]))


class RandomSettings(AgentSettings):
    """The random player has nothing to set."""

    name = "random"
    summary = "any playable column, each equally likely"


class ExtendSettings(AgentSettings):
    """The player that extends its longest streak has nothing to set."""

    name = "extend"
    summary = "extends its longest streak of stones, ties at random"


class MinimaxSettings(AgentSettings):
    """How far minimax looks, and how."""

    name = "minimax"
    summary = "looks a few plies ahead and counts streaks (Cheng et al.)"

    depth: int = Field(default=4, ge=1, le=63)
    """Plies it looks ahead, its own move the first of them."""
    alpha_beta: bool = True
    """Leave out branches that cannot change a value; the values are the same, only sooner."""
    force_center: bool = False
    """Open in the middle column (in one of the two middle ones if the columns are even)."""


class NegamaxSettings(AgentSettings):
    """How far negamax looks."""

    name = "negamax"
    summary = "the built-in opponent of Kaggle's ConnectX"

    depth: int = Field(default=5, ge=1, le=64)
    """Plies it looks ahead, its own move the first of them; Kaggle's "depth 4" is 5 so counted."""


class PerfectSettings(AgentSettings):
    """What the perfect player aims at, and what it may use."""

    name = "perfect"
    summary = "never errs: a best move by the solver, ties at random"

    objective: Objective = "distance"
    """distance: win as soon, lose as late as possible; outcome: any move that keeps the result;
    framework: by distance, but in a lost opening any move that does not lose at once;
    framework-books: the same, any that does not lose before an opening book would be asked."""
    table_mb: int = Field(default=64, ge=1, le=1 << 16)
    """Megabytes of the transposition table; players on the same board and size share one."""
    max_nodes: int = Field(default=200_000_000, ge=1, lt=2**62)
    """Nodes it may search for one move (some 40 s) before it says that the board is too hard."""

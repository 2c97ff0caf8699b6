"""Connect Four of OpenSpiel: the same board there and here.

OpenSpiel need not be installed; whoever needs it asks for it here.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Protocol

from connectlab.agents.external.order import find_moves
from connectlab.agents.settings import AgentError
from connectlab.game import Geometry, Position

NAME = "connect_four"
MARKS = {".": 0, "x": 1, "o": 2}


class Game(Protocol):
    """What is used of ``pyspiel.Game``."""

    def get_parameters(self) -> dict[str, object]:
        """Return what it was made with."""

    def new_initial_state(self) -> "State":
        """Return the empty board."""


class State(Protocol):
    """What is used of ``pyspiel.State``."""

    def apply_action(self, action: int) -> None:
        """Play a column."""

    def current_player(self) -> int:
        """Return 0 or 1, or a negative number at the end."""

    def get_game(self) -> Game:
        """Return the game it is a state of."""


class Bot(Protocol):
    """What is used of ``pyspiel.Bot``."""

    def step(self, state: State) -> int:
        """Return the column it plays."""

    def provides_policy(self) -> bool:
        """Whether it can say how likely it plays each column."""

    def get_policy(self, state: State) -> Sequence[tuple[int, float]]:
        """Return columns with their chances."""


def load_pyspiel() -> ModuleType:
    """Import OpenSpiel; say in one line what to install if it is missing."""
    try:
        import pyspiel
    except ImportError:
        raise AgentError("OpenSpiel is not installed: pip install open_spiel") from None
    module: ModuleType = pyspiel
    return module


def load_game(geometry: Geometry) -> Game:
    """Return OpenSpiel's Connect Four on a board."""
    board = {"columns": geometry.columns, "rows": geometry.rows, "x_in_row": geometry.connect}
    game: Game = load_pyspiel().load_game(NAME, board)
    return game


def geometry_of(game: Game) -> Geometry:
    """Return the board of a game of OpenSpiel; refuse any other than Connect Four."""
    told = str(game).partition("(")[0]
    if told != NAME:
        raise AgentError(f"connectlab plays OpenSpiel's {NAME}, not {told}")
    parameters = game.get_parameters()
    sizes = (parameters.get("columns", 7), parameters.get("rows", 6), parameters.get("x_in_row", 4))
    columns, rows, connect = (size if isinstance(size, int) else 0 for size in sizes)
    return Geometry(columns, rows, connect)


def position_of(state: State) -> Position:
    """Return the stones of a state, whatever its history."""
    geometry = geometry_of(state.get_game())
    rows = [[MARKS[mark] for mark in line] for line in str(state).split()]
    return Position.from_array(rows, geometry.connect)


def state_of(position: Position, game: Game) -> State:
    """Return the state with these stones, reached by some order of moves."""
    moves = find_moves(position) if position.history is None else position.history
    if moves is None:
        raise AgentError(f"openspiel: no moves lead to {position!r}, so no bot can be asked")
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    return state

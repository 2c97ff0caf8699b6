"""What has to be known of players and takes their kernels to find out."""

from connectlab.agents.registry import agent_class, home_board, make_agent
from connectlab.agents.spec import Spec
from connectlab.errors import UserError
from connectlab.game import Geometry
from connectlab.lab.seats import name_of
from connectlab.web.boards import board_of
from connectlab.web.models.players import CheckOut, HomeBoards, SeatIn, SpecsIn
from connectlab.web.models.position import Board
from connectlab.web.questions.keeping import keep


def home_boards(asked: SpecsIn) -> HomeBoards:
    """Return where players are at home, and which variants their kinds play."""
    names = {Spec.parse(spec).name for spec in asked.specs}
    return HomeBoards(
        boards=[_board(home_board(spec)) for spec in asked.specs],
        variants={name: _variants(name) for name in sorted(names)},
    )


def check_player(asked: SeatIn) -> CheckOut:
    """Let a player sit down on a board; whatever is wrong is told."""
    agent = make_agent(asked.spec, board_of(asked.board))
    keep(agent)
    return CheckOut(spec=name_of(agent), label=name_of(agent))


def _board(geometry: Geometry | None) -> Board | None:
    if geometry is None:
        return None
    return Board(
        columns=geometry.columns,
        rows=geometry.rows,
        connect=geometry.connect,
        variant=str(geometry.variant),
    )


def _variants(name: str) -> list[str]:
    try:
        return sorted(agent_class(name).variants)
    except UserError:
        return []

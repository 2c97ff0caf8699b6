"""What a worker tells of the contents of a player."""

from connectlab.agents.base import Agent
from connectlab.agents.contents import Contents, Page, Part
from connectlab.agents.registry import make_agent
from connectlab.agents.settings import AgentError
from connectlab.game.notation import column_name
from connectlab.lab.seats import name_of
from connectlab.web.boards import board_of
from connectlab.web.models.contents import (
    ContentsIn,
    ContentsOut,
    PartIn,
    PartOut,
    PartPageOut,
)


def list_parts(asked: ContentsIn) -> ContentsOut:
    """Tell what a player is made of."""
    agent = make_agent(asked.player, board_of(asked.board))
    found = agent.contents()
    if found is None:
        return _nothing(agent, asked.sort)
    return ContentsOut.model_validate(
        {
            "spec": name_of(agent),
            "learned": True,
            "noun": found.noun,
            "facts": dict(found.facts),
            "columns": dict(found.columns),
            "sort": asked.sort,
            "total": len(found.parts),
            "parts": [_part(found, part) for part in found.sorted_by(asked.sort)[: asked.top]],
        },
        strict=False,
    )


def list_entries(asked: PartIn) -> PartPageOut:
    """Tell one page of what is in a part."""
    agent = make_agent(asked.player, board_of(asked.board))
    found = agent.contents()
    if found is None:
        raise AgentError(f"{name_of(agent)} has learned nothing that could be listed")
    page = Page(asked.top, asked.offset, asked.order)
    told = found.part_json(asked.number, page)
    told["part"] = _part(found, found.part(asked.number))
    return PartPageOut.model_validate({"spec": name_of(agent), **told}, strict=False)


def _nothing(agent: Agent, sort: str) -> ContentsOut:
    return ContentsOut(
        spec=name_of(agent),
        learned=False,
        noun="",
        facts={},
        columns={},
        sort=sort,
        total=0,
        parts=[],
    )


def _part(contents: Contents, part: Part) -> PartOut:
    return PartOut(
        number=part.number,
        cells=[(column_name(c, contents.geometry), row + 1) for c, row in part.cells],
        figures={name: float(part.figures[name]) for name in contents.columns},
    )

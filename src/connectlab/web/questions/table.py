"""What is asked at the table: a move, what comes of a move, what a player sees."""

import time

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.registry import make_agent
from connectlab.errors import GameError
from connectlab.game import Position
from connectlab.game.notation import column_name, parse_moves
from connectlab.lab.disagreement import disagreements, reassurance, wrong_columns
from connectlab.lab.seats import AgentForfeitsError, ask_analysis, ask_move, name_of
from connectlab.lab.verdicts import Verdicts
from connectlab.web.models.table import (
    AnalysisIn,
    AnalysisOut,
    Disagreement,
    MoveIn,
    MoveOut,
    PlayIn,
    PlayOut,
)
from connectlab.web.questions.keeping import keep
from connectlab.web.questions.position import position_of, stream_of


def choose_move(asked: MoveIn) -> MoveOut:
    """Let a player move; the lots belong to its game and ply, so asking again changes nothing."""
    position = _open_position(position_of(asked.position))
    agent = seat(asked.player, position)
    stream, began = stream_of(asked.position), time.perf_counter()
    try:
        column = ask_move(agent, position, stream)
    except AgentForfeitsError as error:
        seconds = time.perf_counter() - began
        return MoveOut(
            column=None,
            landed=None,
            fell=False,
            seconds=seconds,
            spec=name_of(agent),
            forfeit=str(error),
        )
    seconds = time.perf_counter() - began
    landed, fell = position.chances(column, stream=stream)
    return MoveOut(
        column=column_name(column, position.geometry),
        landed=column_name(landed, position.geometry),
        fell=fell,
        seconds=seconds,
        spec=name_of(agent),
        forfeit=None,
    )


def play_move(asked: PlayIn) -> PlayOut:
    """Say what comes of a person's move."""
    position = position_of(asked.position)
    (column,) = parse_moves(asked.column, position.geometry)
    landed, fell = position.chances(column, stream=stream_of(asked.position))
    return PlayOut(landed=column_name(landed, position.geometry), fell=fell)


def explain(asked: AnalysisIn) -> AnalysisOut:
    """Let a player explain a position; with the scores of perfect play, say where it errs."""
    position = _open_position(position_of(asked.position))
    agent = seat(asked.player, position)
    analysis = ask_analysis(agent, position, stream_of(asked.position))
    verdicts = None if asked.scores is None else _verdicts(position, asked.scores)
    names = [column_name(c, position.geometry) for c in range(position.geometry.columns)]
    return AnalysisOut.model_validate(
        {
            "spec": name_of(agent),
            **analysis.to_json(),
            "value_texts": dict(zip(names, analysis.value_texts, strict=True)),
            "disagreements": _disagreements(analysis, verdicts),
            "wrong_columns": _wrong_columns(analysis, verdicts),
            "reassurance": None if verdicts is None else reassurance(analysis, verdicts),
        },
        strict=False,
    )


def seat(spec: str, position: Position) -> Agent:
    """Return the player of a spec on the board of a position.

    It is made anew for every question, which costs little: what it has learned stays in memory as
    long as its file is the same, so a run that trains on is always played at its newest.
    """
    agent = make_agent(spec, position.geometry)
    keep(agent)
    return agent


def _open_position(position: Position) -> Position:
    if position.is_over:
        raise GameError("the game is over, so there is nothing to choose")
    return position


def _verdicts(position: Position, scores: dict[str, int | None]) -> Verdicts:
    geometry = position.geometry
    found: list[int | None] = [None] * geometry.columns
    for name, score in scores.items():
        (column,) = parse_moves(name, geometry)
        found[column] = score if column in position.legal_columns else None
    return Verdicts(position, tuple(found))


def _disagreements(analysis: Analysis, verdicts: Verdicts | None) -> list[Disagreement]:
    if verdicts is None:
        return []
    return [
        Disagreement(
            columns=verdicts.names(found.columns), kind=found.kind, sentence=found.sentence
        )
        for found in disagreements(analysis, verdicts)
    ]


def _wrong_columns(analysis: Analysis, verdicts: Verdicts | None) -> list[str]:
    return [] if verdicts is None else verdicts.names(sorted(wrong_columns(analysis, verdicts)))

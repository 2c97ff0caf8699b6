"""What perfect play is asked: about a position, and about a whole game."""

from connectlab.errors import GameError
from connectlab.game import Position
from connectlab.lab.review import review_game
from connectlab.lab.table import MAX_NODES
from connectlab.lab.verdicts import Verdicts, ask_solver
from connectlab.solver import distance_of
from connectlab.web.models.solver import ReviewIn, ReviewOut, VerdictsIn, VerdictsOut
from connectlab.web.questions.keeping import solver_of
from connectlab.web.questions.position import game_of, position_of


def judge(asked: VerdictsIn) -> VerdictsOut:
    """Ask perfect play about every column, as far as time allows."""
    position = position_of(asked.position)
    _check_plain(position)
    if position.is_over:
        raise GameError("the game is over, so there is nothing to judge")
    verdicts = ask_solver(
        solver_of(position.geometry), position, max_nodes=MAX_NODES, deadline_s=asked.deadline_s
    )
    return _told(verdicts)


def review(asked: ReviewIn) -> ReviewOut:
    """Ask perfect play about every move of a game, as far as time allows."""
    record = game_of(asked.position)
    start = record.start
    _check_plain(start)
    record.end  # noqa: B018 - refuses moves that cannot be played
    found = review_game(
        solver_of(start.geometry),
        start,
        record.columns,
        deadline_s=asked.deadline_s,
        max_nodes=MAX_NODES,
    )
    moves = [{**move.to_json(), "sentence": move.sentence} for move in found.moves]
    return ReviewOut.model_validate(
        {
            **found.to_json(),
            "moves": moves,
            "first_player_scores": list(found.first_player_scores),
        }
    )


def _told(verdicts: Verdicts) -> VerdictsOut:
    position = verdicts.position
    playable = position.legal_columns
    names = dict(zip(playable, verdicts.names(playable), strict=True))
    notes = verdicts.notes()
    return VerdictsOut(
        scores={names[c]: verdicts.scores[c] for c in playable},
        words={names[c]: verdicts.words(c) for c in playable},
        notes={names[c]: notes[c] for c in playable},
        distances={names[c]: _distance(position, verdicts.scores[c]) for c in playable},
        best=verdicts.names(verdicts.best),
        unknown=verdicts.names(verdicts.unknown),
        outcome=verdicts.outcome,
        advice=verdicts.advice,
    )


def _distance(position: Position, score: int | None) -> int | None:
    return None if score is None else distance_of(score, position.ply, position.geometry)


def _check_plain(position: Position) -> None:
    variant = position.geometry.variant
    if not variant.is_plain:
        raise GameError(f"perfect play knows only the plain game, not {variant}")

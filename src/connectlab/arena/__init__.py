"""Who is stronger: matches, tournaments, and measures against perfect play."""

from typing import TYPE_CHECKING

from connectlab._lazy import lazy

if TYPE_CHECKING:
    from connectlab.arena.match import play_games, play_match
    from connectlab.arena.measures import (
        MoveAccuracy,
        SuccessRate,
        WinningQuota,
        move_accuracy,
        success_rate,
        winning_quota,
    )
    from connectlab.arena.positions import PositionSet, generate_positions, read_position_set
    from connectlab.arena.results import MatchResult, Rating, Tally
    from connectlab.arena.statistics import Interval, bradley_terry, mean_interval, wilson
    from connectlab.arena.tournament import TournamentResult, play_tournament
    from connectlab.game.lockstep import GameRecords

__all__ = [
    "GameRecords",
    "Interval",
    "MatchResult",
    "MoveAccuracy",
    "PositionSet",
    "Rating",
    "SuccessRate",
    "Tally",
    "TournamentResult",
    "WinningQuota",
    "bradley_terry",
    "generate_positions",
    "mean_interval",
    "move_accuracy",
    "play_games",
    "play_match",
    "play_tournament",
    "read_position_set",
    "success_rate",
    "wilson",
    "winning_quota",
]

__getattr__ = lazy(
    __name__,
    {
        "GameRecords": "connectlab.game.lockstep",
        "Interval": "connectlab.arena.statistics",
        "MatchResult": "connectlab.arena.results",
        "MoveAccuracy": "connectlab.arena.measures",
        "PositionSet": "connectlab.arena.positions",
        "Rating": "connectlab.arena.results",
        "SuccessRate": "connectlab.arena.measures",
        "Tally": "connectlab.arena.results",
        "TournamentResult": "connectlab.arena.tournament",
        "WinningQuota": "connectlab.arena.measures",
        "bradley_terry": "connectlab.arena.statistics",
        "generate_positions": "connectlab.arena.positions",
        "mean_interval": "connectlab.arena.statistics",
        "move_accuracy": "connectlab.arena.measures",
        "play_games": "connectlab.arena.match",
        "play_match": "connectlab.arena.match",
        "play_tournament": "connectlab.arena.tournament",
        "read_position_set": "connectlab.arena.positions",
        "success_rate": "connectlab.arena.measures",
        "wilson": "connectlab.arena.statistics",
        "winning_quota": "connectlab.arena.measures",
    },
)

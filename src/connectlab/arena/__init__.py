"""Who is stronger: matches, tournaments, and measures against perfect play."""

from connectlab.arena.match import GameRecords, MatchResult, Tally, play_games, play_match
from connectlab.arena.measures import (
    MoveAccuracy,
    SuccessRate,
    WinningQuota,
    move_accuracy,
    success_rate,
    winning_quota,
)
from connectlab.arena.positions import PositionSet, generate_positions, read_position_set
from connectlab.arena.statistics import Interval, bradley_terry, mean_interval, wilson
from connectlab.arena.tournament import Rating, TournamentResult, play_tournament

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

"""Players that lose by what is no move: illegal, too late, or a crash."""

import numpy as np
import pytest
from players import AnswerSettings, HighestAgent, LowestAgent, Policy, certain

from connectlab.agents import Agent, AgentError, make_agent
from connectlab.agents.forfeits import FORFEIT, ForfeitError
from connectlab.arena.exact import exact_success
from connectlab.arena.match import Tally, play_games, play_match
from connectlab.arena.measures import move_accuracy
from connectlab.arena.positions import generate_positions
from connectlab.cli.match import print_result
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch

SMALL = Geometry(4, 4, 3)


class StubbornAgent(Agent):
    """Plays column 1 for ever, room or not."""

    Settings = AnswerSettings
    may_forfeit = True

    def policy(self, batch: PositionBatch) -> Policy:
        chances = certain(np.zeros(len(batch), dtype=np.int64), self.geometry)
        chances[~batch.legal[:, 0]] = 0.0
        return chances

    def forfeit_reason(self, position: Position, stream: int) -> str:
        return f"ran into a wall after {position.n_moves} moves"


def test_a_forfeit_is_lost_for_whoever_was_to_move() -> None:
    # Both fill column 1, so the first player faces a full column after six moves.
    records = play_games(StubbornAgent(), StubbornAgent(), 5)
    assert (records.outcomes == Outcome.SECOND_WINS).all()
    assert (records.plies == 6).all()
    records = play_games(LowestAgent(), StubbornAgent(), 5)  # five stones and the sixth are there
    assert (records.outcomes == Outcome.FIRST_WINS).all()


def test_forfeited_games_are_told_apart_by_their_moves() -> None:
    # Nobody wins the column on three rows: random's lots decide how long it stays open.
    records = play_games(StubbornAgent(), make_agent("random"), 200, seed=3)
    short = records.plies < 7
    assert set(records.outcomes[short]) <= {Outcome.SECOND_WINS, Outcome.FIRST_WINS}
    assert records.distinct_games > 20


def test_a_match_says_who_forfeited_and_why() -> None:
    result = play_match(StubbornAgent(), LowestAgent(), 10, sides="fixed")
    assert result.tally == Tally(losses=10)
    assert result.agent_forfeits == {"ran into a wall after 6 moves": 10}
    assert result.opponent_forfeits == {}
    again = play_match(StubbornAgent(), HighestAgent(), 4)
    assert again.agent_forfeits == {}, "it wins its column, or is beaten before"


def test_forfeits_of_an_earlier_match_do_not_count_again() -> None:
    stubborn = StubbornAgent()
    for _ in range(2):
        result = play_match(LowestAgent(), stubborn, 6)
        assert sum(result.opponent_forfeits.values()) == 6


def test_the_terminal_tells_of_forfeits(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(play_match(StubbornAgent(), LowestAgent(), 1))
    assert "answer lost 1 game by forfeit: it ran into a wall after 6 moves" in (
        capsys.readouterr().out
    )


def test_all_others_are_refused_a_policy_of_zeros() -> None:
    class BrokenAgent(StubbornAgent):
        may_forfeit = False

    with pytest.raises(AgentError, match="gives no chances"):
        play_games(BrokenAgent(), LowestAgent(), 2)


def test_who_needs_a_move_hears_why_there_is_none() -> None:
    position = Position.from_moves("111111")
    with pytest.raises(ForfeitError, match="answer ran into a wall after 6 moves"):
        StubbornAgent().choose_one(position)
    batch = PositionBatch.of([Position(), position])
    assert StubbornAgent().choose_or_forfeit(batch).tolist() == [0, FORFEIT]


def test_exact_walks_count_a_forfeit_as_lost() -> None:
    # Four stones fill the column of a 4x4 board, and nobody has three in a line.
    found = exact_success(StubbornAgent(geometry=SMALL), StubbornAgent(geometry=SMALL))
    assert (found.win, found.draw, found.loss) == (0.0, 0.0, 1.0)
    found = exact_success(LowestAgent(geometry=SMALL), StubbornAgent(geometry=SMALL))
    assert found.win + found.draw + found.loss == pytest.approx(1.0)


def test_a_forfeit_keeps_no_outcome() -> None:
    positions = generate_positions(2, seed=1, geometry=STANDARD)
    open_column = positions.batch(seed=0).legal[:, 0]
    accuracy = move_accuracy(StubbornAgent(), positions)
    assert accuracy.total.positions == len(positions)
    assert accuracy.total.outcome_accuracy <= open_column.mean()

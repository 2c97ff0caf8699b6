"""Lock-step games: the rules, the seeds, and players that break them."""

import numpy as np
import pytest
from players import AnswerAgent, HighestAgent, LowestAgent

from connectlab.agents import Agent, AgentError, make_agent
from connectlab.arena.games import FIRST_SLICE, GameRecords, Pace, move_everywhere, play_games
from connectlab.arena.workers import ArenaError, Meter
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch
from connectlab.game.streams import make_streams

SMALL = Geometry(4, 4, 3)


def same(one: GameRecords, other: GameRecords) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("outcomes", "plies", "hashes")
    )


def play_slowly(first: Agent, second: Agent, seed: int, number: int) -> Position:
    """Play one game by the rules of ``Position``, with the stream of its number."""
    position = Position(first.geometry)
    stream = make_streams(seed, 1, number)
    while not position.is_over:
        agent = first if position.first_to_move else second
        batch = PositionBatch(
            first.geometry, np.uint64([position.mover]), np.uint64([position.occupied]), stream
        )
        position = position.play(int(agent.choose(batch)[0]))
    return position


@pytest.mark.parametrize("geometry", [STANDARD, SMALL, Geometry(9, 6, 4), Geometry(5, 3, 3)])
def test_games_in_a_batch_are_those_played_one_by_one(geometry: Geometry) -> None:
    chance = make_agent("random", geometry)
    records = play_games(chance, chance, 60, seed=5)
    single = [play_slowly(chance, chance, 5, number) for number in range(60)]
    assert records.outcomes.tolist() == [position.outcome for position in single]
    assert records.plies.tolist() == [position.ply for position in single]
    assert records.distinct_games == len({position.history for position in single})


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1), (1, 999), (2, 7), (5, 64), (2, None)])
def test_results_do_not_depend_on_workers_or_chunks(workers: int, chunk: int | None) -> None:
    chance = make_agent("random")
    expected = play_games(chance, chance, 500, seed=3, workers=1, chunk=500)
    assert same(play_games(chance, chance, 500, seed=3, workers=workers, chunk=chunk), expected)


def test_games_can_be_played_in_parts() -> None:
    chance = make_agent("random")
    whole = play_games(chance, chance, 300, seed=1)
    part = play_games(chance, chance, 100, seed=1, start=150)
    assert np.array_equal(part.hashes, whole.hashes[150:250])


def test_another_seed_gives_other_games() -> None:
    chance = make_agent("random")
    one, other = (play_games(chance, chance, 50, seed=seed) for seed in (1, 2))
    assert not same(one, other)


def test_random_games_have_the_known_length_and_advantage() -> None:
    records = play_games(make_agent("random"), make_agent("random"), 40_000)
    shares = np.bincount(records.outcomes, minlength=4) / len(records)
    assert records.plies.mean() == pytest.approx(21.3, abs=0.15)
    assert shares[Outcome.FIRST_WINS] == pytest.approx(0.556, abs=0.01)
    assert shares[Outcome.DRAW] == pytest.approx(0.0026, abs=0.001)
    assert shares[Outcome.ONGOING] == 0


def test_a_full_board_without_a_line_is_a_draw() -> None:
    geometry = Geometry(3, 3, 4)
    records = play_games(LowestAgent(None, geometry), HighestAgent(None, geometry), 3)
    assert records.outcomes.tolist() == [Outcome.DRAW] * 3
    assert records.plies.tolist() == [9] * 3


def test_players_without_chance_repeat_one_game() -> None:
    records = play_games(LowestAgent(), HighestAgent(), 100, chunk=30)
    assert records.distinct_games == 1
    assert records.outcomes.tolist() == [Outcome.FIRST_WINS] * 100
    assert records.plies.tolist() == [7] * 100


def test_sequences_that_end_in_one_position_count_as_different_games() -> None:
    lines = ("1213141", "1312141", "1214131")
    assert len({Position.from_moves(line) for line in lines}) == 1
    hashes = set()
    for line in lines:
        columns = np.array([int(character) - 1 for character in line])
        agent = AnswerAgent(lambda batch, columns=columns: columns[batch.plies])
        hashes.add(int(play_games(agent, agent, 1).hashes[0]))
    assert len(hashes) == 3


@pytest.mark.parametrize(("column", "reason"), [(7, "no column 8"), (-1, "no column 0")])
def test_a_column_off_the_board_is_refused(column: int, reason: str) -> None:
    cheat = AnswerAgent(lambda batch: np.full(len(batch), column))
    with pytest.raises(AgentError, match=rf"^answer chose an illegal move in Position.*{reason}"):
        play_games(LowestAgent(), cheat, 5)


def test_a_full_column_is_refused_with_the_position() -> None:
    cheat = AnswerAgent(lambda batch: np.zeros(len(batch), dtype=np.int64))
    with pytest.raises(AgentError, match="column 1 is full") as caught:
        play_games(cheat, cheat, 5)
    assert repr(position_of("111111")) in str(caught.value)


def position_of(moves: str) -> Position:
    """Return a position as a batch knows it, without its history."""
    position = Position.from_moves(moves)
    return Position(STANDARD, position.mover, position.occupied)


@pytest.mark.parametrize(
    "answer",
    [
        lambda batch: np.zeros(len(batch)),
        lambda batch: np.zeros(len(batch) + 1, dtype=np.int64),
        lambda batch: 3,
        lambda batch: np.zeros((len(batch), 1), dtype=np.int64),
    ],
)
def test_an_answer_of_the_wrong_kind_is_refused(answer: object) -> None:
    with pytest.raises(AgentError, match=r"answer must choose a whole number for each of 4"):
        play_games(AnswerAgent(answer), LowestAgent(), 4, chunk=4)


def test_small_integers_are_welcome() -> None:
    narrow = AnswerAgent(lambda batch: LowestAgent().choose(batch).astype(np.uint8))
    records = play_games(narrow, HighestAgent(), 3)
    assert same(records, play_games(LowestAgent(), HighestAgent(), 3))


def test_a_batch_an_agent_keeps_does_not_change_under_it() -> None:
    kept: list[tuple[PositionBatch, np.ndarray]] = []

    def keep(batch: PositionBatch) -> np.ndarray:
        kept.append((batch, batch.occupied.copy()))
        return LowestAgent().choose(batch)

    play_games(AnswerAgent(keep), make_agent("random"), 20)
    assert len(kept) > 3
    assert all(np.array_equal(batch.occupied, before) for batch, before in kept)


def test_an_agent_that_moves_everywhere_is_checked_too() -> None:
    batch = PositionBatch.of([Position.from_moves("12"), Position.from_moves("111111")])
    cheat = AnswerAgent(lambda batch: np.zeros(len(batch), dtype=np.int64))
    with pytest.raises(AgentError, match=r"answer chose an illegal move.*column 1 is full"):
        move_everywhere(cheat, batch, Pace(), Meter())
    assert move_everywhere(HighestAgent(), batch, Pace(), Meter()).plies.tolist() == [3, 7]


def test_contests_that_cannot_be_held_are_refused() -> None:
    chance = make_agent("random")
    with pytest.raises(ArenaError, match="at least 1 game, not 0"):
        play_games(chance, chance, 0)
    with pytest.raises(ArenaError, match="at least 1 game, not -3"):
        play_games(chance, chance, 5, chunk=-3)
    with pytest.raises(ArenaError, match=r"7x6 connect-4.*4x4 connect-3"):
        play_games(chance, make_agent("random", SMALL), 5)


def test_a_slow_agent_is_asked_less_at_once_and_a_quick_one_more() -> None:
    pace = Pace()
    pace.learn(FIRST_SLICE, seconds=0.001)
    assert pace.size == 2 * FIRST_SLICE
    pace.learn(10, seconds=0.001)
    assert pace.size == 2 * FIRST_SLICE, "a small batch says nothing about larger ones"
    pace.learn(100, seconds=5.0)
    assert pace.size == 50
    pace.learn(1, seconds=60.0)
    assert pace.size == 1


def test_slices_of_any_size_give_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = make_agent("random")
    expected = play_games(chance, chance, 100, workers=1)
    monkeypatch.setattr("connectlab.arena.games.FIRST_SLICE", 3)
    monkeypatch.setattr("connectlab.arena.games.MAX_CALL_S", 0.0)
    sizes = set()

    def answer(batch: PositionBatch) -> np.ndarray:
        sizes.add(len(batch))
        return chance.choose(batch)

    agent = AnswerAgent(answer)
    assert same(play_games(agent, agent, 100, workers=1), expected)
    assert max(sizes) <= 3

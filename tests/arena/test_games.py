"""Lock-step games: the rules, the seeds, and players that break them."""

import numpy as np
import pytest
from players import AnswerAgent, HighestAgent, LowestAgent, Policy, certain

from connectlab.agents import Agent, AgentError, make_agent
from connectlab.arena.games import FIRST_SLICE, Pace, choose_all, play_games
from connectlab.arena.threads import ArenaError, Meter
from connectlab.errors import GameError
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch
from connectlab.game.lockstep import GameRecords, Lockstep
from connectlab.game.streams import GAMMA, at_ply, make_streams, uniform

SMALL = Geometry(4, 4, 3)


def same(one: GameRecords, other: GameRecords) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("outcomes", "plies", "hashes")
    )


def play_slowly(first: Agent, second: Agent, seed: int, number: int) -> Position:
    """Play one game by the rules of ``Position``, with the stream of its number."""
    position = Position(first.geometry)
    stream = int(make_streams(seed, 1, number)[0])
    while not position.is_over:
        agent = first if position.first_to_move else second
        position = position.play(agent.choose_one(position, stream=stream))
    return position


@pytest.mark.parametrize("geometry", [STANDARD, SMALL, Geometry(9, 6, 4), Geometry(5, 3, 3)])
def test_games_in_a_batch_are_those_played_one_by_one(geometry: Geometry) -> None:
    chance = make_agent("random", geometry)
    records = play_games(chance, chance, 60, seed=5)
    single = [play_slowly(chance, chance, 5, number) for number in range(60)]
    assert records.outcomes.tolist() == [position.outcome for position in single]
    assert records.plies.tolist() == [position.ply for position in single]
    assert records.distinct_games == len({position.history for position in single})


@pytest.mark.parametrize(("threads", "chunk"), [(1, 1), (1, 999), (2, 7), (5, 64), (2, None)])
def test_results_do_not_depend_on_threads_or_chunks(threads: int, chunk: int | None) -> None:
    chance = make_agent("random")
    expected = play_games(chance, chance, 500, seed=3, threads=1, chunk=500)
    assert same(play_games(chance, chance, 500, seed=3, threads=threads, chunk=chunk), expected)


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
        agent = AnswerAgent(lambda batch, columns=columns: certain(columns[batch.plies], STANDARD))
        hashes.add(int(play_games(agent, agent, 1).hashes[0]))
    assert len(hashes) == 3


def first_column(batch: PositionBatch) -> Policy:
    return certain(np.zeros(len(batch), dtype=np.int64), batch.geometry)


def test_a_chance_for_a_full_column_is_refused_with_agent_and_position() -> None:
    cheat = AnswerAgent(first_column)
    with pytest.raises(AgentError, match=r"^answer gives no chances in Position") as caught:
        play_games(cheat, cheat, 5)
    assert repr(position_of("111111")) in str(caught.value)


def test_a_chance_for_a_full_column_is_refused_even_if_it_is_not_drawn() -> None:
    full = PositionBatch.of([Position.from_moves("111111")])
    hardly = np.array([[1e-12, 1 - 1e-12, 0, 0, 0, 0, 0]])
    with pytest.raises(AgentError, match="answer gives no chances"):
        AnswerAgent(lambda _: hardly).choose(full)


def position_of(moves: str) -> Position:
    """Return a position as a batch knows it, without its history."""
    position = Position.from_moves(moves)
    return Position(STANDARD, position.mover, position.occupied)


@pytest.mark.parametrize(
    "answer",
    [
        lambda batch: np.zeros(len(batch)),
        lambda batch: np.zeros((len(batch) + 1, 7)),
        lambda batch: 3,
        lambda batch: first_column(batch).astype(np.float32),
        lambda batch: first_column(batch)[:, :6],
    ],
)
def test_an_answer_of_the_wrong_kind_is_refused(answer: object) -> None:
    with pytest.raises(AgentError, match=r"answer must give float64 of shape \(4, 7\)"):
        play_games(AnswerAgent(answer), LowestAgent(), 4, chunk=4)


@pytest.mark.parametrize(
    "row",
    [
        [0.0] * 7,
        [0.5, 0.5, 0.5, 0, 0, 0, 0],
        [2.0, -1.0, 0, 0, 0, 0, 0],
        [float("nan"), 1.0, 0, 0, 0, 0, 0],
        [0.999, 0, 0, 0, 0, 0, 0],
        [float("inf"), 0, 0, 0, 0, 0, 0],
    ],
)
def test_what_is_no_policy_is_refused(row: list[float]) -> None:
    with pytest.raises(AgentError, match="should sum to 1 over the columns with room"):
        AnswerAgent(lambda batch: np.tile(row, (len(batch), 1))).choose(PositionBatch.start(3))


def test_a_policy_is_played_as_often_as_it_says() -> None:
    wanted = np.array([0.05, 0.0, 0.3, 0.4, 0.0, 0.0, 0.25])
    agent = AnswerAgent(lambda batch: np.tile(wanted, (len(batch), 1)))
    n = 50_000
    for plies in (0, 3):
        batch = PositionBatch.of([Position.from_moves("4" * plies)] * n, seed=8)
        often = np.bincount(agent.choose(batch), minlength=7) / n
        assert np.abs(often - wanted).max() < 4 * np.sqrt(0.25 / n)
        assert (often[wanted == 0] == 0).all()


def test_the_number_of_a_choice_belongs_to_game_and_ply() -> None:
    chance = make_agent("random")
    one, later = Position.from_moves("44"), Position.from_moves("4453")
    columns = [chance.choose_one(p, stream=s) for p in (one, later) for s in range(200)]
    again = [chance.choose_one(p, stream=s) for p in (one, later) for s in range(200)]
    assert columns == again
    assert len(set(columns[:200])) == 7, "another game draws another lot"
    assert columns[:200] != columns[200:], "another ply draws another lot"


def unmixed(word: int) -> int:
    """What ``streams.mix`` makes this word of: its steps backwards."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        word ^= (word >> shift) ^ (word >> 2 * shift)
        word = word * pow(factor, -1, 2**64) % 2**64
    return word


def test_rounding_never_draws_a_column_without_a_chance() -> None:
    """The greatest lot there is lies above the sum of chances that miss 1 by a little."""
    stream = (unmixed(unmixed(2**64 - 1)) - int(GAMMA)) % 2**64
    assert uniform(at_ply(np.uint64(stream), 0)) == 1 - 2**-53
    thirds = np.array([1 / 3, 1 / 3, 1 / 3 - 1e-9, 0, 0, 0, 0])
    agent = AnswerAgent(lambda batch: np.tile(thirds, (len(batch), 1)))
    assert agent.choose_one(Position(), stream=stream) == 2


def test_an_illegal_move_in_lock_step_is_named() -> None:
    games = Lockstep.start(range(3), STANDARD, seed=0)
    with pytest.raises(GameError, match="position 1 of the batch: there is no column 9"):
        games.play(np.array([0, 8, 0]))


def test_a_batch_an_agent_keeps_does_not_change_under_it() -> None:
    kept: list[tuple[PositionBatch, np.ndarray]] = []

    def keep(batch: PositionBatch) -> Policy:
        kept.append((batch, batch.occupied.copy()))
        return LowestAgent().policy(batch)

    play_games(AnswerAgent(keep), make_agent("random"), 20)
    assert len(kept) > 3
    assert all(np.array_equal(batch.occupied, before) for batch, before in kept)


def test_an_agent_that_moves_everywhere_is_checked_too() -> None:
    batch = PositionBatch.of([Position.from_moves("12"), Position.from_moves("111111")])
    cheat = AnswerAgent(first_column)
    with pytest.raises(AgentError, match="answer gives no chances"):
        choose_all(cheat, batch, Pace(), Meter())
    assert choose_all(HighestAgent(), batch, Pace(), Meter()).tolist() == [6, 6]


def test_contests_that_cannot_be_held_are_refused() -> None:
    chance = make_agent("random")
    for games in (0, 10**12):
        with pytest.raises(ArenaError, match=f"from 1 to 100,000,000 games, not {games:,}"):
            play_games(chance, chance, games)
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
    expected = play_games(chance, chance, 100, threads=1)
    monkeypatch.setattr("connectlab.arena.games.FIRST_SLICE", 3)
    monkeypatch.setattr("connectlab.arena.games.MAX_CALL_S", 0.0)
    sizes = set()

    def answer(batch: PositionBatch) -> Policy:
        sizes.add(len(batch))
        return chance.policy(batch)

    agent = AnswerAgent(answer)
    assert same(play_games(agent, agent, 100, threads=1), expected)
    assert max(sizes) <= 3

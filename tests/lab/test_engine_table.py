"""A player as an engine answers each line, and no line upsets it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectlab.agents import AgentError, make_agent
from connectlab.game import Geometry, Position
from connectlab.lab.engine import EngineTable


def table(spec: str = "perfect", *, seed: int = 0) -> EngineTable:
    return EngineTable(spec, Geometry(4, 4, 3), seed=seed)


def test_it_plays_in_the_position_it_was_told() -> None:
    engine = table()
    assert engine.answer("position 1121") is None
    assert engine.position == Position.from_moves("1121", Geometry(4, 4, 3))
    best = make_agent("perfect", Geometry(4, 4, 3)).analyse(engine.position).best
    answer = engine.answer("go")
    assert answer in [f"bestmove {column + 1}" for column in best]


def test_a_position_without_moves_is_the_empty_board() -> None:
    engine = table()
    engine.answer("position 12")
    assert engine.answer("position") is None
    assert engine.position.ply == 0


def test_another_board_begins_empty() -> None:
    engine = table("minimax:depth=2")
    engine.answer("position 12")
    assert engine.answer("board 10 3 3") is None
    assert engine.position == Position(Geometry(10, 3, 3))
    engine.answer("position a")
    assert engine.position.history == (9,)
    assert engine.agent.spec == "minimax:depth=2"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hello", "error there is no command 'hello': say board, position, isready, go, quit"),
        ("GO", "error there is no command 'GO'"),
        ("go 1 2", "error go takes one number at most"),
        ("go west", "error 'west' is no whole number"),
        ("go -1", "error '-1' is no whole number"),
        ("go 18446744073709551616", "error '18446744073709551616' is no whole number"),
        ("go ²", "error '²' is no whole number"),
        ("board 4 4", "error a board has columns, rows and stones"),
        ("board 40 40 4", "error "),
        ("position 15", "error move 2: there is no column '5': choose 1 to 4"),
        ("position 11111", "error move 5: column 1 is full"),
        ("position 121212", "error move 6: the game is over"),
        ("isready now", "error isready stands alone"),
        ("quit now", "error quit stands alone"),
        ("x" * 5000, "error there is no command 'xxx"),
    ],
)
def test_a_wrong_line_gets_one_line_and_changes_nothing(line: str, told: str) -> None:
    engine = table()
    engine.answer("position 12")
    answer = engine.answer(line)
    assert answer is not None
    assert answer.startswith(told)
    assert "\n" not in answer
    assert len(answer) < 200
    assert engine.position == Position.from_moves("12", Geometry(4, 4, 3))
    assert engine.is_open


def test_a_board_the_player_cannot_play_on_is_refused_and_the_old_one_stays() -> None:
    engine = EngineTable("external:command=cat,protocol=velena", Geometry(7, 6, 4))
    engine.answer("position 7")
    answer = engine.answer("board 4 4 3")
    assert (
        answer == "error external: Velena plays on 7x6 connect-4 and cannot play on 4x4 connect-3"
    )
    assert engine.agent.geometry == Geometry(7, 6, 4)
    assert engine.position == Position.from_moves("7")


def test_a_game_that_is_over_has_no_move() -> None:
    engine = table()
    engine.answer("position 12121")
    assert engine.answer("go") == "error the game is over"


def test_quit_is_said_once() -> None:
    engine = table()
    assert engine.answer("") is None
    assert engine.answer("quit") is None
    assert not engine.is_open


def test_lots_come_from_the_seed_or_from_the_stream_that_is_named() -> None:
    answers = [[engine.answer("go") for _ in range(30)] for engine in map(drawing, (1, 1, 2))]
    assert answers[0] == answers[1] != answers[2]
    assert len(set(answers[0])) > 1
    named = {drawing(seed).answer("go 12345") for seed in range(5)}
    column = make_agent("random", Geometry(4, 4, 3)).choose_one(
        Position(Geometry(4, 4, 3)), stream=12345
    )
    assert named == {f"bestmove {column + 1}"}


def drawing(seed: int) -> EngineTable:
    return table("random", seed=seed)


def test_a_player_that_does_not_exist_is_told_at_once() -> None:
    with pytest.raises(AgentError, match="there is no player"):
        table("nobody")


WORDS = st.sampled_from(["board", "position", "isready", "go", "quit", "1", "4", "44", "\0", "é"])


@given(st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=5))
def test_any_line_gets_at_most_one_line(words: list[str]) -> None:
    answer = table("random").answer(" ".join(words))
    assert answer is None or (answer and len(answer.splitlines()) == 1)

"""The table at which games are played, without a screen."""

import contextlib
import itertools
import json
import threading
from pathlib import Path

import pytest
from fake_players import Crashing, Fake, Lying, Nameless, Slow
from hypothesis import given
from hypothesis import strategies as st

from connectlab.agents import AgentError
from connectlab.errors import GameError, UserError
from connectlab.game import STANDARD, Geometry, Position
from connectlab.lab.records import HUMAN, GameRecord, load_game, save_game
from connectlab.lab.review import review_game
from connectlab.lab.seats import AgentFailedError
from connectlab.lab.table import Table
from connectlab.lab.thinking import Thinking, ThinkingStoppedError
from connectlab.solver import Solver

TWO_PEOPLE = (HUMAN, HUMAN)
TINY = Geometry(4, 4, 3)
HARD = Geometry(8, 7, 4)


def played(moves: str, geometry: Geometry = STANDARD) -> Table:
    table = Table(TWO_PEOPLE, Position(geometry))
    for character in moves:
        table.play(int(character) - 1)
    return table


def columns_of(table: Table) -> str:
    return table.record().moves


def play_out(table: Table) -> str:
    """Let the person always play the first column with room; return the moves of the game."""
    while not table.position.is_over:
        if table.person_to_move:
            table.play(table.position.legal_columns[0])
        else:
            table.think().result()
    return columns_of(table)


# Playing


def test_moves_alternate_until_somebody_wins() -> None:
    table = played("1212121")
    assert table.state.result == "first"
    assert not table.person_to_move
    with pytest.raises(GameError, match="over"):
        table.play(3)


def test_a_person_cannot_move_for_an_agent_nor_the_other_way_round() -> None:
    table = Table((HUMAN, "random"))
    with pytest.raises(GameError, match="a person is to move"):
        table.think()
    table.play(3)
    with pytest.raises(GameError, match="turn of random"):
        table.play(3)
    table.think().result()
    assert table.person_to_move


def test_a_game_may_begin_in_any_position() -> None:
    drawn = Position.from_drawing("....\n....\nX...\nOX..", connect=3)
    table = Table((HUMAN, "random"), drawn)
    assert table.state.position == drawn
    assert table.agent_to_move is not None, "three stones lie there: the second player is to move"
    assert Table(TWO_PEOPLE, Position.from_moves("44")).state.position.moves == "44"


def test_the_time_of_each_side_is_counted() -> None:
    ticks = itertools.count(0, 10)
    table = Table(TWO_PEOPLE, clock=lambda: next(ticks))
    for column in (0, 1, 2):
        table.play(column)
    assert table.state.seconds == (20, 10)
    table.undo_ply()
    assert table.state.seconds == (10, 10)


# Lots


def test_a_player_draws_another_lot_each_move() -> None:
    table = Table((HUMAN, "random"), seed=5)
    answers = []
    for column in (0, 6, 0, 6, 0):
        table.play(column if column in table.position.legal_columns else 3)
        if table.position.is_over:
            break
        answers.append(table.think().result().column)
    assert len(set(answers)) > 2, answers


def test_equal_seeds_give_equal_games_and_others_others() -> None:
    games = [play_out(Table((HUMAN, "random"), seed=seed)) for seed in (3, 3, 4, 5)]
    assert games[0] == games[1]
    assert len(set(games)) == 3


def test_a_new_game_has_other_lots() -> None:
    table = Table(("random", "random"), seed=1)
    games = []
    for _ in range(4):
        games.append(play_out(table))
        table.new_game()
        assert table.state.moves == ()
    assert len(set(games)) == 4
    assert table.state.game == 4


def test_a_move_played_again_draws_the_same_lot() -> None:
    table = Table((HUMAN, "random"), seed=9)
    table.play(2)
    reply = table.think().result().column
    table.undo()
    table.play(2)
    assert table.think().result().column == reply


def test_an_explanation_is_that_of_the_move() -> None:
    table = Table((HUMAN, "minimax:depth=2"), seed=2)
    with pytest.raises(GameError, match="no player has moved"):
        table.explain()
    table.play(3)
    before = table.position
    column = table.think().result().column
    table.play(next(c for c in table.position.legal_columns))
    explanation = table.explain().result()
    assert explanation.analysis.position == before
    assert explanation.column == column
    assert explanation.analysis.policy[column] > 0
    assert explanation.mover == "minimax:depth=2"
    assert explanation.verdicts.position == before


def test_an_explanation_belongs_to_whoever_made_the_move() -> None:
    table = Table((HUMAN, "minimax:depth=2"))
    table.play(3)
    table.think().result()
    table.sit(1, "random")
    assert table.explain().result().mover == "minimax:depth=2"


# Back and forth


def test_undo_goes_back_to_where_a_person_was_to_move() -> None:
    table = Table((HUMAN, "random"), seed=1)
    for column in (3, 3):
        table.play(column)
        table.think().result()
    whole = columns_of(table)
    table.undo()
    assert columns_of(table) == whole[:2]
    table.redo()
    assert columns_of(table) == whole
    table.undo_ply()
    assert columns_of(table) == whole[:3]
    assert table.agent_to_move is not None
    table.redo_ply()
    assert columns_of(table) == whole


def test_an_end_can_be_taken_back_and_played_again() -> None:
    table = played("1212121")
    table.undo()
    assert table.state.result is None
    table.redo()
    assert table.state.result == "first"


@pytest.mark.parametrize("name", ["undo", "undo_ply", "redo", "redo_ply"])
def test_nothing_to_undo_or_redo_is_said(name: str) -> None:
    table = Table((HUMAN, "random"), Position.from_moves("44"))
    with pytest.raises(GameError, match="no move to"):
        getattr(table, name)()
    assert table.state.position.moves == "44", "the start is not taken back"


def test_two_agents_have_no_move_of_a_person_to_take_back() -> None:
    table = Table(("random", "random"))
    table.think().result()
    with pytest.raises(GameError, match="no move to take back"):
        table.undo()
    table.undo_ply()
    assert table.state.moves == ()


def test_a_new_move_forgets_what_was_taken_back() -> None:
    table = played("123")
    table.undo_ply()
    table.undo_ply()
    table.play(6)
    assert columns_of(table) == "17"
    assert not table.state.can_redo


@given(st.data())
def test_undo_and_redo_undo_each_other(data: st.DataObject) -> None:
    table = Table(TWO_PEOPLE, Position(TINY))
    for _ in range(data.draw(st.integers(0, 16))):
        if table.position.is_over:
            break
        table.play(data.draw(st.sampled_from(table.position.legal_columns)))
    record = table.record()
    back = data.draw(st.integers(0, len(record.moves)))
    for _ in range(back):
        table.undo_ply()
    assert columns_of(table) == record.moves[: len(record.moves) - back]
    for _ in range(back):
        table.redo_ply()
    assert table.record() == record


# Records


@given(st.data())
def test_a_record_sets_the_game_up_again(data: st.DataObject) -> None:
    table = Table((HUMAN, "random"), Position(TINY), seed=data.draw(st.integers(0, 2**64)))
    table.new_game()
    for _ in range(data.draw(st.integers(0, 16))):
        if table.person_to_move:
            table.play(data.draw(st.sampled_from(table.position.legal_columns)))
        elif not table.position.is_over:
            table.think().result()
    record = table.record()
    assert GameRecord.from_json(record.to_text()) == record
    again = Table.from_record(GameRecord.from_json(record.to_text()))
    assert again.record() == record
    assert again.stream == table.stream
    assert GameRecord.parse(record.to_moves(), TINY).end == table.position


def test_a_loaded_game_goes_on_with_the_same_lots() -> None:
    table = Table(("random", "random"), seed=7)
    for _ in range(4):
        table.think().result()
    again = Table.from_record(table.record())
    assert play_out(again) == play_out(table)


def test_a_drawn_start_is_kept_and_has_no_move_string(tmp_path: Path) -> None:
    drawn = Position.from_drawing("....\n....\nX...\nOX..", connect=3)
    table = Table(TWO_PEOPLE, drawn)
    table.play(3)
    assert GameRecord.from_json(table.record().to_text()).end == table.position
    with pytest.raises(GameError, match="no move string"):
        save_game(table.record(), tmp_path / "game.txt")


def test_a_record_keeps_the_moves_that_led_to_its_start(tmp_path: Path) -> None:
    table = Table(TWO_PEOPLE, Position.from_moves("4435"))
    table.play(0)
    record = table.record()
    assert (record.start_moves, record.moves) == ("4435", "1")
    again = Table.from_record(GameRecord.from_json(record.to_text()))
    assert (again.start.moves, again.position.moves) == ("4435", "44351")
    save_game(record, tmp_path / "game.txt")
    assert load_game(tmp_path / "game.txt").end == table.position


def test_games_are_saved_and_loaded(tmp_path: Path) -> None:
    table = played("4453")
    for name in ("game.json", "game.txt"):
        save_game(table.record(), tmp_path / name)
        assert load_game(tmp_path / name).end == table.position
    assert (tmp_path / "game.txt").read_text() == "4453\n"


def test_only_a_game_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada, 44")
    with pytest.raises(GameError, match="holds no game"):
        save_game(played("4").record(), path)
    assert path.read_text() == "Dear Ada, 44"
    path.write_text("44")
    save_game(played("4").record(), path)
    assert path.read_text() == "4\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": "4444444"}, "7 moves, 4 movers"),
        ({"moves": "4459"}, "no column '9'"),
        ({"result": "first"}, "says result 'first'"),
        ({"kind": "something"}, "kind"),
        ({"geometry": {"columns": 0, "rows": 6, "connect": 4}}, "at least 1 column"),
        ({"colour": "red"}, "colour"),
        ({"start_drawing": "...."}, "either start_moves or start_drawing"),
        ({"move_seconds": [1, 1, 1, -1]}, "move_seconds"),
    ],
)
def test_a_record_that_cannot_be_is_refused_in_one_line(
    change: dict[str, object], message: str
) -> None:
    document = played("4453").record().to_json() | change
    with pytest.raises(GameError, match=message) as caught:
        GameRecord.from_json(json.dumps(document))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[1]", "{}", "not a game", "44x", "{" * 5000])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(GameError):
        GameRecord.parse(text)


def test_a_game_that_cannot_be_loaded_leaves_the_table_as_it_is() -> None:
    table = played("445")
    bad = table.record().model_copy(update={"players": ("nobody", HUMAN)})
    with pytest.raises(UserError, match="no player 'nobody'"):
        table.load(bad)
    assert columns_of(table) == "445"


def test_a_move_string_keeps_the_players_and_draws_new_lots() -> None:
    table = Table((HUMAN, "random"), seed=3)
    stream = table.stream
    table.load(GameRecord.parse("44"))
    assert table.state.players == (HUMAN, "random")
    assert table.stream != stream


def test_a_record_says_who_made_each_move() -> None:
    table = Table((HUMAN, "random"))
    table.play(0)
    table.think().result()
    table.sit(1, HUMAN)
    table.play(0)
    table.play(0)
    assert table.record().movers == (HUMAN, "random", HUMAN, HUMAN)
    assert table.record().players == TWO_PEOPLE


# Players that fail

BAD = [
    (Crashing(RuntimeError("out\nof\nideas")), "fake failed (RuntimeError: out of ideas)"),
    (Crashing(AgentError("too hard")), "fake: too hard"),
    (Crashing(SystemExit(3)), "fake failed (SystemExit: 3)"),
    (Nameless(KeyError("x")), "Nameless failed (KeyError: 'x')"),
    (Lying(7), "fake made no legal move: there is no column 8: choose 1 to 7"),
    (Lying(0), "fake made no legal move: column 1 is full"),
    (Lying(None), "fake answered None, which is no column"),
    (Lying(True), "fake answered True, which is no column"),
]


@pytest.mark.parametrize(("agent", "line"), BAD, ids=[line for _, line in BAD])
def test_a_player_that_fails_is_named_and_the_game_goes_on(agent: Fake, line: str) -> None:
    table = Table((agent, HUMAN), Position.from_moves("111111"))
    with pytest.raises(AgentFailedError) as caught:
        table.think().result()
    assert str(caught.value) == line == table.state.failure
    assert table.state.moves == ()
    table.sit(0, "random")
    assert table.state.failure is None
    assert table.think().result().mover == "random"


def test_after_a_failure_moves_can_be_taken_back() -> None:
    table = Table((HUMAN, Crashing(RuntimeError("no"))))
    table.play(3)
    with pytest.raises(AgentFailedError):
        table.think().result()
    table.undo()
    assert table.person_to_move
    assert table.state.failure is None


def test_a_bad_explanation_is_named_too() -> None:
    table = Table((Lying(3), HUMAN))
    table.think().result()
    with pytest.raises(AgentFailedError, match="fake explains itself with 'because'"):
        table.explain().result()


def test_perfect_play_on_a_board_too_hard_gives_up_by_name() -> None:
    table = Table((HUMAN, "perfect:max_nodes=1000"), Position(HARD))
    table.play(3)
    with pytest.raises(AgentFailedError, match=r"^perfect:max_nodes=1000 cannot solve"):
        table.think().result()
    assert columns_of(table) == "4"


# Thinking


def test_a_stopped_player_does_not_move_any_more() -> None:
    slow = Slow()
    table = Table((slow, HUMAN))
    thinking = table.think()
    assert slow.asked.acquire(timeout=60)
    assert table.state.thinking
    table.stop_thinking()
    with pytest.raises(ThinkingStoppedError):
        thinking.result()
    slow.release.set()
    assert not table.state.thinking
    assert table.think().result().column == 0
    assert columns_of(table) == "1", "the first answer came too late and was dropped"


@pytest.mark.parametrize(
    "change",
    [Table.undo, Table.new_game, lambda table: table.sit(1, "random")],
    ids=["undo", "new", "sit"],
)
def test_a_late_answer_does_not_fall_into_another_game(change: object) -> None:
    slow = Slow()
    table = Table((HUMAN, slow))
    table.play(3)
    thinking = table.think()
    assert slow.asked.acquire(timeout=60)
    change(table)  # type: ignore[operator]
    before = table.position
    slow.release.set()
    with pytest.raises(ThinkingStoppedError):
        thinking.result()
    assert table.position is before


def test_asked_twice_a_player_thinks_once() -> None:
    slow = Slow()
    table = Table((slow, HUMAN))
    assert table.think() is table.think()
    slow.release.set()
    table.think().result()
    assert len(table.state.moves) == 1


def test_many_threads_make_one_move_each_turn() -> None:
    table = Table(("random", "random"), seed=2)
    alone = play_out(Table(("random", "random"), seed=2))

    def press_on() -> None:
        while not table.position.is_over:
            with contextlib.suppress(GameError, ThinkingStoppedError):
                table.think().result()

    threads = [threading.Thread(target=press_on) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert columns_of(table) == alone


def test_a_stop_after_the_result_changes_nothing() -> None:
    thinking = Thinking(lambda _stopped: lambda: 7)
    assert thinking.result() == 7
    thinking.stop()
    assert thinking.result() == 7
    assert not thinking.stopped


def test_work_is_told_that_nobody_waits() -> None:
    noticed = threading.Event()

    def work(stopped: object) -> object:
        while not stopped():  # type: ignore[operator]
            pass
        noticed.set()
        return lambda: None

    thinking = Thinking(work)  # type: ignore[arg-type]
    thinking.stop()
    assert noticed.wait(60)


# Hints and reviews


def test_a_hint_gives_the_perfect_scores() -> None:
    hint = Table(TWO_PEOPLE).hint().result()
    assert hint.scores == (-2, -1, 0, 1, 0, -1, -2)
    assert hint.advice == "Perfect play: 4, which wins in 41 plies."
    with pytest.raises(GameError, match="over"):
        played("1212121").hint()


@pytest.mark.parametrize("geometry", [HARD, Geometry(9, 6, 4)], ids=str)
@pytest.mark.parametrize("limits", [{"deadline_s": 0.5}, {"deadline_s": 60, "max_nodes": 5000}])
def test_a_hint_on_a_hard_board_says_that_there_was_no_time(
    geometry: Geometry, limits: dict[str, float]
) -> None:
    hint = Table(TWO_PEOPLE, Position(geometry)).hint(**limits).result()  # type: ignore[arg-type]
    assert set(hint.scores) == {None}
    assert "could not be found out in time" in hint.advice


def test_what_is_easy_is_found_beside_what_is_hard() -> None:
    """The win at once is found on a board where nothing else is."""
    hint = played("435161", HARD).hint(deadline_s=60, max_nodes=1000).result()
    assert hint.scores[6] == 25
    assert None in hint.scores
    assert "7 win" in hint.advice
    assert hint.advice.endswith("not all columns could be found out in time.")


def test_a_review_finds_what_was_thrown_away() -> None:
    """X opens at the edge and loses the win; O does not stop three in a row."""
    review = played("1212121").review().result()
    assert (review.blunders[0].number, review.blunders[0].thrown_away) == (1, "win")
    assert review.decisive is not None
    assert review.decisive.number == 6
    assert not review.decisive.by_first
    assert "1" in review.decisive.keeping
    assert review.decisive.sentence.startswith("Move 6, column 2, turned a win into a loss")
    assert review.unknown == 0


def test_the_scores_of_a_review_are_those_of_the_solver() -> None:
    table = played("142332", TINY)
    solver = Solver(TINY)
    position = Position(TINY)
    for move in table.review().result().moves:
        assert move.before == solver.score(position)
        assert move.after == -solver.score(position.play(move.column))
        worse = (move.after > 0) - (move.after < 0) < (move.before > 0) - (move.before < 0)
        assert (move.thrown_away is not None) == worse
        position = position.play(move.column)


@pytest.mark.parametrize("moves", ["", "1", "14", "142", "1423", "142332"])
def test_a_graph_of_a_review_has_every_position_for_the_first_player(moves: str) -> None:
    """The game ends after a move of either side, as the last score has a sign of its own."""
    solver, position = Solver(TINY), Position(TINY)
    expected = [solver.score(position)]
    for number, column in enumerate(moves, start=1):
        position = position.play(int(column) - 1)
        expected.append(solver.score(position) * (-1) ** number)
    scores = played(moves, TINY).review().result().first_player_scores
    assert list(scores) == (expected if moves else [None])


def test_the_graph_of_a_game_that_the_second_player_won_ends_below() -> None:
    scores = played("141424", TINY).review().result().first_player_scores
    assert scores[-1] is not None
    assert scores[-1] < 0


def test_a_faultless_game_has_no_blunders() -> None:
    table = Table(("perfect", "perfect"), Position(TINY), seed=1)
    play_out(table)
    review = table.review().result()
    assert review.blunders == ()
    assert review.sentences == ("No win and no draw was thrown away.",)


def test_a_review_without_time_says_so() -> None:
    review = played("4455", HARD).review(deadline_s=0.2).result()
    assert review.unknown > 0
    assert "could not be judged in time" in review.sentences[-1]
    assert review_game(Solver(TINY), Position(TINY), []).sentences == (
        "There is no move to look back at.",
    )


def test_a_state_is_plain_data() -> None:
    state = json.loads(json.dumps(played("1212121").state.to_json()))
    assert state["result"] == "first"
    assert state["to_move"] is None
    assert state["legal_columns"] == []
    assert state["winning_cells"] == [["1", 1], ["1", 2], ["1", 3], ["1", 4]]
    assert state["moves"] == "1212121"

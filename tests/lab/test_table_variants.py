"""Games with chance and hidden boards at a table: what happened is known, kept and taken back."""

from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.errors import GameError
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.lockstep import Lockstep
from connectlab.game.variants import Variant
from connectlab.lab.records import HUMAN, GameRecord, load_game, save_game
from connectlab.lab.table import Table

BOTH = Geometry(7, 6, 4, Variant(slip=0.4, drop_row=0.3))


def play_out(table: Table) -> None:
    while not table.position.is_over:
        if table.person_to_move:
            table.play(table.position.legal_columns[0])
        else:
            table.think().result()


def finished(seed: int) -> Table:
    table = Table((HUMAN, "minimax:depth=2"), Position(BOTH), seed=seed)
    play_out(table)
    return table


def test_a_game_at_the_table_is_the_game_of_the_arena() -> None:
    agent = make_agent("minimax:depth=2", BOTH)
    table = Table((agent, agent), Position(BOTH), seed=6)
    running = Lockstep.start(range(1), BOTH, seed=6)
    while len(running):
        table.think().result()
        running = running.play(agent.choose(running.batch))
    assert table.position.is_over
    assert running.records.outcomes[0] == table.position.outcome
    assert running.records.plies[0] == table.position.n_moves


def test_what_slipped_and_fell_is_told_and_replays_exactly(tmp_path: Path) -> None:
    table = finished(3)
    moves = table.state.moves
    assert any(move.chosen is not None for move in moves)
    assert any(move.fell for move in moves)
    assert all(abs(move.column - move.chosen) == 1 for move in moves if move.chosen is not None)
    record = table.record()
    assert record.moves.count("_") == sum(move.fell for move in moves)
    assert GameRecord.from_json(record.to_text()).end == table.position
    for name in ("game.json", "game.txt"):
        save_game(record, tmp_path / name)
        assert load_game(tmp_path / name, BOTH).end == table.position
    again = Table.from_record(record)
    assert again.position == table.position
    assert again.state.moves[0].mover == HUMAN


def test_taking_back_and_playing_again_gives_the_same_chances() -> None:
    table = finished(4)
    end, n = table.position, len(table.state.moves)
    for _ in range(n):
        table.undo_ply()
    assert table.position == Position(BOTH)
    for _ in range(n):
        table.redo_ply()
    assert table.position == end
    table.undo()
    assert table.person_to_move
    play_out(table)
    assert table.position == end


def test_seats_alternate_though_stones_leave_the_board() -> None:
    table = finished(5)
    assert table.position.fallen > 0
    movers = [move.mover for move in table.state.moves]
    assert movers[::2] == [HUMAN] * len(movers[::2])
    assert movers[1::2] == ["minimax:depth=2"] * len(movers[1::2])


def test_the_state_tells_what_chance_did_and_only_where_there_is_any() -> None:
    table = finished(3)
    while table.state.moves[-1].chosen is None or not table.state.moves[-1].fell:
        table.undo_ply()
    last, told = table.state.moves[-1], table.state.to_json()
    assert last.chosen is not None
    assert told["row_fell"] is True
    assert told["slipped_from"] == str(last.chosen + 1)
    assert told["geometry"] == BOTH.to_json()
    plain = Table((HUMAN, HUMAN)).state.to_json()
    assert not {"row_fell", "slipped_from"} & plain.keys()
    assert plain["geometry"] == {"columns": 7, "rows": 6, "connect": 4}


def test_perfect_play_is_not_asked_about_another_game() -> None:
    table = Table((HUMAN, "minimax:depth=2"), Position(BOTH), seed=3)
    table.play(3)
    table.think().result()
    for question in (table.hint, table.review):
        with pytest.raises(GameError, match="perfect play knows only the plain game"):
            question()
    explanation = table.explain().result()
    assert explanation.verdicts is None
    assert explanation.analysis.position.n_moves == 1


def test_why_names_the_column_that_was_meant() -> None:
    for seed in range(20):
        table = Table(("minimax:depth=1,force_center=true", HUMAN), Position(BOTH), seed=seed)
        table.think().result()
        assert table.explain().result().column == 3
    assert {Table((HUMAN, HUMAN), Position(BOTH), seed=s).play(3).column for s in range(20)} == {
        2,
        3,
        4,
    }


def test_a_plain_record_looks_as_ever() -> None:
    record = GameRecord.of_moves("4453")
    assert record.to_json()["geometry"] == {"columns": 7, "rows": 6, "connect": 4}
    assert GameRecord.from_json(record.to_text()) == record


@pytest.mark.parametrize("moves", ["_", "_4", "4__"])
def test_a_record_that_lies_about_a_fall_is_refused(moves: str) -> None:
    record = Table((HUMAN, HUMAN), Position(BOTH), seed=1).record()
    n = moves.count("4")
    lie = {"moves": moves, "movers": (HUMAN,) * n, "move_seconds": (0.0,) * n}
    with pytest.raises(GameError, match="a row falls after a move"):
        GameRecord.from_json(record.model_copy(update=lie).to_text())


def test_a_player_thinks_with_fresh_numbers_after_a_fall() -> None:
    board = Geometry(4, 4, 3, Variant(drop_row=0.5))
    fell, new = Position.from_moves("1_", board), Position(board)
    streams = PositionBatch.of([fell, new], streams=[9, 9]).streams
    assert streams[1] == 9
    assert streams[0] != 9

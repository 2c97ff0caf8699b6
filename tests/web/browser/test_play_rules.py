"""The page plays by the same rules as the house."""

import random

import pytest
from playwright.sync_api import Page

from connectlab.errors import GameError
from connectlab.game import Geometry, Position
from connectlab.game.variants import Variant
from connectlab.lab.records import RESULTS

BOARDS = [
    Geometry(),
    Geometry(4, 4, 3),
    Geometry(9, 6, 4),
    Geometry(12, 4, 5),
    Geometry(5, 5, 6),
    Geometry(1, 5, 3),
    Geometry(32, 1, 3),
]
GAMES = 12

PLAY = """async ({moves, columns, rows, connect}) => {
  const {Geometry, Position, formatMoves, parseMoves} = await import("/js/rules.js");
  const geometry = new Geometry(columns, rows, connect);
  let position = new Position(geometry);
  const told = () => ({
    drawing: position.drawing(), legal: position.legal, result: position.result,
    line: position.winningCells.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]), side: position.side,
  });
  const all = [told()];
  for (const column of parseMoves(moves, geometry)) {
    position = position.play(column);
    all.push(told());
  }
  const again = Position.fromDrawing(position.compactDrawing(), geometry);
  return {
    all, moves: formatMoves(parseMoves(moves, geometry), geometry),
    same: again.drawing() === position.drawing() && again.side === position.side,
  };
}"""


def test_random_games_are_the_same_in_both(page: Page) -> None:
    for geometry in BOARDS:
        for game in range(GAMES):
            moves, expected = _random_game(geometry, random.Random(game))
            told = page.evaluate(
                PLAY,
                {
                    "moves": moves,
                    "columns": geometry.columns,
                    "rows": geometry.rows,
                    "connect": geometry.connect,
                },
            )
            assert told["all"] == expected, f"{geometry}: {moves}"
            assert told["moves"] == moves
            assert told["same"]


def _random_game(geometry: Geometry, lots: random.Random) -> tuple[str, list[dict[str, object]]]:
    """Return the moves of a random game, and what is true of every position in it."""
    position = Position(geometry)
    told = [_told(position)]
    while not position.is_over:
        position = position.play(lots.choice(position.legal_columns))
        told.append(_told(position))
    return position.moves, told


def _told(position: Position) -> dict[str, object]:
    rows = position.drawing().splitlines()[:-1]
    line = [list(cell) for cell in position.winning_line]
    return {
        "drawing": "\n".join(row.replace(" ", "") for row in rows),
        "legal": list(position.legal_columns),
        "result": RESULTS.get(position.outcome),
        "line": sorted(line),
        "side": 0 if position.first_to_move else 1,
    }


FALLS = """async (games) => {
  const {Game} = await import("/js/game.js");
  const geometry = {columns: 4, rows: 4, connect: 3, variant: "drop-row:0.3"};
  return games.map((moves) => {
    const game = new Game();
    try { game.load({geometry, moves}); } catch { return null; }
    const {position} = game;
    return {drawing: position.drawing(), side: position.side, result: position.result,
      moves: game.moveString()};
  });
}"""
FALLING = Geometry(4, 4, 3, Variant(drop_row=0.3))


def test_rows_fall_in_the_page_as_in_the_house(page: Page) -> None:
    """Whether a row may fall is the same too: after a move, not twice, not after the last."""
    lots = random.Random(8)
    games = ["".join(lots.choices("1234_", k=lots.randint(1, 9))) for _ in range(1500)]
    expected = [_fallen(moves) for moves in games]
    assert 100 < expected.count(None) < 1400
    assert page.evaluate(FALLS, games) == expected


def _fallen(moves: str) -> dict[str, object] | None:
    try:
        position = Position.from_moves(moves, FALLING)
    except GameError:
        return None
    told = _told(position)
    return {name: told[name] for name in ("drawing", "side", "result")} | {"moves": moves}


REFUSED = """async ([columns, rows, connect]) => {
  const {Geometry} = await import("/js/rules.js");
  try { new Geometry(columns, rows, connect); return null; } catch (error) { return error.message; }
}"""


def test_boards_that_the_house_refuses_are_refused(page: Page) -> None:
    for board in ((0, 6, 4), (7, 0, 4), (7, 6, 2), (33, 1, 3), (9, 7, 4)):
        with pytest.raises(GameError):
            Geometry(*board)
        assert page.evaluate(REFUSED, board)

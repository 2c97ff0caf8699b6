"""Games that people paste, and games that are kept."""

from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from connectlab.errors import GameError
from connectlab.game import Position
from connectlab.game.geometry import Geometry
from connectlab.integrations.kaggle.replays import Replay, read_replay
from connectlab.lab.archive import Archive, KeptGame
from connectlab.lab.records import GameRecord, geometry_record
from connectlab.web.boards import board_of
from connectlab.web.models.games import (
    FindIn,
    Game,
    GameOut,
    GamesOut,
    KeepIn,
    ListIn,
    ReadIn,
    ReadOut,
)

DRAWN = set("xXoO.") | set("0123456789abcdefghijklmnopqrstuvw") | set(" \t\r\n")
UNLIMITED = 2**62


def read(asked: ReadIn) -> ReadOut:
    """Read a game from what somebody pasted, whatever it is."""
    text, board = asked.text.strip(), board_of(asked.board)
    if text.startswith("{") and '"steps"' in text:
        return _replay(read_replay(text))
    if _is_drawing(text):
        return _told("drawing", _drawn(text, board))
    source = "game" if text.startswith("{") else "moves"
    return _told(
        source, GameRecord.parse("".join(text.split()) if source == "moves" else text, board)
    )


def keep(asked: KeepIn) -> GameOut:
    """Keep a finished game."""
    archive = Archive(Path(asked.folder), most_games=asked.most_games, most_bytes=asked.most_bytes)
    return _kept(archive.keep(asked.id, record_of(asked.record)))


def find(asked: FindIn) -> GameOut:
    """Return one game."""
    return _kept(_archive(asked.folder).find(asked.id))


def newest(asked: ListIn) -> GamesOut:
    """Return the games that were kept last."""
    archive = _archive(asked.folder)
    games = []
    for one in archive.newest(asked.n, asked.offset):
        with suppress(GameError):  # the terminal takes more than the page can show
            games.append(_kept(one))
    return GamesOut(total=len(archive), games=games)


def record_of(game: Game) -> GameRecord:
    """Return a game of a request as the lab has it, played by our rules."""
    return GameRecord.from_json(game.model_dump_json())


def _archive(folder: str) -> Archive:
    return Archive(Path(folder), most_games=UNLIMITED, most_bytes=UNLIMITED)


def _game(record: GameRecord) -> Game:
    try:
        return Game.model_validate(record.to_json())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise GameError(
            f"the page cannot show this game: {place}: {first['msg'].lower()}"
        ) from None


def _kept(one: KeptGame) -> GameOut:
    return GameOut(id=one.id, saved=one.saved, record=_game(one.record))


def _told(source: str, record: GameRecord) -> ReadOut:
    return ReadOut.model_validate(
        {"source": source, "record": _game(record), "names": None, "note": ""}
    )


def _replay(replay: Replay) -> ReadOut:
    lost = replay.forfeit
    side = "" if lost is None else "first" if lost.first else "second"
    return ReadOut(
        source="kaggle",
        record=_game(GameRecord.of_moves(replay.moves, replay.geometry)),
        names=None if replay.names is None else list(replay.names),
        note="" if lost is None else f"The {side} player {lost.reason} and lost.",
    )


def _is_drawing(text: str) -> bool:
    """Whether this shows a board: several lines, with a cell that no move is written as."""
    return "\n" in text and set(text) <= DRAWN and bool(set(text) & set(".xXoO"))


def _drawn(text: str, board: Geometry) -> GameRecord:
    position = Position.from_drawing(text, board.connect)
    return GameRecord(
        geometry=geometry_record(position.geometry),
        start_moves=None,
        start_drawing=position.drawing(),
    )

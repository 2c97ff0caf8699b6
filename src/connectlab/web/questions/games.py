"""Games that people paste, and games that are kept."""

from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from connectlab.errors import GameError
from connectlab.integrations.kaggle.replays import Replay, read_replay
from connectlab.lab.archive import Archive, KeptGame
from connectlab.lab.pasted import read_pasted
from connectlab.lab.records import GameRecord
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

UNLIMITED = 2**62


def read(asked: ReadIn) -> ReadOut:
    """Read a game from what somebody pasted, whatever it is."""
    if asked.text.lstrip().startswith("{") and '"steps"' in asked.text:
        return _replay(read_replay(asked.text))
    found = read_pasted(asked.text, board_of(asked.board))
    return ReadOut(source=found.source, record=_game(found.record), names=None, note=found.note)


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


def _replay(replay: Replay) -> ReadOut:
    lost = replay.forfeit
    side = "" if lost is None else "first" if lost.first else "second"
    return ReadOut(
        source="kaggle",
        record=_game(GameRecord.of_moves(replay.moves, replay.geometry)),
        names=None if replay.names is None else list(replay.names),
        note="" if lost is None else f"The {side} player {lost.reason} and lost.",
    )

"""A child process with a Kaggle agent, and the games it plays."""

import sys
import time
from collections import OrderedDict
from threading import Lock

from connectlab.agents.kaggle.config import KaggleSettings
from connectlab.agents.kaggle.episode import Answer, Episode
from connectlab.agents.kaggle.observation import configure, mark_of, observe
from connectlab.agents.kaggle.protocol import (
    HOST,
    HostError,
    HostProcess,
    Told,
    exchange,
    introduce,
)
from connectlab.agents.kaggle.submission import Submission
from connectlab.agents.settings import AgentError
from connectlab.game import Geometry, Position
from connectlab.game.notation import column_name

SLACK_S = 1.0
"""Beyond its time, for the way to the child and back; then it is killed."""
MOST_EPISODES = 1 << 16
"""Clocks and last answers that are kept, those used last."""

Key = tuple[int, int]
"""A stream and a mark: one side of one game."""


class Worker:
    """Asks one agent, in one child process that is started when it is needed."""

    def __init__(
        self, settings: KaggleSettings, submission: Submission, geometry: Geometry
    ) -> None:
        self.settings = settings
        self.submission = submission
        self.geometry = geometry
        self.lock = Lock()
        """Whoever asks holds it."""
        self._process: HostProcess | None = None
        self._held: OrderedDict[Key, None] = OrderedDict()
        """Games whose globals the child holds, those asked last at the end."""
        self._episodes: OrderedDict[Key, Episode] = OrderedDict()

    def ask(self, position: Position, stream: int) -> Answer:
        """Return the agent's answer in a position of the game with this stream."""
        key = (stream, mark_of(position))
        episode = self._episodes.pop(key, None)
        begins = False
        if episode is None or not (episode.has_answered(position) or episode.leads_to(position)):
            episode, begins = Episode(self.settings.overage), True
        self._episodes[key] = episode  # at the end: those asked last are kept
        if len(self._episodes) > MOST_EPISODES:
            self._episodes.popitem(last=False)
        if not episode.has_answered(position):
            episode.note(position, self._put(key, position, episode, begins=begins))
        return episode.answer

    def close(self) -> None:
        """End the child; it starts again when it is needed."""
        if self._process is not None:
            self._process.close()
        self._process = None
        self._held.clear()

    def kill(self) -> None:
        """End the child without asking."""
        if self._process is not None:
            self._process.kill()
        self._process = None
        self._held.clear()

    def _put(self, key: Key, position: Position, episode: Episode, *, begins: bool) -> Answer:
        """Ask the child; one that fails is ended, and the game is forfeit."""
        process = self._process or self._start()
        load = begins or key not in self._held
        allowed_s = self.settings.seconds + episode.overage_s + SLACK_S
        if load and not begins:  # that it has to load again is our doing, so the clock stands
            allowed_s += self.settings.start_seconds
        deadline = time.monotonic() + allowed_s
        try:
            told = exchange(process, self._question(key, position, episode, load), deadline)
        except HostError as error:
            self.kill()
            return self._late() if time.monotonic() >= deadline else Answer(None, str(error))
        except BaseException:  # interrupted: the answer would be taken for the next one
            self.kill()
            raise
        used_s = told.act_s + (told.load_s if begins else 0.0)
        in_time = episode.charge(used_s, self.settings.seconds)
        return self._judge(told, position) if in_time else self._late()

    def _question(
        self, key: Key, position: Position, episode: Episode, load: bool
    ) -> dict[str, object]:
        """Return what the child is asked, and keep account of the games it holds."""
        self._held[key] = None
        self._held.move_to_end(key)
        forget: Key | None = None
        if len(self._held) > self.settings.games_kept:
            forget, _ = self._held.popitem(last=False)
        return {
            "game": _name(key),
            "load": load,
            "forget": forget and _name(forget),
            "seed": f"{key[0]}/{position.n_moves}",
            "observation": observe(position, episode.overage_s),
        }

    def _judge(self, told: Told, position: Position) -> Answer:
        """Return the column, or why it is none."""
        if told.raised:
            return Answer(None, f"raised {told.raised}")
        if told.wrong:
            return Answer(None, f"answered {told.wrong}, which is no int of Python")
        if not 0 <= told.action < self.geometry.columns:
            return Answer(None, f"answered {told.action}, which is no column of {self.geometry}")
        if told.action not in position.legal_columns:
            name = column_name(told.action, self.geometry)
            return Answer(None, f"played column {name}, which is full")
        return Answer(told.action)

    def _late(self) -> Answer:
        seconds, overage = self.settings.seconds, self.settings.overage
        return Answer(None, f"took longer than {seconds:g} s a move and {overage:g} s a game")

    def _start(self) -> HostProcess:
        """Start a child, which holds no game yet, and tell it the board."""
        place = self.submission
        words = [sys.executable, "-P", str(HOST), str(place.file), str(place.folder)]
        process = HostProcess(words, self.settings.source, "")
        try:
            introduce(process, configure(self.settings, self.geometry), self.settings.start_seconds)
        except HostError as error:
            raise AgentError(f"kaggle: the child for {self.settings.source} {error}") from None
        except BaseException:
            process.kill()
            raise
        self._held.clear()
        self._process = process
        return process


def _name(key: Key) -> str:
    stream, mark = key
    return f"{stream}/{mark}"

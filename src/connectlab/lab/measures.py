"""The measures that judge a player, each named by a spec string in the grammar of players.

``success``, ``success:games=500,objective=outcome``, ``exact``, ``quota:games=1000``,
``score:"minimax:depth=4",games=100,sides=first``, ``accuracy:per_class=50``, ``proof``. Nothing
here needs a kernel.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from pydantic import Field

from connectlab.agents.settings import AgentError, Objective
from connectlab.agents.spec import Spec, suggest
from connectlab.settings import NamedSettings

NONE = "none"
"""The word for no measure at all."""
MOST_GAMES = 100_000_000
MOST_SAMPLED = 100_000_000


class Measure(NamedSettings):
    """What is measured, and how thoroughly."""

    @property
    def needs_opening(self) -> bool:
        """Whether perfect play must know the board from the first move on."""
        return True

    @property
    def spec(self) -> str:
        """The shortest spec string that names this measure."""
        return str(Spec.of(self))


class SuccessMeasure(Measure):
    """Games in which the player moves first against the perfect one."""

    name = "success"
    summary = "mean score when it moves first against perfect play"

    games: int = Field(default=200, ge=1, le=MOST_GAMES)
    """Games to play."""
    objective: Objective = "distance"
    """The perfect player wins soonest and loses latest, or only keeps the outcome, or in a lost
    opening plays any move that does not lose at once (``framework``), nor loses where a search as
    in the framework of Thill and Konen sees it (``framework-books``)."""


class ExactMeasure(Measure):
    """All games against the perfect player that can come about."""

    name = "exact"
    summary = "the success rate over all games that can come about, without sampling"

    objective: Objective = "distance"
    """What the perfect player aims at, as for success."""


class QuotaMeasure(Measure):
    """Games against the random player, with alternating sides."""

    name = "quota"
    summary = "share of games won against random, and games won by games lost"

    games: int = Field(default=1000, ge=1, le=MOST_GAMES)
    """Games to play."""

    @property
    def needs_opening(self) -> bool:
        """Nothing is asked of perfect play."""
        return False


class ScoreMeasure(Measure):
    """Games against any player, with alternating sides or from one of them."""

    name = "score"
    summary = "mean score against any player, as in score:minimax"

    source: str
    """The spec string of the opponent; in quotes if it has a comma."""
    games: int = Field(default=100, ge=1, le=MOST_GAMES)
    """Games to play."""
    sides: Literal["alternate", "first", "second"] = "alternate"
    """Whether the player moves first and second in turn, always first, or always second."""

    @property
    def needs_opening(self) -> bool:
        """Nothing is asked of perfect play."""
        return False


class AccuracyMeasure(Measure):
    """Moves in solved positions."""

    name = "accuracy"
    summary = "share of moves that keep the outcome of solved positions"

    per_class: int = Field(default=50, ge=1, le=100_000)
    """Positions of each class, if they are made."""
    positions: str | None = None
    """File with positions; without it they are made."""

    @property
    def needs_opening(self) -> bool:
        """Positions that are given may be late enough to be solved on any board."""
        return self.positions is None


class ProofMeasure(Measure):
    """Every game that can come about, whatever the opponent plays."""

    name = "proof"
    summary = "whether anybody can take away what is the player's, in all games there can be"

    side: Literal["first", "second"] = "first"
    """Which side the player has."""
    keep: Literal["result", "gifts"] | None = None
    """What it has to hold: the theoretical result of its side, or whatever an opponent gives it;
    by default the result, and gifts where its side is lost."""
    sample: int | None = Field(default=None, ge=8, le=MOST_SAMPLED)
    """Look at so many positions of each ply instead of all: an estimate, and no proof."""
    holes: str | None = None
    """File for all holes, one a line, as moves from the empty board."""
    memory_mb: int = Field(default=4096, ge=16, le=1 << 22)
    """Positions beyond it are kept on disk."""
    positions: int = Field(default=2_000_000_000, ge=1, le=10**12)
    """Give up beyond so many positions."""
    merge: bool = True
    """Count a position and its mirror image as one, if the player says that it is symmetric."""


KINDS: dict[str, type[Measure]] = {
    kind.name: kind
    for kind in (
        SuccessMeasure,
        ExactMeasure,
        QuotaMeasure,
        ScoreMeasure,
        AccuracyMeasure,
        ProofMeasure,
    )
}


Defaults: TypeAlias = Mapping[str, Mapping[str, str]]
"""Settings by the name of a measure, for what its spec string leaves open."""


def parse_measure(text: str, defaults: Defaults | None = None) -> Measure:
    """Read the spec string of a measure; an unknown name or setting gets a suggestion."""
    written = Spec.parse(text)
    spec = Spec(written.name, {**(defaults or {}).get(written.name, {}), **written.settings})
    if spec.name not in KINDS:
        raise AgentError(f"there is no measure {spec.name!r}{suggest(spec.name, list(KINDS))}")
    if spec.name == ScoreMeasure.name and "source" not in spec.settings:
        raise AgentError("score needs an opponent after the colon, as in score:minimax")
    measure = spec.validate(KINDS[spec.name])
    if isinstance(measure, ScoreMeasure):
        _check_player(measure.source)
    return measure


def parse_measures(texts: Iterable[str], defaults: Defaults | None = None) -> tuple[Measure, ...]:
    """Read several measures; "none" alone is none of them, and none may come twice."""
    given = [text.strip() for text in texts]
    if given == [NONE]:
        return ()
    if NONE in given:
        raise AgentError(f'"{NONE}" stands for no measure, so it stands alone')
    measures = tuple(dict.fromkeys(parse_measure(text, defaults) for text in given))
    if len(measures) < len(given):
        raise AgentError("the same measure is named twice")
    return measures


def _check_player(text: str) -> None:
    """Refuse the spec of a player that does not exist or is set up wrongly."""
    from connectlab.agents.registry import settings_class

    spec = Spec.parse(text)
    spec.validate(settings_class(spec.name))

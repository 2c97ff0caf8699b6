"""The runs of Dangel 2021: one for each row of its tables, which its figures look into.

20,000 games (the paper's episodes) against random, sides switched every 1,000, epsilon falling
within 1,500, the target network copied every 50, a replay buffer of 20,000 moves. A shorter run is
a miniature: all of these shrink with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from connectlab.arena.results import Tally
from connectlab.arena.statistics import fisher_exact
from connectlab.lab.measures import parse_measure
from connectlab.lab.papers.cells import TrainingCell, training_cell
from connectlab.lab.papers.experiment import Scale, Size
from connectlab.lab.papers.page import Compared
from connectlab.lab.papers.results import Found, Trained, unknown_version
from connectlab.lab.papers.verdict import Verdict, verdict_of
from connectlab.lab.statistics import SIGNIFICANT
from connectlab.training.measurement import Measurement

PAPER = "Dangel 2021"
EPISODES = 20_000
PUBLISHED_GAMES = 100
"""Games of a judgement in the paper."""
FINAL_GAMES = 10
"""Games at the end for each game of a judgement on the way."""
LEAST_CHANCE = 0.001
"""Chances below it are told as that."""
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=12, repeats=1, tests=4, points=2),
    "quick": Size(games=500, repeats=1, tests=50, points=10),
    "full": Size(games=EPISODES, repeats=1, tests=PUBLISHED_GAMES, points=40),
}
MINUTES_A_RUN: Mapping[Scale, float] = {"mini": 0.05, "quick": 0.6, "full": 18}
"""Of one core: 945 to 1,500 s of learning at the full scale, which is 20 games a second."""
BATCH = 32
OPPONENTS = ("random", "negamax")
REWARD = "reward"
ALLOW = "invalid=allow"


def core_minutes(runs: int) -> Mapping[Scale, float]:
    """Return how long so many runs take."""
    return {scale: runs * minutes for scale, minutes in MINUTES_A_RUN.items()}


@dataclass(frozen=True)
class Row:
    """A run of the paper, and the games in a hundred that it won."""

    preset: str
    name: str
    random: int = 0
    negamax: int = 0
    allows: bool = False
    """Whether it is judged with full columns allowed as well."""

    def cell(self, size: Size) -> TrainingCell:
        """Return its run."""
        games = size.games
        return training_cell(
            "dqn",
            self.preset,
            {
                "games": games,
                "seed": 1,
                "device": "cpu",
                **shrunk_settings(games),
            },
            measures=(f"quota:games={size.tests}",),
            evaluation_every=size.evaluation_every,
            final=tuple(final_measure(opponent, size) for opponent in OPPONENTS),
            also_as=(ALLOW,) if self.allows else (),
            keeps=(REWARD,),
        )

    def trained(self, found: Found, size: Size) -> Trained | None:
        """Return its run as it was made."""
        result = found.get(self.cell(size))
        return None if result is None else Trained.of(result)

    def published(self, opponent: str) -> int:
        """Return the published percentage."""
        return self.random if opponent == "random" else self.negamax


def shrunk_settings(games: int) -> dict[str, int]:
    """Return the settings that are counted in games or moves, for a run of so many games."""
    return {
        "switch_every": _shrunk(1_000, games),
        "epsilon_games": _shrunk(1_500, games),
        "target_every": _shrunk(50, games),
        "replay": max(BATCH, _shrunk(20_000, games)),
    }


def _shrunk(number: int, games: int) -> int:
    return max(1, number * games // EPISODES)


def final_games(size: Size) -> int:
    """Return the games of a judgement at the end."""
    return FINAL_GAMES * size.tests


def final_measure(opponent: str, size: Size) -> str:
    """Return what judges a run at its end."""
    return f"score:{opponent},games={final_games(size)}"


class Final(NamedTuple):
    """The games of a run at its end."""

    tally: Tally
    distinct: int
    invalid: int
    """Games that it lost by a move into a full column."""
    facts: Mapping[str, object] = {}
    """Whatever else is known of them."""


def final_of(
    trained: Trained | None, opponent: str, size: Size, settings: str = ""
) -> Final | None:
    """Return the games at the end of a run against somebody, with settings of the player."""
    if trained is None:
        return None
    name = parse_measure(final_measure(opponent, size)).spec
    measured = trained.final_as.get(settings, ()) if settings else trained.final
    return next((_final(each) for each in measured if each.name == name), None)


def _final(each: Measurement) -> Final:
    tally = Tally(each.counts["wins"], each.counts["draws"], each.counts["losses"])
    invalid = each.counts.get("forfeits", 0)
    return Final(tally, each.counts["distinct_games"], invalid, each.facts)


def win_curve(run: Trained) -> list[tuple[int, float]]:
    """Return the share of games won against random after so many games of training."""
    found = [(row.games, row.find("win_rate")) for row in run.evaluations]
    return [(games, rate.value or 0.0) for games, rate in found if rate is not None]


def run_data(rows: Sequence[Row], found: Found, size: Size) -> dict[str, object]:
    """Return what was measured of runs while they learned, by preset."""
    runs = {row.preset: row.trained(found, size) for row in rows}
    return {
        preset: {
            "seconds": run.seconds,
            "win_rate": [list(point) for point in win_curve(run)],
            REWARD: [list(point) for point in run.kept.get(REWARD, ())],
        }
        for preset, run in runs.items()
        if run is not None
    }


def compared_wins(what: str, published: int, final: Final | None) -> Compared:
    """Put won games in percent beside a published percentage."""
    if final is None:
        return Compared(what, f"{published} %", "not computed")
    low, high = final.tally.win_rate_interval
    ours = (
        f"{100 * final.tally.win_rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}] of "
        f"{final.tally.games:,}"
    )
    return Compared(
        what, f"{published} %", ours, final.tally.win_rate, final.tally.win_rate_interval
    )


class Share(NamedTuple):
    """A number of the paper's hundred games, and ours."""

    what: str
    published: int
    ours: int
    games: int
    unit: str = ""

    @property
    def chance(self) -> float:
        """The chance of a difference like this if both were one."""
        return fisher_exact((self.ours, self.games), (self.published, PUBLISHED_GAMES))

    @property
    def agrees(self) -> bool:
        """Whether both cannot be told apart."""
        return self.chance >= SIGNIFICANT

    def __str__(self) -> str:
        ours = f"{PUBLISHED_GAMES * self.ours / self.games:.1f}{self.unit}"
        chance = f"p = {self.chance:.3g}" if self.chance >= LEAST_CHANCE else f"p < {LEAST_CHANCE}"
        return f"{self.what} ({self.published}{self.unit} there, {ours} here, {chance})"


def tell_near(shares: Sequence[Share], what: str) -> str:
    """Say how many published numbers differ from ours by no more than chance may do."""
    if not shares:
        return "not computed"
    return (
        f"{sum(share.agrees for share in shares)} of {len(shares)} published {what} cannot be told "
        f"from ours at p < {SIGNIFICANT:g} (Fisher's exact test)"
    )


def tell_apart(shares: Sequence[Share], what: str) -> str:
    """Say the same, and which differ."""
    apart = [str(share) for share in shares if not share.agrees]
    near = tell_near(shares, what)
    return f"{near}; apart: {', '.join(apart)}" if apart else near


def verdict_on(shares: Sequence[Share], numbers: int) -> Verdict:
    """Return the verdict on so many published numbers, of which those of ``shares`` were played."""
    open_ones = [None] * (numbers - len(shares))
    return verdict_of([*(share.agrees for share in shares), *open_ones])


TEST = (
    f"The test sets our games against the paper's {PUBLISHED_GAMES}; where both are alike it tells "
    "them apart in at most one of twenty comparisons."
)


def settings_text(what: str, size: Size, found: Found) -> str:
    """Say what was done, in the numbers of a size, and by what if that is unknown."""
    shorter = (
        ""
        if size.games == EPISODES
        else (
            f" The paper has {EPISODES:,} games: sides, epsilon and the target network change "
            "accordingly sooner, the replay buffer is smaller, and little is learned in so few."
        )
    )
    return (
        f"{what}: {size.games:,} games against random on one core, seed 1, judged by {size.tests} "
        f"games against random every {size.evaluation_every:,}; at the end {final_games(size):,} "
        f"games each against random and negamax, where the paper plays {PUBLISHED_GAMES}, half of "
        f"them moving first.{shorter}{unknown_version(found)}"
    )


SILENT = (
    "Each row is one run, here as there: the intervals are those of the games that judged it, and "
    "another seed may differ by more. Where the paper is silent: convolutions without padding, "
    "epsilon falls exponentially, a loss by the reply is the reward of the move before it, a "
    "streak is rewarded when it is made, batches are drawn with replacement, learning begins with "
    "the first full batch, and negamax is that of the Kaggle environment as we wrote it again."
)

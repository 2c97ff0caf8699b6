"""The report of the demonstration: a page of Markdown with two pictures."""

from datetime import UTC, datetime
from pathlib import Path

from connectlab import __version__
from connectlab.arena.results import Rating
from connectlab.lab.demo import DemoResult, Trained
from connectlab.lab.heatmap import save_heatmap
from connectlab.lab.markdown import markdown_table
from connectlab.lab.wording import count, percent, rating
from connectlab.storage.files import replacing, write_text

REPORT = "report.md"
HEATMAP = "heatmap.png"
CURVE = "curve.png"
HEADINGS = ("player", "rating", "score %", "success %", "right moves %")


def rows(result: DemoResult) -> list[tuple[str, ...]]:
    """Return a row under ``HEADINGS`` for each player, the strongest first."""
    return [_row(each, result) for each in result.tournament.ratings]


def _row(rated: Rating, result: DemoResult) -> tuple[str, ...]:
    success, accuracy = result.measured[rated.agent]
    return (
        rated.agent,
        rating(rated.rating, rated.interval),
        percent(rated.tally.score_rate, rated.tally.score_rate_interval),
        percent(success.success_rate, success.success_rate_interval),
        percent(accuracy.total.outcome_accuracy, accuracy.total.outcome_accuracy_interval),
    )


def learned(trained: Trained) -> str:
    """Say in a sentence how much was learned, and how fast."""
    speed = trained.games / trained.seconds if trained.seconds else 0
    took = f"{trained.seconds:.0f} s ({speed:,.0f} games/s)"
    text = f"{count(trained.games, 'game')} of self-play in {took}"
    if trained.best is None:
        return text
    best = trained.best.shown
    return f"{text}; best success against perfect play {best} after {trained.best.games:,} games"


def paths(folder: Path) -> dict[str, str]:
    """Return the files of a report, by the keys of the JSON document."""
    names = {"report": REPORT, "heatmap": HEATMAP, "curve": CURVE}
    return {key: str(folder / name) for key, name in names.items()}


def write_report(folder: Path, result: DemoResult) -> None:
    """Write pictures and page; each is whole or not there, and the page comes last."""
    save_heatmap(result.tournament, folder / HEATMAP)
    with replacing(folder / CURVE) as beside:
        beside.write_bytes(result.trained.curve.read_bytes())
    write_text(folder / REPORT, page(result))


def page(result: DemoResult) -> str:
    """Return the page."""
    tournament = result.tournament
    positions = next(iter(result.measured.values())).accuracy.total.positions
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"""# What a network learns about Connect Four from games against itself

{learned(result.trained)}. Nobody told it anything but the rules; the perfect player only \
measures. The checkpoint that measured best plays below, in fresh games.

![Success against perfect play while learning]({CURVE})

Board: {tournament.geometry}. {tournament.games:,} games a pairing, half of them with either \
player moving first; seed {tournament.seed}. Intervals hold 95 %.

{markdown_table(HEADINGS, rows(result))}

- **rating**: strength on the Elo scale, fitted to all games (Bradley and Terry), with 1500 as the
  mean of these players.
- **score %**: mean over all games, a win counts 1 and a draw 1/2.
- **success %**: the same mean when the player moves first against the perfect one. The first
  player can force a win, so 100 is what perfect play reaches; a single slip can cost it.
- **right moves %**: the share of {positions} solved positions, from all stages of the game, in
  which the player's move keeps a won position won and a drawn one drawn.

![The score of each player against each other]({HEATMAP})

Play against what was learned: `connectlab {result.how_to_play}`

Written by `connectlab demo` of connectlab {__version__} on {made}.
"""

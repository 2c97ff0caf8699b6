"""Whether a table or figure was reproduced, in a word: the rule, and what it is made of.

An experiment says of each published figure that ours can be held against whether both agree, and
``verdict_of`` puts the answers together. That is the whole rule, for all papers; ``RULE`` tells it
to readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from connectlab.lab.statistics import FEWEST, SIGNIFICANT

Verdict: TypeAlias = Literal["reproduced", "partly", "differs", "not decided"]
Agrees: TypeAlias = bool | None
"""Whether a published figure agrees with ours; None where that is not decided."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
TOO_FEW = f"fewer than {FEWEST} runs"
"""Why nothing is decided, most of the time."""
NO_VERDICT = "-"
"""What the page of all reports shows where an experiment says nothing."""

RULE = (
    "**Verdict.** Each published figure that ours can be held against agrees, differs or is not "
    "decided, and the verdict counts them: *reproduced* where all that are decided agree, *partly* "
    "where at least half of them do, *differs* where fewer do, *not decided* where fewer than half "
    "of the figures are decided or the scale is not the full one; "
    f"{NO_VERDICT} where a report gives none. "
    "Games of one match, or of one run each, differ where Fisher's exact test tells them apart "
    f"({100 * SIGNIFICANT:.0f} %, so one figure in twenty does by chance). A published mean of "
    "several runs differs where Student's t tells it from ours, as if its runs deviated like ours "
    "(5 %). Where a learner had several runs and the paper one, a figure differs if its own 95 % "
    "interval lies beyond all of our runs (where runs differ more than that, a sixth run like our "
    f"{FEWEST} does so in up to one of three cases), and outcomes of games, three shares each, if "
    "the interval lies beyond where one more run like ours would (Student's t, 5 %); fewer than "
    f"{FEWEST} runs, one printed game, or another opponent than the paper's decide nothing. "
    "Onsets, and claims without a number, agree or differ by a limit or a test of their own, which "
    "docs/reproduce.md lists."
)


@dataclass(frozen=True)
class Claim:
    """A published figure or claim, whether ours agrees, and what that rests on."""

    what: str
    agrees: Agrees
    how: str
    """Our number, and the test or the limit that decided."""

    @property
    def answer(self) -> str:
        """The answer in a word or two."""
        return "not decided" if self.agrees is None else "agrees" if self.agrees else "differs"

    def to_json(self) -> dict[str, object]:
        """Return all of it as plain data."""
        return {"what": self.what, "agrees": self.agrees, "how": self.how}


def verdict_of(figures: Sequence[bool | None]) -> Verdict:
    """Return the verdict on published figures: whether each agrees; None where nobody can tell."""
    decided = [agrees for agrees in figures if agrees is not None]
    if not decided or 2 * len(decided) < len(figures):
        return "not decided"
    if all(decided):
        return "reproduced"
    return "partly" if 2 * sum(decided) >= len(decided) else "differs"


def read_verdict(value: object) -> Verdict | None:
    """Read the verdict of a written report; None where there is none, as in older ones."""
    return next((each for each in VERDICTS if each == value), None)

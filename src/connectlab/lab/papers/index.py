"""The page that answers at a glance: all reports of a folder, paper by paper."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from connectlab.errors import UserError
from connectlab.lab.markdown import markdown_table
from connectlab.lab.papers.experiment import SCALES, Experiment, Scale
from connectlab.lab.papers.registry import experiments
from connectlab.lab.papers.verdict import NO_VERDICT, RULE, VERDICTS, read_verdict
from connectlab.lab.papers.writer import DATA, PAGE
from connectlab.lab.wording import about_minutes, count
from connectlab.storage.files import write_text
from connectlab.training.display import duration
from connectlab.training.measurement import mapping, number, whole

GLANCE = "glance"
"""What a report may have in its data for this page: sentences, a table and a picture."""


TITLE = "# Results"
ABOUT = "Tables and figures of the papers, computed again by `connectlab reproduce NAME`"
BEGINNING = f"{TITLE}\n\n{ABOUT}"
"""What tells the page from all others that are called so."""
COLUMNS = (
    "*Scale*: the paper's own numbers of games and repeats (full), or fewer (quick, with the time "
    "that the full scale would take); and how many of the runs are there where not all are. *Time* "
    "is what the runs of a page took on one core, of one that was killed and went on what came "
    "after; runs that pages share count on each."
)
OTHERS = {
    "everyone/report.md": "[Everyone against everyone](everyone/report.md): all players in one "
    "tournament, with their right moves by stage of the game, the time of a move and the memory "
    "it takes.",
    "../proof.md": "[Proofs](../proof.md): `ntuple:hardened` wins as the first player whatever is "
    "played against it, in all games there can be.",
}
"""Pages that no experiment writes, seen from the page of all reports, and how it names them."""
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading a damaged report may raise, and telling of it: its parts may be anything."""


@dataclass(frozen=True)
class Written:
    """A report that was written."""

    experiment: Experiment
    scale: Scale
    document: Mapping[str, object]

    @property
    def link(self) -> str:
        """Where the page is, from the folder of all reports."""
        return f"{self.experiment.name}/{self.scale}/{PAGE}"

    @property
    def rests_on_most(self) -> bool:
        """Whether half of its cells or more were computed."""
        return 2 * whole(self.document["missing"]) <= whole(self.document["cells"])

    @property
    def is_miniature(self) -> bool:
        """Whether its figures mean nothing; where nothing is computed all scales are the same."""
        return self.scale == "mini" and whole(self.document["cells"]) > 0

    @property
    def computed(self) -> str:
        """How much of it was computed: runs, where they are fewer, and cells, where some lack."""
        cells, missing = whole(self.document["cells"]), whole(self.document["missing"])
        runs, all_runs = whole(self.document["repeats"]), self.experiment.sizes[self.scale].repeats
        fewer = f", {runs} of {all_runs} runs" if cells and runs < all_runs else ""
        elsewhere = ", taken over" * bool(self.document.get("sources"))
        return fewer + (f", {cells - missing} of {cells} cells" if missing else "") + elsewhere

    @property
    def to_come(self) -> str:
        """How long one core takes for the paper's own numbers, where those were not computed."""
        minutes = self.experiment.core_minutes.get("full")
        whole_scale = self.scale == "full" or not whole(self.document["cells"])
        return "" if whole_scale or minutes is None else f" (full takes {about_minutes(minutes)})"

    @property
    def took(self) -> str:
        """Time of one core."""
        if whole(self.document["cells"]) == 0:
            return "moments"
        return duration(number(self.document["core_seconds"]))

    def row(self) -> tuple[str, ...]:
        """What the table of its paper says of it."""
        return (
            f"[{self.experiment.name}]({self.link})",
            self.experiment.title,
            self.experiment.published,
            read_verdict(self.document.get("verdict")) or NO_VERDICT,
            str(self.document["summary"]),
            f"{self.scale}{self.computed}{self.to_come}",
            self.took,
        )


def find_reports(out: Path) -> list[Written]:
    """Return one report of each experiment, in their order.

    It is that of the greatest scale at which most cells were computed, or else the greatest.
    """
    found = (_reports(out, experiment) for experiment in experiments().values())
    return [next((each for each in some if each.rests_on_most), some[0]) for some in found if some]


def _reports(out: Path, experiment: Experiment) -> list[Written]:
    """Return the reports of an experiment that can be read, the greatest scale first."""
    found = []
    for scale in reversed(SCALES):
        try:
            text = (out / experiment.name / scale / DATA).read_text(encoding="utf-8")
            report = Written(experiment, scale, mapping(json.loads(text)))
            report.row()
            list(_glances([report]))
            found.append(report)
        except DAMAGES:
            continue  # damaged: as if it were not there
    return found


def check_index(out: Path) -> None:
    """Refuse a folder whose page is of something else: it would be lost."""
    path = out / PAGE
    try:
        own = path.read_text(encoding="utf-8", errors="replace").startswith(BEGINNING)
    except OSError:
        return  # there is none, or nothing can be written there either
    if not own:
        raise UserError(f"{path} is no page of reports and would be lost: choose another --out")


def write_index(out: Path) -> Path:
    """Write the page of all reports in a folder."""
    path = out / PAGE
    write_text(path, index_page(find_reports(out), out))
    return path


def index_page(reports: Sequence[Written], out: Path) -> str:
    """Return the page of the reports in a folder."""
    parts = [
        TITLE,
        f"{ABOUT}: what was published, what came out, and a page for each with intervals, seeds, "
        "versions and where it differs. The command wrote this page and all that it lists; *taken "
        "over* are results that were computed elsewhere, as the page says that shows them.",
        *_totals(reports),
        *_miniatures(reports),
        *_glances(reports),
        *_others(out),
        COLUMNS,
        *_papers(reports),
        f"## The verdicts\n\n{RULE}",
        *_missing(reports),
    ]
    return "\n\n".join(parts) + "\n"


def _totals(reports: Sequence[Written]) -> Iterator[str]:
    """Yield how many reports have each verdict."""
    given = Counter(read_verdict(each.document.get("verdict")) for each in reports)
    words = {"differs": "differing"}
    told = [f"{given[each]} {words.get(each, each)}" for each in VERDICTS if given[each]]
    if told:
        rest = f", {given[None]} without a verdict" * bool(given[None])
        yield (
            f"**{count(sum(given.values()), 'report')}**: {', '.join(told)}{rest}; by "
            "[one rule](#the-verdicts)."
        )


def _glances(reports: Sequence[Written]) -> Iterator[str]:
    """Yield what some reports have to say at the top of the page."""
    for report in reports:
        if report.is_miniature:
            continue  # what it found means nothing
        glance = mapping(report.document["data"]).get(GLANCE)
        if not isinstance(glance, dict):
            continue
        yield f"## {glance['title']}"
        yield "\n".join(f"- {sentence}" for sentence in glance["sentences"])
        yield markdown_table(glance["headings"], glance["rows"])
        if note := glance.get("note"):
            yield str(note)
        folder = Path(report.link).parent
        yield f"![{glance['title']}]({folder / glance['picture']})"
        yield f"More in [{report.experiment.name}]({report.link})."


def _others(out: Path) -> Iterator[str]:
    """Yield where else to look, of what is there."""
    there = [text for path, text in OTHERS.items() if (out / path).is_file()]
    if there:
        yield "\n".join(f"- {text}" for text in there)


def _miniatures(reports: Sequence[Written]) -> Iterator[str]:
    """Yield a warning of the reports whose figures mean nothing."""
    names = [report.experiment.name for report in reports if report.is_miniature]
    if names:
        yield (
            "**Miniatures mean nothing:** scale *mini* shows that everything works, in runs far "
            f"too short to learn or to measure anything: {', '.join(names)}."
        )


def _missing(reports: Sequence[Written]) -> Iterator[str]:
    """Yield what there is no report of."""
    there = {report.experiment.name for report in reports}
    names = [name for name in experiments() if name not in there]
    if names:
        yield f"No report is here yet of: {', '.join(names)}."


def _papers(reports: Sequence[Written]) -> Iterator[str]:
    """Yield a table for each paper."""
    for paper, group in groupby(reports, key=lambda report: _first_author(report.experiment)):
        rows = [each.row() for each in group]
        headings = ("name", "shows", "published", "verdict", "ours", "scale", "time")
        yield f"## {paper}\n\n{markdown_table(headings, rows, words=6)}"


def _first_author(experiment: Experiment) -> str:
    return experiment.paper.partition(" and ")[0]

"""Figure 1 of Thill 2012 and of the poster: the number that the state of a tuple is."""

from dataclasses import dataclass

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Report, Table
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.verdict import verdict_of

P = 4
PUBLISHED = {
    "Thill 2012, Figure 1: 3-2-1-1": ((3, 2, 1, 1), 91),
    "Konen 2015, T1 = (a1, a2, b2, c2)": ((3, 0, 2, 1), 99),
    "Konen 2015, T2 = (d6, d5, e5, e4)": ((2, 1, 2, 1), 102),
}
"""The states of the cells as printed, and the number."""


@dataclass(frozen=True, kw_only=True)
class IndexExperiment(Experiment):
    """Computes the printed indices by the function that the lab shows indices with."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Nothing takes time."""
        del size
        return ()

    def report(self, found: Found, size: Size) -> Report:
        """Put the numbers side by side, and every term of their sums."""
        from connectlab.agents.ntuple.paper_index import PaperIndex

        del found, size
        indices = {name: PaperIndex(states, P) for name, (states, _) in PUBLISHED.items()}
        compared = [
            Compared(name, str(PUBLISHED[name][1]), str(index.value), index.value)
            for name, index in indices.items()
        ]
        rows = [(name, index.formula) for name, index in indices.items()]
        same = all(index.value == PUBLISHED[name][1] for name, index in indices.items())
        return Report(
            settings="States 0 empty, 1 first player, 2 second, 3 empty and reachable; the first "
            "cell of a tuple has the factor P^0. `connectlab tuples index` shows it for any tuple "
            "and position.",
            compared=compared,
            differences="None: a formula is a formula. Networks store their weights in another "
            "order, that of the states which can occur (docs/ntuple.md).",
            tables=[Table("Every term", ("tuple", "sum"), rows)],
            summary="all three as published" if same else "not as published",
            verdict=verdict_of([same]),
        )

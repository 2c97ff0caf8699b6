"""Thill, Koch and Konen 2012, "Reinforcement Learning with N-tuples on the Game Connect-4"."""

from connectlab.lab.papers.curves import CurvesExperiment
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.thill_index import IndexExperiment
from connectlab.lab.papers.thill_opponents import (
    draw_opponents,
    opponent_lines,
    tell_opponents,
)
from connectlab.lab.papers.thill_rates import (
    EPSILONS,
    FINAL_ALPHAS,
    alpha_lines,
    epsilon_lines,
    tell_alphas,
    tell_epsilons,
    tell_tuned,
    tuned_lines,
)
from connectlab.lab.papers.thill_runs import PAPER, SIZES, core_minutes, settings
from connectlab.lab.papers.thill_sets import set_lines, set_seeds, tell_sets, tuple_set_table
from connectlab.lab.papers.thill_tables import (
    MEDIOCRE,
    one_table,
    tell_one_table,
    tell_two_tables,
    two_tables,
)
from connectlab.lab.papers.thill_verdict import (
    alphas_agree,
    epsilons_agree,
    one_table_agrees,
    sets_agree,
    tuned_agrees,
    two_tables_agree,
    weights_agree,
)
from connectlab.lab.papers.thill_weights import tell_weights, weight_table

EXPERIMENTS: list[Experiment] = [
    CurvesExperiment(
        name="thill-table1",
        paper=PAPER,
        title="Weights and time, three or four states of a cell (Table 1)",
        published="918,540 and 9,175,040 weights, 304,444 and 646,693 of them learned",
        sizes=SIZES,
        core_minutes=core_minutes(2),
        lines=two_tables,
        settings=settings("One tuple set, two tables"),
        tell=tell_weights,
        agrees=weights_agree,
        tables=weight_table,
    ),
    IndexExperiment(
        name="thill-fig1",
        paper="Thill 2012 and Konen 2015",
        title="The index of a tuple (Figure 1 and the poster)",
        published="k = 91; xi = 99 and 102",
        sizes={scale: Size() for scale in SIZES},
        core_minutes=dict.fromkeys(SIZES, 0.0),
    ),
    CurvesExperiment(
        name="thill-fig2a",
        paper=PAPER,
        title="One table for both players learns little (Figure 2a)",
        published="rarely wins; the best run stays under 0.58",
        sizes=SIZES,
        core_minutes=core_minutes(6),
        lines=one_table,
        settings=settings("One table; walks, snakes and samples of 70 tuples"),
        tell=tell_one_table,
        agrees=one_table_agrees,
        levels={f"{MEDIOCRE} published as never reached": MEDIOCRE},
    ),
    CurvesExperiment(
        name="thill-fig2b",
        paper=PAPER,
        title="Two tables, three or four states of a cell (Figure 2b)",
        published="P = 3: 80 % after 5 million games, 0.84 late; P = 4: 4 million, 0.90",
        sizes=SIZES,
        core_minutes=core_minutes(2),
        lines=two_tables,
        settings=settings("One tuple set, two tables"),
        tell=tell_two_tables,
        agrees=two_tables_agree,
        levels={"0.84 published, P = 3": 0.84, "0.90 published, P = 4": 0.90},
    ),
    CurvesExperiment(
        name="thill-fig3a",
        paper=PAPER,
        title="Ten tuple sets (Figure 3a)",
        published="10 % lower than the standard set and more spread; one set fails (under 0.1)",
        sizes=SIZES,
        core_minutes=core_minutes(3, shared=1),
        lines=set_lines,
        settings=settings(
            "The standard set, other sets, and these again with other games", set_seeds
        ),
        tell=tell_sets,
        agrees=sets_agree,
        tables=tuple_set_table,
    ),
    CurvesExperiment(
        name="thill-fig3b",
        paper=PAPER,
        title="A tuned learning rate (Figure 3b)",
        published="80 % after 2 instead of 4 million games, 0.92 instead of 0.90",
        sizes=SIZES,
        core_minutes=core_minutes(2, shared=1),
        lines=tuned_lines,
        settings=settings("One tuple set"),
        tell=tell_tuned,
        agrees=tuned_agrees,
        levels={"0.90 published, standard": 0.90, "0.92 published, tuned": 0.92},
    ),
    CurvesExperiment(
        name="thill-alpha",
        paper=PAPER,
        title="Final learning rates of 0.004 and more (Section 4)",
        published="learns nothing; learning sets in where alpha falls below 0.004",
        sizes=SIZES,
        core_minutes=core_minutes(1 + len(FINAL_ALPHAS), shared=1),
        lines=alpha_lines,
        settings=settings("One tuple set"),
        tell=tell_alphas,
        agrees=alphas_agree,
    ),
    CurvesExperiment(
        name="thill-epsilon",
        paper=PAPER,
        title="Other schedules of exploration (Section 4)",
        published="little change",
        sizes=SIZES,
        core_minutes=core_minutes(1 + len(EPSILONS), shared=1),
        lines=epsilon_lines,
        settings=settings("One tuple set"),
        tell=tell_epsilons,
        agrees=epsilons_agree,
    ),
    CurvesExperiment(
        name="thill-opponents",
        paper=PAPER,
        title="The curves of Figures 2b and 3b, judged by four perfect players",
        published="late means of 0.84, 0.90 and 0.92; not how a lost position is defended",
        sizes=SIZES,
        core_minutes=core_minutes(4),
        lines=opponent_lines,
        settings=settings("One tuple set, and the same runs for all four perfect players"),
        tell=tell_opponents,
        pictures=draw_opponents,
    ),
]

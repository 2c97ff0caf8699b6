"""Faußer and Schwenker 2008: multi-layer perceptrons that learn from the results of whole games.

"Neural Approximation of Monte Carlo Policy Evaluation Deployed in Connect Four". Common to all:
a = 0.77, gamma = 0.97, epsilon = 0.7; one network against itself, then against random and Velena.
"""

from connectlab.lab.papers.experiment import Experiment
from connectlab.lab.papers.fausser_table2 import TABLE2
from connectlab.lab.papers.fausser_table3 import TABLE3

EXPERIMENTS: list[Experiment] = [TABLE2, TABLE3]

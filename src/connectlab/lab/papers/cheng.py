"""Cheng, Fan and Nguyen, "Connect N: A Reinforcement Learning Approach": Tables 1 to 5, large N.

The paper gives wins, draws and losses, and neither the board (square, of unknown size), nor the
number of test games, nor most settings of its Q-learner; docs/qtable.md lists what is assumed.
"""

from connectlab.lab.papers import cheng_large, cheng_minimax, cheng_q, cheng_random
from connectlab.lab.papers.experiment import Experiment

EXPERIMENTS: list[Experiment] = [
    *cheng_random.EXPERIMENTS,
    *cheng_q.EXPERIMENTS,
    *cheng_minimax.EXPERIMENTS,
    *cheng_large.EXPERIMENTS,
]

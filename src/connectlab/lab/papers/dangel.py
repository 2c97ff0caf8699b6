"""Dangel, Merkel and Wegert 2021: deep Q-networks, "Solving Connect Four with Deep Q-Learning"."""

from connectlab.lab.papers.dangel_figures import FIGURE3, FIGURE4
from connectlab.lab.papers.dangel_invalid import TABLE5, TABLE6
from connectlab.lab.papers.dangel_tables import TABLE3, TABLE4, TABLE7
from connectlab.lab.papers.experiment import Experiment

EXPERIMENTS: list[Experiment] = [TABLE3, TABLE4, TABLE5, TABLE6, TABLE7, FIGURE3, FIGURE4]

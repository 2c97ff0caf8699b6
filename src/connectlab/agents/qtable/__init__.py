"""Tabular Q-learning: a table of the states that were visited."""

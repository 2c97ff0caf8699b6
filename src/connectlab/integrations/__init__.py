"""Doors to the worlds of others: Kaggle, PettingZoo, Gymnasium, OpenSpiel."""

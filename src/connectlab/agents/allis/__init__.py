"""Allis: the nine rules of a thesis, and a player that proves what it can with them."""

"""Monte Carlo tree search: tree, selection, rollouts, backup, and the search that joins them."""

"""What people do here, without a screen: plans, runs, sweeps, measures and comparisons."""

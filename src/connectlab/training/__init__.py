"""What every learner shares: schedules and runs."""

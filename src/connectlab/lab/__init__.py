"""What people do here, without a screen: play, measure, train, compare, report."""

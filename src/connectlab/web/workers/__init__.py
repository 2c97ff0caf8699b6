"""Worker processes: whatever computes runs in one of them, so the server itself never waits."""

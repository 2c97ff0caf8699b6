"""Other programs as players, each in a child process."""

"""Where many tasks are done: processes of this machine, or a cluster."""

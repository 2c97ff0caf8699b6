"""The command line: one file for each command, heavy imports inside the command."""

from connectlab.cli.app import main

__all__ = ["main"]

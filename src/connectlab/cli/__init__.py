"""The command line: one file for each command, heavy imports inside the command."""

import sys

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def main() -> None:
    """Run the command line of this process; a Ctrl-C that no command hears ends it quietly."""
    try:
        from connectlab.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)

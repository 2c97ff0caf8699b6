"""Puts the commands together and turns every mistake of the user's into one line."""

import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.main import get_command

from connectlab import __version__
from connectlab.cli import (
    agents,
    cache,
    compare,
    demo,
    engine,
    evaluate,
    export,
    harden,
    inspect,
    learn,
    learners,
    match,
    play,
    positions,
    reproduce,
    serve,
    solve,
    streams,
    tournament,
    train,
    tuples,
)
from connectlab.cli.console import INTERRUPTED
from connectlab.errors import UserError

USER_MISTAKE = 2

app = typer.Typer(
    name="connectlab",
    # Boxes and colours would cost the import of rich in every --help.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)

COMMANDS = (
    demo,
    train,
    learn,
    harden,
    play,
    serve,
    solve,
    match,
    tournament,
    evaluate,
    compare,
    reproduce,
    inspect,
    positions,
    engine,
    export,
    agents,
    learners,
    cache,
)

OLD_NAMES: dict[str, dict[str, str]] = {
    "train": {"jobs": "workers"},
    "tournament": {},
    "evaluate": {},
    "reproduce": {},
}
"""Options by their former names, which still work; in other commands, ``OLD_NAME``.

Where tasks can be done by an executor, workers are its processes and nothing else.
"""
OLD_NAME = {"workers": "threads"}


def _present_name(command: str) -> Callable[[str], str]:
    """Return what gives the present name of an option of a command."""
    names = OLD_NAMES.get(command, OLD_NAME)
    return lambda option: names.get(option, option)


for module in COMMANDS:
    name = module.__name__.rpartition(".")[2]
    app.command(
        name,
        short_help=module.SHORT,
        epilog=module.EPILOG,
        context_settings={"token_normalize_func": _present_name(name)},
    )(module.command)


app.add_typer(tuples.app, name="tuples", short_help=tuples.SHORT, epilog=tuples.EPILOG)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"connectlab {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def connectlab(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """A laboratory for Connect-N: perfect play, players, contests and measures.

    Columns are counted from 1. A player is named by a spec such as random, perfect or
    minimax:depth=4; "connectlab agents" lists them all with their settings.
    """
    del version
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what goes wrong is told on standard error."""
    try:
        code = get_command(app).main(arguments, prog_name="connectlab", standalone_mode=False)
    except typer.TyperException as error:
        return _report(_usage_line(error), error.exit_code)
    except UserError as error:
        return _report(str(error))
    except typer.Abort:
        return INTERRUPTED
    except MemoryError as error:
        return _report(f"there is too little memory for this ({error}): what was saved is kept")
    except OSError as error:
        if error.filename is None:  # every file that is opened has a name; a stream has none
            streams.forget_output()
            return streams.report_lost(error)
        return _report(_file_line(error))
    return int(code or 0)


def main() -> None:
    """Run the command line of this process."""
    streams.prepare_streams()
    code = streams.finish_output(_run_to_its_end())
    if code == INTERRUPTED:
        # The terminal shows ^C in the middle of a line, and worker threads may still compute.
        streams.tell("\n")
        gc.collect()  # semaphores that nobody holds any more are given back, or Python complains
        os._exit(code)
    sys.exit(code)


def _run_to_its_end() -> int:
    """Run one command; libraries that exit by themselves come back too."""
    try:
        return run()
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else int(stopped.code is not None)


def _report(line: str, code: int = USER_MISTAKE) -> int:
    streams.tell(f"connectlab: {' '.join(line.split())}\n")
    return code


def _usage_line(error: typer.TyperException) -> str:
    """Say what is wrong with the command line, and where to read more."""
    context = getattr(error, "ctx", None)
    message = error.format_message().replace(": Value error, ", ": ", 1)
    if context is None:
        return message
    return f"{message.rstrip('.')} (see {context.command_path} --help)"


def _file_line(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason.lower()}"

"""``connectlab serve``: the web lab."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import MOST_WORKERS, whole
from connectlab.errors import UserError
from connectlab.web.options import DATA, DEFAULT_PORT, RUNS, Options, default_workers

SHORT = "Open the web lab: play, analyse, look inside and train on a page."
EPILOG = "Examples: connectlab serve --open, connectlab serve --port 0 --runs runs"
MOST_PORT = 65_535


def command(
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="Address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", parser=whole(0, MOST_PORT), help="Port; 0 takes a free one."
        ),
    ] = DEFAULT_PORT,
    runs: Annotated[
        Path, typer.Option("--runs", metavar="DIR", help="Folder of training runs.")
    ] = RUNS,
    data: Annotated[
        Path,
        typer.Option(
            "--data", metavar="DIR", help="Folder for games and what else the page keeps."
        ),
    ] = DATA,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            metavar="TEXT",
            show_default="a random one where others can reach the server",
            help="What a visitor must know.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            parser=whole(1, MOST_WORKERS),
            show_default="two more than cores",
            help="Processes that think, solve and explain.",
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser as well.")
    ] = False,
) -> None:
    """Serve a page to play on, and to look into players, until Ctrl-C ends it.

    One line tells the address as soon as everything is ready. Only this machine can reach it
    unless --host says otherwise; then a visitor needs the token that is printed.
    """
    try:
        from connectlab.web.server import Server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"fastapi", "starlette", "uvicorn"}:
            raise
        raise UserError("the web lab needs: pip install 'connectlab[web]'") from None

    options = Options(host, port, runs, data, token, workers or default_workers())
    server = Server(options, console.notice)

    def ready() -> None:
        typer.echo(f"connectlab is ready: {server.address}")
        sys.stdout.flush()
        if open_page:
            import webbrowser

            webbrowser.open(server.address)

    raise typer.Exit(server.run(ready))

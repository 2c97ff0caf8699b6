"""``connectlab harden``: close the holes of a network, round by round."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Json, Threads, whole

if TYPE_CHECKING:
    from connectlab.lab.hardening import Hardening, Plan, Round

SHORT = "Let a network learn where a proof finds its holes."
EPILOG = (
    "Examples: connectlab harden champion --out runs/hard, "
    "connectlab harden runs/first --set way=games"
)
MOST_ROUNDS = 10_000


def command(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="NETWORK",
            show_default="that of --out",
            help="The run or checkpoint of ntuple to go on with, or one that comes along.",
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="DIR",
            file_okay=False,
            help="Folder of the hardening; one that was begun goes on.",
        ),
    ] = Path("runs/hardened"),
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds",
            metavar="N",
            parser=whole(1, MOST_ROUNDS),
            help="Proofs to make now, with learning between them; it ends where there is no hole.",
        ),
    ] = 20,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change one setting: way, margin, near, watched, depth, games, restarts, before, "
            "alpha, average_games, seed.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="PNG", dir_okay=False, help="Draw the holes of all rounds by ply."
        ),
    ] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Let a network learn where a proof finds its holes, until it has none.

    A proof walks through every game that the network can get into as first player. Then the
    network learns: by lessons, in which the solver tells the moves that hold in those positions, or
    by games of self-play that begin there (--set way=games). It is proven anew, and so on. What is
    stopped goes on; the best so far plays as ntuple:DIR, by its weights alone.
    """
    with console.patience():
        from connectlab.lab.hardening import Hardening
        from connectlab.storage.files import check_writable

        if plot is not None:
            check_writable(plot)
        hardening = Hardening(out, _plan(source, out, changes or []), threads)
    done: list[Round] = []
    with console.progress("proving") as progress:
        for found in hardening.run(rounds, lambda _: progress):
            done.append(found)
            if not json:
                console.notice(_line(found))
    if json:
        console.print_json(_document(hardening, done))
    else:
        _print_end(hardening)
    if plot is not None:  # after the result, which a full disk must not swallow
        from connectlab.lab.hardening_plot import save_holes

        save_holes(hardening.rounds, plot)
        console.notice(f"wrote {plot}")


def _plan(source: str | None, out: Path, changes: list[str]) -> "Plan":
    """Return the plan that was begun, or a new one."""
    from connectlab.agents.spec import validate
    from connectlab.errors import UserError
    from connectlab.lab.hardening import Plan, locate, read_plan
    from connectlab.lab.plans import parse_changes

    begun = read_plan(out)
    if source is None and begun is None:
        raise UserError(f"nothing was begun in {out}: name the network to go on with")
    changed = parse_changes(changes)
    if "source" in changed:
        raise UserError("the network stands before the options: connectlab harden NETWORK")
    given: dict[str, object] = {} if begun is None else begun.model_dump()
    given |= {} if source is None else {"source": locate(source)}
    return validate("harden", Plan, {**given, **changed})


def _line(found: "Round") -> str:
    learned = f"{found.games:,} games"
    if found.lessons:
        learned += f", {console.count(found.lessons, 'lesson')}"
    holes = console.count(found.holes, "hole")
    return f"round {found.number}: {learned}, {found.positions:,} positions, {holes}"


def _document(hardening: "Hardening", done: "list[Round]") -> dict[str, object]:
    return {
        "agent": hardening.player,
        "proven": hardening.fewest == 0,
        "fewest_holes": hardening.fewest,
        "rounds": [found._asdict() for found in done],
    }


def _print_end(hardening: "Hardening") -> None:
    out = console.output()
    if hardening.fewest == 0:
        out.print(f"proven: nobody takes its result from {hardening.player}", soft_wrap=True)
        return
    holes = console.count(hardening.fewest or 0, "hole")
    out.print(f"not proven: {hardening.player} has {holes} at its best", soft_wrap=True)
    if hardening.is_stuck:
        console.notice("it can learn no more: its tuples cannot keep all lessons together")

"""``connectlab learners``: every learner with its presets and settings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.agents import add_settings, default_text
from connectlab.cli.options import Json, complete_learner

if TYPE_CHECKING:
    from connectlab.lab.catalogue import LearnerEntry, PresetEntry

SHORT = "List every learner with its presets and settings."
EPILOG = "Example: connectlab learners ntuple"


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            autocompletion=complete_learner,
            show_default=False,
            help="Only these learners.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List every learner with its presets, and its settings with types and defaults.

    Use a setting as in train ntuple --set games=100000, a preset as in train ntuple --preset quick.
    """
    from connectlab.lab.catalogue import list_learners

    learners = list_learners(names or ())
    if json:
        console.print_json([learner.to_json() for learner in learners])
        return
    console.show(_settings_table(learners))
    if any(learner.presets for learner in learners):
        console.output().print()
        console.show(_preset_table(learners))


def _settings_table(learners: "Sequence[LearnerEntry]") -> console.Table:
    made = console.table("learner", "setting", "type", "default", "what it does", left=5)
    for number, learner in enumerate(learners):
        if number:
            made.add_row()
        made.add_row(learner.name, "", "", "", learner.summary, style="bold")
        add_settings(made, learner.settings)
    return made


def _preset_table(learners: "Sequence[LearnerEntry]") -> console.Table:
    made = console.table("learner", "preset", "settings that differ", "evaluations", left=4)
    for learner in learners:
        for preset in learner.presets:
            changes = [f"{key}={default_text(value)}" for key, value in preset.settings.items()]
            made.add_row(learner.name, preset.name, ", ".join(changes), _judged(preset))
    return made


def _judged(preset: "PresetEntry") -> str:
    """Say what judges a run of the preset, and how often, where that is not the usual."""
    words = list(preset.measures or ())
    if preset.evaluation_every is not None:
        words.append(f"every {preset.evaluation_every:,}")
    return " ".join(words)

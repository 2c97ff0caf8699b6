"""Which program plays, and how it is spoken to."""

import shlex
from typing import Literal

from pydantic import Field, field_validator, model_validator

from connectlab.agents.settings import AgentSettings

VELENA, LINES = "velena", "lines"


class ExternalSettings(AgentSettings):
    """The command of the program, its protocol, and how long it may take."""

    name = "external"
    summary = "another program, started with command=…, in a child process"

    command: str = Field(min_length=1)
    """The program and its arguments, quoted as for a shell; no shell is started."""
    protocol: Literal["lines", "velena"] = "lines"
    """How it is spoken to: lines (docs/engine.md), or as Velena is."""
    level: Literal["a", "b", "c"] = "c"
    """How strong Velena plays: a weak, b normal, c strong; only with protocol=velena."""
    streams: bool = False
    """Send the number of the game's random stream with go; only for engines that take it."""
    seconds: float = Field(default=10.0, gt=0, le=86_400)
    """Seconds it may take for a move."""
    start_seconds: float = Field(default=60.0, gt=0, le=86_400)
    """Seconds it may take to start."""

    @field_validator("command")
    @classmethod
    def _can_be_split(cls, command: str) -> str:
        if "\0" in command:
            raise ValueError("a command holds no zero bytes")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"the command cannot be read ({str(error).lower()})") from None
        if not words or not words[0]:
            raise ValueError("the command names no program")
        return command

    @model_validator(mode="after")
    def _settings_fit_the_protocol(self) -> "ExternalSettings":
        if self.protocol != VELENA and "level" in self.model_fields_set:
            raise ValueError("level is for protocol=velena")
        if self.protocol != LINES and self.streams:
            raise ValueError("streams=true is for protocol=lines")
        return self

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return shlex.split(self.command)

"""The lines between us and ``host.py``, which runs the agent in a child process."""

import json
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from connectlab.agents.external.process import EngineProcess
from connectlab.agents.settings import AgentError

HOST = Path(__file__).with_name("host.py")


class HostError(AgentError):
    """The child failed; the message is what it did, as words after its name."""


class HostProcess(EngineProcess):
    """The child: its standard output is ours, so only its standard error has something to tell."""

    def describe(self, what: str, said: str, errors: str) -> AgentError:
        """Return the error that says what the child did."""
        del said
        return HostError(f"{what}; on standard error: {errors}" if errors else what)


class Told(BaseModel):
    """What the child answered: an action, or what is wrong; and how long it took."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    action: int = -1
    """A column, 0-based, unchecked."""
    wrong: str = ""
    """What the agent returned, if that is no int of Python."""
    raised: str = ""
    """The exception in words, if there was one."""
    load_s: float = Field(ge=0)
    """Seconds it took to execute the file, if it was executed for this answer."""
    act_s: float = Field(ge=0)
    """Seconds the agent took."""


def exchange(process: HostProcess, question: dict[str, object], deadline: float) -> Told:
    """Ask and return the answer; raise ``HostError`` if none comes by ``deadline``.

    The deadline is a time of ``time.monotonic``.
    """
    process.send(json.dumps(question))
    line = process.read_line(deadline)
    try:
        return Told.model_validate_json(line)
    except ValidationError:
        raise process.failure("disturbed the pipe of its answers") from None


def introduce(process: HostProcess, configuration: dict[str, object], seconds: float) -> None:
    """Tell a new child the configuration; raise ``HostError`` if it does not start."""
    process.send(json.dumps(configuration))
    if process.read_line(time.monotonic() + seconds) != "ready":
        raise process.failure("did not say that it is ready")

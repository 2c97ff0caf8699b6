"""What people set, of a player, a learner or a measure: the ground that all their models share."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class NamedSettings(BaseModel):
    """Settings of something that has a name: frozen, checked, every field documented."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False
    )

    name: ClassVar[str]
    """The name in spec strings and lists."""
    summary: ClassVar[str]
    """One line for lists."""

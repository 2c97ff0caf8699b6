"""What people set, of a player, a learner or a measure: the ground that all their models share."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator


class NamedSettings(BaseModel):
    """Settings of something that has a name: frozen, checked, every field documented."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False
    )

    name: ClassVar[str]
    """The name in spec strings and lists."""
    summary: ClassVar[str]
    """One line for lists."""

    @field_validator("*", mode="before")
    @classmethod
    def _a_truth_is_no_number(cls, value: object, info: ValidationInfo) -> object:
        """Refuse true where a number is meant; pydantic would read it as 1."""
        if isinstance(value, bool) and info.field_name is not None:
            wanted = cls.model_fields[info.field_name].annotation
            if wanted in (int, float):
                raise ValueError(f"is a number, not {str(value).lower()}")
        return value

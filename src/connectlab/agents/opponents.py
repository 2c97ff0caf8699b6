"""Who a learner plays against: players named in one line, such as "self + minimax:depth=2".

They take turns from game to game; one that is named twice plays twice as often. No kernel is
imported here.
"""

from connectlab.agents.spec import Spec
from connectlab.errors import UserError

SELF = "self"
"""The learner itself, on both sides."""
SEPARATOR = "+"
MOST_OPPONENTS = 16


def split_specs(opponents: str) -> tuple[str, ...]:
    """Return the spec strings of a list such as "random + minimax:depth=2"."""
    return tuple(spec.strip() for spec in opponents.split(SEPARATOR) if spec.strip())


def check_specs(opponents: str) -> tuple[str, ...]:
    """Return the spec strings; ``ValueError`` unless a player answers to each of them."""
    specs = split_specs(opponents)
    if not 1 <= len(specs) <= MOST_OPPONENTS:
        raise ValueError(f"from 1 to {MOST_OPPONENTS} players can be named")
    for spec in specs:
        _check_spec(spec)
    return specs


def join_specs(specs: tuple[str, ...]) -> str:
    """Write spec strings as one list."""
    return f" {SEPARATOR} ".join(specs)


def _check_spec(spec: str) -> None:
    """Refuse a spec that no player answers to, before a run begins."""
    from connectlab.agents.registry import settings_class  # it lists learners too

    if spec == SELF:
        return
    try:
        parsed = Spec.parse(spec)
        parsed.validate(settings_class(parsed.name))
    except UserError as error:
        raise ValueError(str(error)) from None

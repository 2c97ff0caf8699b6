"""Players: everything that has a policy."""

from typing import TYPE_CHECKING

from connectlab._lazy import lazy

if TYPE_CHECKING:
    from connectlab.agents.analysis import Analysis, Group
    from connectlab.agents.base import Agent
    from connectlab.agents.registry import make_agent, make_learner
    from connectlab.agents.settings import AgentError, AgentSettings
    from connectlab.agents.spec import Spec

__all__ = [
    "Agent",
    "AgentError",
    "AgentSettings",
    "Analysis",
    "Group",
    "Spec",
    "make_agent",
    "make_learner",
]

__getattr__ = lazy(
    __name__,
    {
        "Agent": "connectlab.agents.base",
        "AgentError": "connectlab.agents.settings",
        "AgentSettings": "connectlab.agents.settings",
        "Analysis": "connectlab.agents.analysis",
        "Group": "connectlab.agents.analysis",
        "Spec": "connectlab.agents.spec",
        "make_agent": "connectlab.agents.registry",
        "make_learner": "connectlab.agents.registry",
    },
)

"""Players: everything that chooses a column."""

from connectlab.agents.base import Agent, AgentError, AgentSettings, Analysis
from connectlab.agents.registry import agent_class, make_agent, registered
from connectlab.agents.spec import Spec

__all__ = [
    "Agent",
    "AgentError",
    "AgentSettings",
    "Analysis",
    "Spec",
    "agent_class",
    "make_agent",
    "registered",
]

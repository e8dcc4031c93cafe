"""The tools of the prompts server: what the model sees."""

from laconic.servers.prompts.tools import changing, reading, versions
from laconic.servers.prompts.tools.toolset import prompts

__all__ = ["changing", "prompts", "reading", "versions"]

"""The tools of the taiga server: what the model sees."""

from laconic.servers.taiga.tools import items, projects
from laconic.servers.taiga.tools.toolset import taiga

__all__ = ["items", "projects", "taiga"]

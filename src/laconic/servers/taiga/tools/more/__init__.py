"""Tools beyond the catalogue of `taiga`, a toolset of their own."""

from laconic.servers.taiga.tools.more import batches, sprints, talk
from laconic.servers.taiga.tools.more.toolset import taiga_more

__all__ = ["batches", "sprints", "taiga_more", "talk"]

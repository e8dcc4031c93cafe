"""The tools of the notes server: what the model sees."""

from laconic.servers.notes.tools import changing, reading
from laconic.servers.notes.tools.toolset import notes

__all__ = ["changing", "notes", "reading"]

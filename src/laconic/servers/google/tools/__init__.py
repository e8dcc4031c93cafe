"""The tools of the google server: what the model sees."""

from laconic.servers.google.tools import drive, operations, resources, server, sheets
from laconic.servers.google.tools.toolset import google

__all__ = ["drive", "google", "operations", "resources", "server", "sheets"]

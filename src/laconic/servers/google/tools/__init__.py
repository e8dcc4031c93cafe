"""The tools of the google server: what the model sees."""

from laconic.servers.google.tools import (
    classic,
    docs,
    documents,
    drive,
    operations,
    resources,
    server,
    sheets,
    slides,
)
from laconic.servers.google.tools.toolset import google

__all__ = [
    "classic",
    "docs",
    "documents",
    "drive",
    "google",
    "operations",
    "resources",
    "server",
    "sheets",
    "slides",
]

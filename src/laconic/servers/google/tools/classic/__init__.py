"""The profile `classic`: the tools of an earlier server, by their names and with their parameters."""

from laconic.servers.google.tools.classic import accounts, operations, reading

__all__ = ["accounts", "operations", "reading"]

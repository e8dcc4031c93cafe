"""Laconic: MCP servers that say only what matters, and the kit they are made with."""

__version__ = "0.2.0.dev0"

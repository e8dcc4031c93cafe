"""Reads the packages, their imports and the path of one call off the code, for docs/architecture.md."""

"""Toolsets that only tests serve."""

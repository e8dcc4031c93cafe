"""Upkeep of a whole shelf: checked for faults, and moved to another database."""

"""Editing: exact replacement, what differs, bounded diffs and line ranges, all as data."""

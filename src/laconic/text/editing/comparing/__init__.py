"""Comparing texts: what two sequences have in common, and which characters count as alike."""

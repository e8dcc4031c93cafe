"""Sheets: ranges in their notations, windows over large ones, and writes that say what changed."""

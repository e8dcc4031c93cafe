"""Spreadsheets as they are kept: cells, ranges, formulas, and how they are shown."""

"""Sheets: its cells, ranges, formulas and operations; `operations` has the table of them."""

"""Writes the parts of the docs that the declarations already contain."""

"""Docs: documents of paragraphs, tables and lists, in tabs and segments."""

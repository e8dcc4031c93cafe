"""Markdown both ways: blocks to markdown in its normal form, and any markdown to blocks."""

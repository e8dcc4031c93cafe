"""Presentations: how they are read, made from markdown, and changed."""

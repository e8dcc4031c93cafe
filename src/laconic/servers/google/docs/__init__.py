"""Docs: a document as data and as markdown, and changes to it by text, by heading and by markdown."""

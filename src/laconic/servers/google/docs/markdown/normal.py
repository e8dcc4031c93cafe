"""The normal form of markdown: what a document and back gives."""

from __future__ import annotations

from laconic.servers.google.docs.markdown.parsing import parse_markdown
from laconic.servers.google.docs.markdown.writing import markdown_of


def normal(markdown: str) -> str:
    """Return a text in the normal form; docs/google-docs.md describes it. Normal twice is normal once."""
    return markdown_of(parse_markdown(markdown))

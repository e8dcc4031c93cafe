"""A tool that every version can declare: `laconic serve plain_tool:plain`, with this folder on the path."""

from laconic.kit import Toolset

plain = Toolset("plain", "A plain function.")


@plain.read
def plain_echo(text: str) -> str:
    """Return the text, from a plain function."""
    return text

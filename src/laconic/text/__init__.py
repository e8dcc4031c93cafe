"""Pure functions on text: what can be said of a text without any I/O."""

from laconic.text.names import case_of, nearest, to_camel
from laconic.text.tokens import estimate_tokens

__all__ = ["case_of", "estimate_tokens", "nearest", "to_camel"]

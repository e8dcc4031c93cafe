"""Composing a new file from values and a body."""

from collections.abc import Mapping, Sequence
from typing import Any

from laconic.stores.header.yaml_blocks import normal, pair


def compose(values: Mapping[str, Any], order: Sequence[str], body: str) -> str:
    """Write a new file: the keys of `order` first, then all others; keys without a value are left out.

    Raises:
        Unreadable: a text contains half a character, or a value is nested too deeply.
        TypeError: a header cannot contain such a value.
    """
    keys = [key for key in dict.fromkeys((*order, *values)) if values.get(key) is not None]
    lines = [pair(normal(key), normal(values[key]), 0) for key in keys]
    end = "" if not body or body.endswith("\n") else "\n"
    return "\n".join(["---", *lines, "---", body + end])

"""A file of YAML that a person wrote, as plain data; texts stay as they are written, also `yes` and dates."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_nodes import nodes_of, value_of
from laconic.stores.header.yaml_parser import root_of
from laconic.stores.smallfile import beginning_of

__all__ = ["read_yaml"]

_MOST: Final = 1_000_000  # bytes


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the mapping that a file has.

    Raises:
        Unreadable: it is no mapping in YAML, or too large.
        OSError: it cannot be read.
    """
    content = beginning_of(path, _MOST + 1)
    if len(content) > _MOST:
        raise Unreadable(f"The file has more than {_MOST:,} bytes.")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise Unreadable("The file is not UTF-8.") from None
    return {name: value_of(node) for name, node in nodes_of(root_of(text, "file")).items()}

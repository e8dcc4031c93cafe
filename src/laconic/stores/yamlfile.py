"""A file of YAML that a person wrote, as plain data; `yes` and dates stay texts as they are written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from laconic.stores.errors import Unreadable
from laconic.stores.header.yaml_nodes import BARE, YamlNode, key_of, nodes_of, value_of
from laconic.stores.header.yaml_parser import root_of
from laconic.stores.smallfile import beginning_of

__all__ = ["read_yaml"]

_MOST: Final = 1_000_000  # bytes
_DECIMAL: Final = re.compile(r"[-+]?\d+\.\d+(?:[eE][-+]?\d+)?")


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
    return {name: _value(node) for name, node in nodes_of(root_of(text, "file")).items()}


def _value(node: YamlNode) -> Any:
    """Return the value of a node; unlike a header, which is written back as it was, it has decimals."""
    if node.id == "sequence":
        return [_value(item) for item in node.value]
    if node.id == "mapping":
        return {key_of(key): _value(value) for key, value in node.value}
    if node.tag is BARE and _DECIMAL.fullmatch(node.value):
        return float(node.value)
    return value_of(node)

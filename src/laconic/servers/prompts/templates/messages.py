"""Messages between the server and its workers: JSON after its length in bytes."""

from __future__ import annotations

import json
import struct
from typing import Any, Final

__all__ = ["HEAD", "length_of", "packed", "unpacked"]

_LENGTH: Final = struct.Struct(">I")
HEAD: Final = _LENGTH.size  # bytes


def packed(message: dict[str, Any]) -> bytes:
    """Return a message as it is sent."""
    content = json.dumps(message).encode()  # noqa: TID251  # no answer of a tool
    return _LENGTH.pack(len(content)) + content


def length_of(head: bytes) -> int:
    """Return how many bytes follow the head of a message."""
    return int(_LENGTH.unpack(head)[0])


def unpacked(content: bytes) -> dict[str, Any]:
    """Return the message of what follows its head."""
    message: dict[str, Any] = json.loads(content)
    return message

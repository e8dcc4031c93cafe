"""ETags: strong ones, which begin with the version of an item, so that a change can name what it expects."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from laconic.kit import BadArguments

__all__ = ["etag_of", "expected_version", "is_known"]

_NO_VERSION: Final = "none of them"


def etag_of(body: bytes, version: int | None = None) -> str:
    """Return the validator of an answer: it changes with every byte."""
    digest = blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}-{digest}"'


def is_known(header: str | None, etag: str) -> bool:
    """True if a client that sends this If-None-Match has the answer already."""
    if header is None:
        return False
    return header.strip() == "*" or etag in [tag.removeprefix("W/") for tag in _listed(header)]


def expected_version(header: str | None) -> int | str | None:
    """Return the version that an If-Match names; None if any will do.

    Raises:
        BadArguments: it names several.
    """
    if header is None or header.strip() == "*":
        return None
    versions = {_version(tag) for tag in _listed(header)}
    if len(versions) > 1:
        raise BadArguments("Expected one ETag in If-Match.", field="If-Match")
    return versions.pop() if versions else _NO_VERSION


def _listed(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",") if tag.strip()]


def _version(tag: str) -> int | str:
    number, dash, _ = tag.strip('"').partition("-")
    is_ours = tag.startswith('"') and dash and number.isdecimal() and number.isascii()
    return int(number[:9]) if is_ours else _NO_VERSION

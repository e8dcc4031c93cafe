"""ETags: strong ones, which begin with the version of an item, so that a change can name what it expects."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

__all__ = ["etag_of", "expected_versions", "is_known"]

_TAG: Final = re.compile(r'(W/)?"(?:(\d{1,9})-)?[^"]*"', re.ASCII)


def etag_of(body: bytes, version: int | None = None) -> str:
    """Return the validator of an answer: it changes with every byte."""
    digest = blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}-{digest}"'


def is_known(header: str | None, etag: str) -> bool:
    """True if a client that sends this If-None-Match has the answer already; a weak tag is as good."""
    return header is not None and (etag in header or header.strip() == "*")


def expected_versions(header: str | None) -> frozenset[int] | None:
    """Return the versions that an If-Match names, of which one must be it; None if any will do.

    A weak tag names nothing here, and neither does one of something else.
    """
    if header is None or header.strip() == "*":
        return None
    found = (match for match in _TAG.finditer(header) if not match[1] and match[2])
    return frozenset(int(match[2]) for match in found)

"""Tokens: signed with HS256; access tokens are not remembered, refresh tokens are accepted once."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

__all__ = ["read_token", "signed"]


def signed(claims: Mapping[str, Any], secret: bytes) -> str:
    """Return claims as a JSON web token."""
    head = _packed({"typ": "JWT", "alg": "HS256"})
    body = f"{head}.{_packed(claims)}"
    return f"{body}.{_signature(body, secret)}"


def read_token(token: str, secret: bytes) -> dict[str, Any] | None:
    """Return the claims of a token; None if it is not one of ours. Whether it has expired is not checked."""
    body, _, signature = token.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(body, secret).encode()):
        return None
    claims: dict[str, Any] = json.loads(_unpacked(body.partition(".")[2]))
    return claims


def _signature(body: str, secret: bytes) -> str:
    return _letters(hmac.new(secret, body.encode(), sha256).digest())


def _packed(value: Mapping[str, Any]) -> str:
    return _letters(json.dumps(value, separators=(",", ":")).encode())


def _letters(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def _unpacked(letters: str) -> bytes:
    return urlsafe_b64decode(letters + "=" * (-len(letters) % 4))

"""Sealing: the signed state that a client carries from one round of a question to the next."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from laconic.kit.wire.protocol import INVALID_PARAMS, ProtocolError

__all__ = ["Seal"]

LASTS: Final = 600.0  # seconds a person may take to answer
_ROUND: Final = ("_meta", "inputResponses", "requestState")  # these differ between two rounds of one call


class Seal:
    """Signs and checks the state of a call, bound to its caller, its method and its parameters."""

    def __init__(self, keys: Sequence[bytes], audience: str, clock: Callable[[], float] = time.time) -> None:
        self._keys = list(keys)  # the first signs; the others still open what they signed
        self._audience = audience
        self._clock = clock

    def close(self, kept: Mapping[str, Any], bound: Any) -> str:
        """Return the state as a signed string."""
        body = _text({"until": int(self._clock() + LASTS), "kept": kept})
        return f"{_b64(body)}.{_b64(self._sign(self._keys[0], body, bound))}"

    def open(self, word: str, bound: Any) -> dict[str, Any]:
        """Return the state of a signed string.

        Raises:
            ProtocolError: it was changed, belongs to another call or caller, or is too old.
        """
        first, _, second = word.partition(".")
        body, signature = _bytes(first), _bytes(second)
        if any(hmac.compare_digest(self._sign(key, body, bound), signature) for key in self._keys):
            found = json.loads(body)
            if found["until"] >= self._clock():
                kept: dict[str, Any] = found["kept"]
                return kept
        raise ProtocolError(
            INVALID_PARAMS, "Invalid or expired requestState", {"reason": "invalid_request_state"}
        )

    def _sign(self, key: bytes, body: bytes, bound: Any) -> bytes:
        return hmac.digest(key, b"requestState\0" + _text([self._audience, bound]) + b"\0" + body, "sha256")


def bound_of(caller: str, method: str, params: Mapping[str, Any]) -> list[Any]:
    """Return what a state is bound to: the parts of a call that are the same in every round."""
    return [caller, method, {name: value for name, value in params.items() if name not in _ROUND}]


def _text(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(word: str) -> bytes:
    try:
        data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
    except (binascii.Error, ValueError):
        return b""
    return data if _b64(data) == word else b""  # only one encoding is valid

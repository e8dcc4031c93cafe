"""Credentials that are kept between runs, each bound to the hosts it was made for."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from laconic.upstream.addresses import origin_of
from laconic.upstream.sharing import SharedRecord

__all__ = ["Credential", "KeptCredential", "credential_name"]


@dataclass(frozen=True)
class Credential:
    """What gives access for a while, and what renews it; never shown."""

    token: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    expires: float | None = None  # seconds since 1970
    more: Mapping[str, str] = field(default_factory=dict, repr=False)  # what a server adds, such as scopes

    @property
    def secrets(self) -> list[str]:
        """What must not appear in a log or an error."""
        return [secret for secret in (self.token, self.refresh) if secret]


class KeptCredential:
    """A credential in a record that all processes of a user share.

    It is only given to the hosts that it was made for: who changes the address in a configuration gets none.
    """

    def __init__(self, record: SharedRecord, origins: Collection[str]) -> None:
        self.record = record
        self.origins = frozenset(map(origin_of, origins))

    def read(self) -> Credential | None:
        """Return the credential; None if there is none, or if it was made for other hosts."""
        try:
            stored = json.loads(self.record.read() or b"null")
        except ValueError:  # somebody edited it; a new sign-in writes it again
            return None
        if not isinstance(stored, dict) or not self.origins <= set(_texts(stored.get("origins"))):
            return None
        return _credential(stored)

    def write(self, credential: Credential) -> None:
        """Keep a credential in place of the last one; the caller holds the record's lock."""
        self.record.write(json.dumps(_stored(credential, self.origins), indent=1).encode())

    def forget(self) -> None:
        """Keep none from now on; the caller holds the record's lock."""
        self.record.write(b"")


def credential_name(origin: str, account: str = "") -> str:
    """Return the name of the file for an account of a host: readable, and different for each pair."""
    origin = origin_of(origin)
    words = re.sub(r"[^a-z0-9.-]+", "-", f"{origin.partition('://')[2]}-{account}".lower()).strip("-.")
    return f"{words[:60]}-{sha256(f'{origin} {account}'.encode()).hexdigest()[:8]}.json"


def _stored(credential: Credential, origins: Collection[str]) -> dict[str, Any]:
    return {
        "origins": sorted(origins),
        "token": credential.token,
        "refresh": credential.refresh,
        "expires": credential.expires,
        "more": dict(credential.more),
    }


def _credential(stored: Mapping[str, Any]) -> Credential | None:
    token, refresh, expires = stored.get("token"), stored.get("refresh"), stored.get("expires")
    more = stored.get("more")
    if not isinstance(token, str):
        return None
    return Credential(
        token,
        refresh if isinstance(refresh, str) else "",
        float(expires) if isinstance(expires, int | float) else None,
        {str(key): str(value) for key, value in more.items()} if isinstance(more, dict) else {},
    )


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []

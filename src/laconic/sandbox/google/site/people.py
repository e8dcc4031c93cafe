"""People: who a token is for, and which scopes it has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

__all__ = ["Person"]


@dataclass(frozen=True)
class Person:
    """Who sends a request."""

    email: str
    scopes: Collection[str]

    @property
    def name(self) -> str:
        """The name that others see."""
        return self.email.partition("@")[0].replace(".", " ").title()

    @property
    def permission(self) -> str:
        """The id that a permission of this person has."""
        return permission_id(self.email)

    @property
    def public(self) -> dict[str, str]:
        """What others see of this person."""
        return {"kind": "drive#user", "displayName": self.name, "emailAddress": self.email}


def permission_id(name: str) -> str:
    """Return the id that permissions of a person, a group or a domain have."""
    from zlib import crc32

    return f"{crc32(name.lower().encode()):020d}"


def public_of(email: str) -> dict[str, str]:
    """Return what others see of a person."""
    return Person(email, ()).public

"""Asking who an account is, which also shows that it can sign in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from laconic.kit import NotFound
from laconic.servers.google.api.access import Access

_IDS: Final = {"docs": "documentId", "sheets": "spreadsheetId", "slides": "presentationId"}
_NOBODYS: Final = "laconic-asks-whether-it-may"  # no file has this id


async def email_of(access: Access, services: Sequence[str]) -> str:
    """Return the address of an account's person; empty without Drive, the only API that tells it.

    Raises:
        Failure: it cannot sign in.
    """
    if "drive" in services:
        about = await access.call("drive_about_get", fields="user/emailAddress")
        return str(about.get("user", {}).get("emailAddress", ""))
    for api in services[:1]:
        with suppress(NotFound):  # it signed in, and was let in
            await access.run(f"{api}_get", {_IDS[api]: _NOBODYS})
    return ""

"""Credentials of a toolset's accounts: kept by upstream, and hidden in errors and in the log."""

from __future__ import annotations

from laconic.kit.redaction import learn_secrets
from laconic.upstream import Credential, KeptCredential

__all__ = ["HiddenCredential"]


class HiddenCredential(KeptCredential):
    """A kept credential whose secrets this process hides once it has seen them."""

    def read(self) -> Credential | None:
        """Return the credential; None if there is none, or if it was made for other hosts."""
        found = super().read()
        if found is not None:
            learn_secrets(found.secrets)
        return found

    def write(self, credential: Credential) -> None:
        """Keep a credential in place of the last one; the caller holds the record's lock."""
        learn_secrets(credential.secrets)
        super().write(credential)

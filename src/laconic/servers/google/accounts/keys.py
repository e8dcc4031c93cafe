"""Key files: OAuth clients, service accounts and what the machine has, as the JSON that Google hands out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laconic.kit import BadConfiguration, learn_secrets


@dataclass(frozen=True)
class OAuthClient:
    """An app that people let act for them."""

    id: str
    secret: str = field(default="", repr=False)


@dataclass(frozen=True)
class KeyFile:
    """What signs in without a person: a service account's key, or a refresh token with its app."""

    kind: str
    content: dict[str, Any] = field(repr=False)


def client_of(path: str) -> OAuthClient:
    """Return the OAuth client in a file.

    Raises:
        BadConfiguration: there is none.
    """
    if not path:
        raise BadConfiguration(
            "No OAuth client is set.",
            advice="Create a client of type 'Desktop app' in Google Cloud, download its JSON, and set "
            "LACONIC_GOOGLE_CLIENT to the file.",
        )
    found = _read(path)
    inner = found.get("installed") or found.get("web") or found
    id, secret = inner.get("client_id"), inner.get("client_secret", "")
    if not isinstance(id, str) or not isinstance(secret, str):
        raise BadConfiguration(f"{Path(path).name} has no OAuth client: client_id is missing.")
    learn_secrets([secret] if secret else [])
    return OAuthClient(id, secret)


def key_of(path: str) -> KeyFile:
    """Return the key in a file.

    Raises:
        BadConfiguration: there is none, or it is of a kind that is not supported.
    """
    found = _read(path)
    kind = found.get("type")
    needed = {
        "service_account": ("client_email", "private_key"),
        "authorized_user": ("client_id", "client_secret", "refresh_token"),
    }.get(str(kind))
    if needed is None:
        raise BadConfiguration(
            f"{Path(path).name} has credentials of type '{str(kind)[:40]}', which is not supported.",
            advice="Use a service account's key, or 'laconic google login'.",
        )
    missing = [name for name in needed if not isinstance(found.get(name), str) or not found[name]]
    if missing:
        raise BadConfiguration(f"{Path(path).name} is no complete key: {missing[0]} is missing.")
    secrets = ("private_key", "client_secret", "refresh_token")
    learn_secrets(found[name] for name in secrets if isinstance(found.get(name), str))
    return KeyFile(str(kind), found)


def _read(path: str) -> dict[str, Any]:
    file = Path(path).expanduser()
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfiguration(f"{file.name} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadConfiguration(f"{file.name} is not JSON.") from None
    return found if isinstance(found, dict) else {}

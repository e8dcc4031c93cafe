"""Hiding: what a request contains that a refusal may repeat, and answers without it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, quote_plus

import httpx2

from laconic.text.secrets import HIDDEN, is_secret_name
from laconic.upstream.messages import ApiRequest

__all__ = ["hidden", "hidden_headers", "sent_secrets"]

_SHORTEST: Final = 6  # letters of a secret; hiding shorter ones would hide words
_COOKIES: Final = ("set-cookie", "set-cookie2")


def sent_secrets(request: ApiRequest, headers: Mapping[str, str], *, signs_in: bool) -> list[str]:
    """Return what must not be repeated: values whose names say so, and all of a request to sign in."""
    sent = [*_texts(request.body), *_texts(dict(request.query)), *_form(request.content)]
    found = [value for name, value in sent if signs_in or is_secret_name(name)]
    return [*found, *_in_headers([*headers.items(), *request.headers.items()])]


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text inside data with its name; those of a list have the name of the list."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, name)


def _form(content: bytes | None) -> list[tuple[str, str]]:
    try:
        return parse_qsl((content or b"").decode("ascii"), max_num_fields=100)
    except ValueError:  # no form
        return []


def _in_headers(headers: Iterable[tuple[str, str]]) -> list[str]:
    """Return secret values, also without the word before them, as in `Basic dXNlcjpwdw==`."""
    values = [value for name, value in headers if is_secret_name(name)]
    return [part for value in values for part in (value, value.rpartition(" ")[2])]


def hidden(value: Any, secrets: Collection[str]) -> Any:
    """Return data without these secrets, however an address would spell them."""
    every = {form for one in secrets for form in (one, quote(one, safe=""), quote_plus(one))}
    return _hidden(value, sorted((one for one in every if len(one) >= _SHORTEST), key=len, reverse=True))


def _hidden(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, dict):
        return {_hidden(key, secrets): _hidden(inner, secrets) for key, inner in value.items()}
    if isinstance(value, list):
        return [_hidden(inner, secrets) for inner in value]
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
    return value


def hidden_headers(headers: Mapping[str, str], secrets: Collection[str]) -> Mapping[str, str]:
    """Return headers, their names in any case, without these secrets and without cookies."""
    found: dict[str, str] = hidden({name.lower(): value for name, value in headers.items()}, secrets)
    return httpx2.Headers({name: HIDDEN if name in _COOKIES else value for name, value in found.items()})
